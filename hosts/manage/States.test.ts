/** Answers of the management API to changes of state, and an embedder's image URLs: D6, D6a, D7. */
import { describe, expect, it as plain } from "@effect/vitest"
import { Effect } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  bodyOf,
  inProcess,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { ImageUrls } from "../../core/usecases/catalog/SaveDesign.ts"

const lineOf = (designId: string, lineItemId = `line-of-${designId}`) => ({ designId, lineItemId })

const place = (send: Send, shop: TestShop, id: string, lines: ReadonlyArray<Json>, fields: Json = {}) =>
  manage(send, "PUT", `/shops/${shop.id}/orders/${id}`, {
    name: `#${id}`,
    orderedAt: "2026-10-05T14:48:00Z",
    lines,
    ...fields,
  })

onHosts("States", [memory, postgres], (it) => {
  it.effect("MUST answer 204 to an order without lines, placed before or not, and store no order (D6)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "a")
      const placed = yield* place(send, shop, "1", [lineOf("a")])
      yield* bodyOf(200, placed)
      for (const id of ["nobodys", "1"]) {
        const answer = yield* place(send, shop, id, [])
        expect([answer.status, answer.text]).toEqual([204, ""])
      }
      // Of the first is kept that it came (D50).
      for (const [id, status] of [
        ["nobodys", 204],
        ["1", 200],
        ["unknown", 202],
      ] as const) {
        expect((yield* manage(send, "POST", `/shops/${shop.id}/orders/${id}/cancel`)).status).toBe(status)
      }
      const before = yield* store.dump
      const again = yield* place(send, shop, "1", [])
      expect([again.status, yield* store.dump]).toEqual([204, before])
      expect((yield* read(send, shop.token, "/orders/nobodys")).status).toBe(404)
      expect((yield* read(send, shop.token, "/orders/1")).json).toMatchObject({ id: "1", status: "cancelled" })
      const nowhere = yield* manage(send, "PUT", "/shops/nobodys/orders/1", {
        name: "#1",
        orderedAt: "2026-10-05T14:48:00Z",
        lines: [],
      })
      expect(nowhere.status).toBe(404)
    }),
  )

  it.effect("MUST refuse an order with a design in another currency with 409 and a message that names both (D6a)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send, { currency: "EUR" })
      for (const id of ["first", "second"]) yield* newDesign(send, shop, id, { basePrice: 100 })
      yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("first")]))
      yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, currency: "USD" }))
      yield* newDesign(send, shop, "dollars", { basePrice: 100 })
      const before = yield* store.dump
      for (const [order, lines, currencies] of [
        ["2", [lineOf("second")], ["EUR", "USD"]],
        ["2", [lineOf("dollars"), lineOf("second")], ["EUR", "USD"]],
        ["1", [lineOf("first"), lineOf("dollars")], ["USD", "EUR"]],
      ] as const) {
        const refused = yield* place(send, shop, order, lines)
        const { message } = refused.json as { readonly message: string }
        expect([refused.status, Object.keys(refused.json as Json)]).toEqual([409, ["message", "retryable", "conflict"]])
        expect(refused.json).toMatchObject({
          conflict: { field: "currency", held: currencies[1], given: currencies[0] },
        })
        expect(message).toMatch(
          new RegExp(`priced in ${currencies[0]}, but the order "${order}" is in ${currencies[1]}`),
        )
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST pause an endpoint, hold what is pending, and say what it missed once it is enabled (D51)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      const created = yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url: "https://93.184.216.34/hook" })
      const { id, secret: _, ...endpoint } = created.json as Json & { readonly id: string }
      const to = (action: string) => manage(send, "POST", `/shops/${shop.id}/webhooks/${id}/${action}`)
      const log = Effect.map(manage(other, "GET", `/shops/${shop.id}/webhooks/${id}/deliveries`), ({ json }) =>
        (json as { readonly data: ReadonlyArray<Json> }).data.map(({ event, test }) => [event, test]),
      )
      yield* newDesign(send, shop, "held")
      yield* place(send, shop, "1", [lineOf("held")])
      const paused = yield* bodyOf(200, yield* to("pause"))
      expect(paused).toEqual({ id, ...endpoint, status: "paused", switchedOffAt: expect.any(String) })
      expect(yield* bodyOf(200, yield* to("pause"))).toEqual(paused)
      expect((yield* manage(other, "GET", `/shops/${shop.id}/webhooks/${id}`)).json).toEqual(paused)
      yield* newDesign(send, shop, "missed")
      yield* place(send, shop, "2", [lineOf("missed")])
      expect((yield* to("test")).status).toBe(202)
      expect(yield* log).toEqual([
        ["design.ordered", true],
        ["design.ordered", false],
      ])
      const enabled = yield* bodyOf(200, yield* to("enable"))
      expect(enabled).toEqual({ id, ...endpoint, missed: 1 })
    }),
  )
})

describe("An embedder's image URLs (D7)", () => {
  plain.effect(
    "MUST be what the embedder's function returns for the shop, the design's id and the views in order (D7)",
    () =>
      Effect.gen(function* () {
        const { ports } = yield* memory.open
        const asked: Array<unknown> = []
        const send = yield* inProcess(ports).pipe(
          Effect.provideService(ImageUrls, (shop, designId, views) => {
            asked.push([shop.id, designId, views])
            return { images: { only: `https://own.example/${designId}` }, thumbnail: "https://own.example/thumb" }
          }),
        )
        const shop = yield* newShop(send)
        const design = JSON.parse(yield* newDesign(send, shop, "d-1"))
        expect(asked).toEqual([[shop.id, "d-1", ["front", "inside"]]])
        expect(design.images).toEqual({ only: "https://own.example/d-1" })
        expect(design.thumbnail).toBe("https://own.example/thumb")
        // Once given they stay, when another function makes the addresses of later designs.
        const later = yield* inProcess(ports)
        yield* newOrder(later, shop, "1", ["d-1"])
        const ordered = yield* bodyOf(200, yield* read(later, shop.token, "/designs/d-1"))
        expect(ordered["images"]).toEqual({ only: "https://own.example/d-1" })
      }),
  )
})
