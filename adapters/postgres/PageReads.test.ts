/** Pages of orders and of the feed that take long: here, because another session locks what they read. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, type Layer, Option, Redacted } from "effect"
import pg from "pg"
import {
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  wholePage,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { pools } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { EndpointKind } from "../../core/model/events/Event.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { layerStores } from "../connection/index.ts"
import { layer } from "./index.ts"

/** A shop with an ordered design, and pages that wait until `unlock`. */
const makeWorld = Effect.fnUntraced(function* (url: string, locked = "designwire.orders, designwire.dropped_events") {
  const orders = yield* OrderStore
  const events = yield* EventStore
  const shop = yield* newShop
  const order = makeOrder(shop, "1", { orderedAt: someTime })
  yield* orders.commit({ shop, designs: [makeOrdered(order, "d", 0)], order, events: [] })
  const other = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`BEGIN; LOCK TABLE ${locked} IN ACCESS EXCLUSIVE MODE`)
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )
  const waiting = Effect.promise(async () => {
    // A transaction sees the activity of one moment otherwise.
    await other.query("SELECT pg_stat_clear_snapshot()")
    const { rows } = await other.query(`SELECT FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`)
    return rows.length
  })
  const pages = {
    orders: orders.readOrders({ shop, ...wholePage }),
    feed: events.feed({ shop, kinds: EndpointKind.literals, after: null, limit: 100, bytes: 1_000_000 }),
  }
  return {
    pages,
    waiting,
    waits: (count: number) => Effect.repeat(Effect.delay(waiting, "5 millis"), { until: (found) => found >= count }),
    design: orders.readDesign(shop, "d"),
    unlock: Effect.promise(() => other.query("ROLLBACK")),
  }
})

const over = <A, E, R>(
  stores: (url: string) => Layer.Layer<StoragePorts, unknown>,
  test: (url: string) => Effect.Effect<A, E, R>,
) => Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), stores(url), { local: true }))

const own = (maxConnections: number) => (url: string) => layer({ url: Redacted.make(url), maxConnections })

it.live("pages that wait MUST leave half of the connections to others, and continue afterwards (D46)", () =>
  over(own(4), (url) =>
    Effect.gen(function* () {
      const { design, pages, unlock, waiting, waits } = yield* makeWorld(url)
      const asked = yield* Effect.forEach([pages.orders, pages.feed, pages.orders, pages.feed], (page) =>
        Effect.forkScoped(page),
      )
      yield* waits(2)
      expect(Option.isSome(yield* design)).toBe(true)
      expect(yield* waiting).toBe(2)
      yield* unlock
      for (const page of asked) expect(Exit.isSuccess(yield* Fiber.await(page))).toBe(true)
    }),
  ).pipe(Effect.scoped),
)

it.live("an order of many megabytes MUST be read like a page, and whole (D46)", () =>
  over(own(2), (url) =>
    Effect.gen(function* () {
      const orders = yield* OrderStore
      const { pages, unlock, waits } = yield* makeWorld(url, "designwire.dropped_events")
      const shop = yield* newShop
      const order = makeOrder(shop, "long", { orderedAt: someTime })
      const wires = Array.from({ length: 8 }, (_, index) => `{"filling":"${String(index).repeat(250_000)}"}`)
      const designs = wires.map((wire, index) => makeOrdered(order, `d${index}`, index, { wire }))
      yield* orders.commit({ shop, designs, order, events: [] })
      const small = makeOrder(shop, "short", { orderedAt: someTime })
      yield* orders.commit({ shop, designs: [makeOrdered(small, "d", 0)], order: small, events: [] })
      // It takes the one place of pages.
      const feed = yield* Effect.forkScoped(pages.feed)
      yield* waits(1)
      const long = yield* Effect.forkScoped(orders.order(shop, "long"))
      for (let times = 0; times < 20; times++) expect(Option.isSome(yield* orders.order(shop, "short"))).toBe(true)
      expect(long.pollUnsafe()).toBeUndefined()
      yield* unlock
      yield* Fiber.join(feed)
      const found = Option.getOrThrow(yield* Fiber.join(long))
      expect(found.designs.map(({ wire }) => wire)).toEqual(wires)
      expect(found.order).toEqual(order)
    }),
  ).pipe(Effect.scoped),
)

for (const name of ["orders", "feed"] as const) {
  it.live(`an interrupted page of ${name} MUST end at the server, and give its connection back (D46)`, () =>
    over(own(2), (url) =>
      Effect.gen(function* () {
        const { pages, unlock, waiting, waits } = yield* makeWorld(url)
        for (let times = 0; times < 3; times++) {
          const page = yield* Effect.forkScoped(pages[name])
          yield* waits(1)
          yield* Fiber.interrupt(page)
          expect(yield* waiting).toBe(0)
        }
        const last = yield* Effect.forkScoped(pages[name])
        yield* waits(1)
        yield* unlock
        expect(Exit.isSuccess(yield* Fiber.await(last))).toBe(true)
      }),
    ).pipe(Effect.scoped),
  )
}

for (const { library, open } of pools) {
  it.live(`over a pool of ${library.name}, an interrupted page MUST NOT end before its statement (D46)`, () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const pool = yield* open(url)
      yield* Effect.gen(function* () {
        const { design, pages, unlock, waiting, waits } = yield* makeWorld(url)
        const page = yield* Effect.forkScoped(pages.orders)
        yield* waits(1)
        page.interruptUnsafe()
        expect(Option.isSome(yield* design)).toBe(true)
        expect(yield* waiting).toBe(1)
        expect(page.pollUnsafe()).toBeUndefined()
        yield* unlock
        expect(Exit.hasInterrupts(yield* Fiber.await(page))).toBe(true)
      }).pipe(Effect.provide(layerStores(pool), { local: true }))
    }).pipe(Effect.scoped),
  )
}
