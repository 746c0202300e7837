import { randomInt } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import customizers from "../../conformance/suites/vectors/customizers.json" with { type: "json" }
import {
  address,
  keptManageKey,
  type Process,
  send,
  start,
  stop,
  temporaryDirectory,
  usedDataDirectory,
} from "../../conformance/testkit/processes/Processes.ts"

interface Design {
  readonly id: string
  readonly status: string
  readonly order: { readonly id: string } | null
  readonly price: { readonly total: number }
}

interface Order {
  readonly id: string
  readonly total: number
  readonly designs: ReadonlyArray<Design>
}

interface OrderPage {
  readonly data: ReadonlyArray<Order>
  readonly pagination: { readonly total: number; readonly nextCursor: string | null }
}

/** A host on a data directory, and requests to it. */
const open = Effect.fnUntraced(function* (directory: string) {
  const process = yield* start(["serve"], { DESIGNWIRE_DATA_DIR: directory })
  const base = yield* address(process)
  const key = keptManageKey(directory)
  const manage = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const answer = yield* send(method, `${base}/manage/v1/shops/shop${path}`, { token: key, body })
    if (answer.status >= 300) return yield* Effect.die(new Error(`${method} ${path}: ${answer.status} ${answer.text}`))
    return answer.json() as Readonly<Record<string, unknown>>
  })
  return { process, base, manage }
})

type Host = Effect.Success<ReturnType<typeof open>>

/** Saves designs and places orders of them, several at once, until the process dies. */
const write = Effect.fnUntraced(function* (
  { manage }: Host,
  round: number,
  acknowledged: { readonly designs: (id: string) => void; readonly orders: (id: string) => void },
) {
  const writer = Effect.fnUntraced(function* (number: number) {
    for (let index = 0; ; index++) {
      const id = `${round}-${number}-${index}`
      const lines = [1, 2].map((line) => ({ designId: `${id}-${line}`, lineItemId: String(line) }))
      for (const { designId } of lines) {
        yield* manage("PUT", `/designs/${designId}`, {
          customizerId: 101,
          selection: { metal: "silver", size: "s54", engrave: "no" },
          basePrice: 12_900,
        })
        acknowledged.designs(designId)
      }
      yield* manage("PUT", `/orders/${id}`, {
        name: `#${id}`,
        orderedAt: new Date(Date.UTC(2026, 9, 1 + (index % 28), round, number)).toISOString(),
        lines,
      })
      acknowledged.orders(id)
    }
  })
  yield* Effect.forEach([1, 2, 3, 4], (number) => Effect.flip(writer(number)), { concurrency: "unbounded" })
})

const allOrders = Effect.fnUntraced(function* ({ base, manage }: Host) {
  const { token } = yield* manage("POST", "/tokens", { name: "Check" })
  const orders: Array<Order> = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const answer = yield* send("GET", `${base}/api/v1/orders?limit=100${query}`, { token: token as string })
    expect(answer.status).toBe(200)
    const page = answer.json() as OrderPage
    orders.push(...page.data)
    cursor = page.pagination.nextCursor
    if (cursor === null) expect(page.pagination.total).toBe(orders.length)
  }
  const designs = (id: string) =>
    Effect.map(send("GET", `${base}/api/v1/designs/${id}`, { token: token as string }), (answer) => {
      expect([id, answer.status]).toEqual([id, 200])
      return answer.json() as Design
    })
  return { orders, design: designs }
})

const rounds = inject("wholeMatrix") ? 10 : 2

it.live(
  "the embedded database MUST hold every acknowledged write, and no partial one, whenever its process is killed",
  () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory
      const orders = new Set<string>()
      for (let round = 0; round <= rounds; round++) {
        const host = yield* open(directory)
        if (round === 0) {
          yield* manageShop(host)
        } else {
          const found = yield* allOrders(host)
          const ids = new Set(found.orders.map(({ id }) => id))
          expect(ids.size).toBe(found.orders.length)
          expect([...orders].filter((id) => !ids.has(id))).toEqual([])
          for (const order of found.orders) {
            orders.add(order.id)
            expect(order.designs.map(({ id }) => id)).toEqual([`${order.id}-1`, `${order.id}-2`])
            expect(order.designs.map(({ status, order }) => [status, order?.id])).toEqual([
              ["ordered", order.id],
              ["ordered", order.id],
            ])
            expect(order.total).toBe(order.designs.reduce((sum, { price }) => sum + price.total, 0))
          }
          // Designs of orders that were not acknowledged are drafts, or ordered if their order exists.
          for (const id of drafts) {
            const { status } = yield* found.design(id)
            expect([id, status]).toEqual([id, ids.has(id.slice(0, -2)) ? "ordered" : "draft"])
          }
        }
        drafts.clear()
        if (round === rounds) {
          expect((yield* stop(host.process)).code).toBe(0)
          break
        }
        // The first round is a long one: others may be killed before their first order.
        let left = round === 0 ? 60 : randomInt(1, 60)
        const count = () => {
          left -= 1
          if (left === 0) host.process.child.kill("SIGKILL")
        }
        yield* write(host, round, {
          designs: (id) => {
            drafts.add(id)
            count()
          },
          orders: (id) => {
            orders.add(id)
            drafts.delete(`${id}-1`)
            drafts.delete(`${id}-2`)
            count()
          },
        })
        expect((yield* host.process.ended).signal).toBe("SIGKILL")
      }
      expect(orders.size).toBeGreaterThan(rounds)
    }),
)

const drafts = new Set<string>()

const manageShop = Effect.fnUntraced(function* ({ manage }: Host) {
  yield* manage("PUT", "", { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" })
  const [ring] = customizers
  if (ring === undefined) return yield* Effect.die(new Error("There is no customizer"))
  const { definition, id, ...description } = ring
  yield* manage("PUT", `/customizers/${id}`, description)
  yield* manage("POST", `/customizers/${id}/publish`, { definition })
})

it.live("the embedded database MUST start after its first start was killed while it created its files", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryDirectory, "data")
    for (const file of ["pgdata", "pgdata/PG_VERSION", "pgdata/global/pg_control"]) {
      const process = yield* start(["serve"], { DESIGNWIRE_DATA_DIR: directory })
      yield* appearance(join(directory, file), process)
      yield* stop(process, "SIGKILL")
    }
    const { process } = yield* open(directory)
    expect((yield* stop(process)).code).toBe(0)
  }),
)

/** Waits until a file exists, or the process has ended. */
const appearance = (path: string, { child }: Process) =>
  Effect.sync(() => existsSync(path) || child.exitCode !== null).pipe(
    Effect.delay("1 millis"),
    Effect.repeat({ until: (over) => over }),
  )
