/** Exports over the management API (hosts/manage/README.md; D75). */
import { expect, it as single } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expectError } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  type Json,
  keptAlive,
  manage,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  sender,
  serve,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { ExportsUnderWay, ProcessExports } from "./Exports.ts"

onHosts("Exports over the management API", [memory, postgres], (it) => {
  it.effect("MUST have each object of the REST API to the byte, in both forms, and none of another shop (D75)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const [shop, another] = [yield* newShop(send), yield* newShop(send)]
      yield* newDesign(send, another, "else")
      for (const [id, day] of Object.entries({ c: 1, b: 3, a: 2, d: 2 })) {
        yield* newDesign(send, shop, id, { createdAt: `2026-01-0${day}T00:00:00Z` })
      }
      yield* newOrder(send, shop, "1", ["a"])
      yield* newOrder(send, shop, "2", ["b", "c"])
      const take = (query: string) => manage(other, "GET", `/shops/${shop.id}/export?${query}`)
      const designs = yield* Effect.forEach(["c", "a", "d", "b"], (id) => read(send, shop.token, `/designs/${id}`))
      const all = yield* take("kind=designs")
      expect([all.status, all.headers["content-type"], all.headers["cache-control"]]).toEqual([
        200,
        "application/jsonl",
        "no-store",
      ])
      expect(all.text).toBe(designs.map(({ text }) => `${text}\n`).join(""))
      const some = yield* take("kind=designs&since=2026-01-02T01:00:00%2B01:00&format=jsonl")
      expect(some.text).toBe(
        designs
          .slice(1)
          .map(({ text }) => `${text}\n`)
          .join(""),
      )
      const { json } = yield* read(send, shop.token, "/orders")
      const orders = (json as { readonly data: ReadonlyArray<Json> }).data
      expect((yield* take("kind=orders")).text).toBe(orders.map((order) => `${JSON.stringify(order)}\n`).join(""))
      expect((yield* take("kind=orders&since=9999-01-01")).text).toBe("")
      const table = yield* take("kind=designs&format=csv")
      expect(table.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(table.text).toMatch(/^order_id,.*\r\n(.*\r\n){4}$/)
    }),
  )

  it.effect("MUST be 400 with the name of a wrong parameter, and 404 for an unknown shop (D75)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      for (const [query, name] of [
        ["", "kind"],
        ["kind=tokens", "kind"],
        ["kind=orders&kind=orders", "kind"],
        ["kind=orders&since=yesterday", "since"],
        ["kind=orders&since=", "since"],
        ["kind=orders&format=xml", "format"],
      ] as const) {
        const refused = yield* manage(send, "GET", `/shops/${id}/export?${query}`)
        expectError(refused, 400, query)
        expect((refused.json as { problems: ReadonlyArray<Json> }).problems).toMatchObject([{ path: name }])
      }
      expectError(yield* manage(send, "GET", "/shops/nobody/export?kind=orders"), 404, "an unknown shop")
      const unknown = yield* send("GET", `/manage/v1/shops/${id}/export?kind=orders`)
      expectError(unknown, 401, "no key")
    }),
  )
})

/** A store in memory whose designs are read in endless pages; from page `broken` on reading fails. */
const endless = Effect.fnUntraced(function* (broken = Number.POSITIVE_INFINITY) {
  const { ports } = yield* memory.open
  const context = yield* Layer.build(ports)
  let pages = 0
  const wire = JSON.stringify({ filling: "x".repeat(500_000) })
  const designs = OrderStore.of({
    ...Context.get(context, OrderStore),
    readDesigns: () =>
      Effect.suspend(() => {
        pages += 1
        return pages < broken
          ? Effect.succeed({ designs: [wire], next: { createdAt: 0, id: String(pages) } })
          : Effect.fail(new StorageError({ message: "It is broken", cause: undefined, isRetryable: false }))
      }),
  })
  return { ports: Context.add(context, OrderStore, designs), pages: () => pages }
})

const request = (shop: string) =>
  `GET /manage/v1/shops/${shop}/export?kind=designs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${manageKey}\r\n\r\n`

single.live("an export MUST break its connection if the store fails in the middle, and be 503 before (D75)", () =>
  Effect.gen(function* () {
    const { ports } = yield* endless(4)
    const port = yield* serve(ports)
    const send = sender(port, yield* keptAlive)
    const shop = yield* newShop(send)
    const { closed } = yield* openConnection(port, request(shop.id))
    const received = yield* closed
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received.length).toBeGreaterThan(500_000)
    // The last chunk of a body that is whole.
    expect(received.endsWith("0\r\n\r\n")).toBe(false)
    expectError(yield* manage(send, "GET", `/shops/${shop.id}/export?kind=designs`), 503, "a store that fails at first")
  }),
)

single.live("an export MUST read no more than its client takes, and leave places to other shops (D75)", () =>
  Effect.gen(function* () {
    const { pages, ports } = yield* endless()
    const exports = new ExportsUnderWay({ ofAll: 3, ofShop: 2, patience: 400 })
    const port = yield* Effect.provideService(serve(ports), ProcessExports, exports)
    const send = sender(port, yield* keptAlive)
    const [shop, other] = [yield* newShop(send), yield* newShop(send)]
    const begin = Effect.fnUntraced(function* (id: string) {
      const connection = yield* openConnection(port, request(id))
      yield* connection.until((text) => text.startsWith("HTTP/1.1 200 "))
      connection.socket.pause()
      return connection
    })
    const first = yield* begin(shop.id)
    yield* begin(shop.id)
    const take = (id: string) => manage(send, "GET", `/shops/${id}/export?kind=orders`)
    expectError(yield* take(shop.id), 503, "a third export of a shop")
    const third = yield* begin(other.id)
    expectError(yield* take(other.id), 503, "a fourth export")
    const before = pages()
    first.socket.destroy()
    third.socket.destroy()
    // One that nobody reads gives its place back too.
    yield* Effect.repeat(Effect.delay(take(shop.id), "50 millis"), { until: ({ status }) => status === 200 })
    expect(pages()).toBeLessThan(before + 30)
    const left = Effect.sync(() => [exports.take(shop.id), exports.take(shop.id), exports.take(other.id)])
    yield* Effect.repeat(
      Effect.delay(
        Effect.map(left, (taken) => {
          const all = taken.every((release) => release !== undefined)
          for (const release of taken) release?.()
          return all
        }),
        "50 millis",
      ),
      { until: (all) => all },
    )
  }),
)
