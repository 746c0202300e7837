/** Rules that hold across all hosts that share a store: D6, D4, D16, D18, and simultaneous changes. */
import { expect, it as plain } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Postgres from "../../adapters/postgres/index.ts"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"

const count = (answers: ReadonlyArray<Answer>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

onHosts("Two hosts on one store", [memory, embedded, postgres], (it) => {
  it.effect(
    "MUST give a design to exactly one of the orders that want it at the same time, and store no other (D6)",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        for (let round = 0; round < 4; round++) {
          const wanted = `wanted-${round}`
          yield* newDesign(send, shop, wanted)
          const orders = Array.from({ length: 6 }, (_, index) => `o-${round}-${index}`)
          for (const order of orders) yield* newDesign(send, shop, `own-${order}`)
          const answers = yield* Effect.forEach(
            orders,
            (order, index) =>
              manage(index % 2 === 0 ? send : other, "PUT", `/shops/${shop.id}/orders/${order}`, {
                name: order,
                orderedAt: "2026-10-05T14:48:00Z",
                lines: [
                  { designId: `own-${order}`, lineItemId: "1" },
                  { designId: wanted, lineItemId: "2" },
                ],
              }),
            { concurrency: "unbounded" },
          )
          expect(count(answers)).toEqual({ 200: 1, 409: 5 })
          const winner = orders[answers.findIndex(({ status }) => status === 200)]
          const design = yield* bodyOf(200, yield* read(send, shop.token, `/designs/${wanted}`))
          expect((design["order"] as Json)["id"]).toBe(winner)
          for (const order of orders) {
            const own = yield* bodyOf(200, yield* read(other, shop.token, `/designs/own-${order}`))
            expect([order, own["status"]]).toEqual([order, order === winner ? "ordered" : "draft"])
          }
          const page = yield* bodyOf(200, yield* read(other, shop.token, "/orders"))
          expect((page["pagination"] as Json)["total"]).toBe(round + 1)
        }
      }),
  )

  it.effect("MUST link all designs that are added to one order at the same time, and sum them up (D6, §2.2)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      for (let index = 0; index < 5; index++) yield* newDesign(send, shop, `d-${index}`, { basePrice: 10 ** index })
      const place = (host: typeof send, designs: ReadonlyArray<string>) =>
        manage(host, "PUT", `/shops/${shop.id}/orders/1`, {
          name: "1",
          orderedAt: "2026-10-05T14:48:00Z",
          lines: designs.map((designId) => ({ designId, lineItemId: designId })),
        })
      yield* bodyOf(200, yield* place(send, ["d-0"]))
      // Each knows of the first and of one more: a line that is left out stays linked.
      const answers = yield* Effect.forEach(
        [1, 2, 3, 4],
        (index) => place(index % 2 === 0 ? send : other, ["d-0", `d-${index}`]),
        { concurrency: "unbounded" },
      )
      expect(count(answers)).toEqual({ 200: 4 })
      const all = yield* bodyOf(200, yield* place(other, ["d-0"]))
      expect(all["total"]).toBe(11_111)
    }),
  )

  it.effect(
    "MUST freeze a design that is saved and ordered at once: the order has a saved one, never a mixture (§2.1, D4)",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        for (let round = 0; round < 8; round++) {
          const id = `d-${round}`
          yield* newDesign(send, shop, id, { basePrice: 1 })
          const [placed, ...saved] = yield* Effect.all(
            [
              manage(send, "PUT", `/shops/${shop.id}/orders/o-${round}`, {
                name: "1",
                orderedAt: "2026-10-05T14:48:00Z",
                lines: [{ designId: id, lineItemId: "1" }],
              }),
              ...[20, 300, 4000].map((basePrice) =>
                manage(other, "PUT", `/shops/${shop.id}/designs/${id}`, { ...ringInput, basePrice }),
              ),
            ],
            { concurrency: "unbounded" },
          )
          const order = yield* bodyOf(200, placed as Answer)
          for (const { status } of saved) expect([200, 409]).toContain(status)
          const now = yield* read(other, shop.token, `/designs/${id}`)
          const design = now.json as { readonly status: string; readonly price: Json }
          expect(design.status).toBe("ordered")
          expect(design.price["total"]).toBe(order["total"])
          expect((yield* read(send, shop.token, `/orders/o-${round}`)).text).toBe((placed as Answer).text)
          expect((placed as Answer).text).toContain(now.text)
        }
      }),
  )

  it.effect(
    "MUST cancel an order once if it is cancelled and added to many times at once, and never by half (D3)",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        for (let round = 0; round < 4; round++) {
          const [first, second] = [`a-${round}`, `b-${round}`]
          yield* newDesign(send, shop, first)
          yield* newDesign(send, shop, second)
          const order = `/shops/${shop.id}/orders/o-${round}`
          yield* newOrder(send, shop, `o-${round}`, [first])
          const [added, ...cancelled] = yield* Effect.all(
            [
              manage(other, "PUT", order, {
                name: `#o-${round}`,
                orderedAt: "2026-10-05T14:48:00Z",
                lines: [
                  { designId: first, lineItemId: `line-of-${first}` },
                  { designId: second, lineItemId: "2" },
                ],
              }),
              ...[send, other, send].map((host) => manage(host, "POST", `${order}/cancel`)),
            ],
            { concurrency: "unbounded" },
          )
          expect([200, 409]).toContain(added?.status)
          expect(count(cancelled)).toEqual({ 200: 3 })
          const now = yield* bodyOf(200, yield* read(send, shop.token, `/orders/o-${round}`))
          expect(now["status"]).toBe("cancelled")
          const statuses = (now["designs"] as ReadonlyArray<Json>).map((design) => design["status"])
          expect(statuses).toEqual(added?.status === 200 ? ["cancelled", "cancelled"] : ["cancelled"])
          const late = yield* bodyOf(200, yield* read(other, shop.token, `/designs/${second}`))
          expect(late["status"]).toBe(added?.status === 200 ? "cancelled" : "draft")
        }
      }),
  )
})

plain.live(
  "MUST answer a host's first requests on Postgres, even while it begins to listen for revocations (D18)",
  () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* migratedDatabase)
      for (const wait of [0, 1, 2, 3, 4, 6, 8, 10, 12, 16]) {
        const shops = Effect.gen(function* () {
          const store = yield* ShopStore
          // Not an assertion about time: the statement must coincide with the connecting at one of several moments.
          yield* Effect.sleep(wait)
          return yield* store.list({ search: null, after: null, limit: 10 })
        })
        const answered = yield* Effect.provide(shops, Postgres.layer({ url }), { local: true }).pipe(
          Effect.timeoutOption("2 seconds"),
        )
        expect([wait, answered._tag]).toEqual([wait, "Some"])
      }
    }).pipe(Effect.scoped),
)
