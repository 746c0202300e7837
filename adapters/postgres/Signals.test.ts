/** Signals about deliveries between the hosts of a server. */
import { expect, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { makeDesign, newShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { fromPg, within } from "../connection/index.ts"
import * as Sql from "../sql/index.ts"
import { layer, layerClient } from "./index.ts"

/** A clock that stands still. */
const stopped = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock), {
    currentTimeMillisUnsafe: () => someTime,
    currentTimeMillis: Effect.succeed(someTime),
  })

const hostOn = (url: string) => Layer.build(layer({ url: Redacted.make(url) }))

/** Adds an event in a new shop with an endpoint, and returns the shop. */
const happens = Effect.gen(function* () {
  const shop = yield* newShop
  yield* createEndpoint(shop)
  yield* happen(shop)
  return shop
})

/** A separate connection, and the number of signals that it has received. */
const outside = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      let heard = 0
      client.on("notification", () => heard++)
      await client.query(`LISTEN ${Sql.deliveriesChannel}`)
      const run = (text: string) => Effect.promise(() => client.query(text))
      // A response arrives after earlier notifications.
      return { client, run, heard: Effect.map(run("SELECT 1"), () => heard) }
    }),
    ({ client }) => Effect.promise(() => client.end()),
  )

it.live("a walk MUST find the commit of a host that ended before it could notify (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const host = yield* hostOn(url)
    const queue = Context.get(host, DeliveryQueue)
    const { heard } = yield* outside(url)
    // This host notifies nobody, as if it had ended.
    const ended = Sql.layerSingleProcess.pipe(Layer.provide(layerClient({ url: Redacted.make(url) })))
    yield* Effect.provide(happens, ended, { local: true })
    expect((yield* queue.walk({ now: someTime, after: null, limit: 10 })).shops).toHaveLength(1)
    expect(yield* heard).toBe(0)
  }).pipe(Effect.scoped),
)

it.live("a notification MUST name the shops of the commits, or none if they are too many (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const [host, other] = [yield* hostOn(url), yield* hostOn(url)]
    const shops = yield* Effect.forEach(Array.from({ length: 60 }), () => newShop).pipe(Effect.provideContext(host))
    yield* Effect.forEach(shops, (shop) => createEndpoint(shop), { discard: true }).pipe(Effect.provideContext(host))
    const signals = yield* Context.get(other, DeliverySignal).subscribe
    /** The shops that one signal after the other names, until it has named those commits. */
    const named = Effect.fnUntraced(function* (of: ReadonlyArray<string>, committed: Effect.Effect<unknown>) {
      yield* Effect.forEach(of, (shop) => happen(shop), { concurrency: "unbounded", discard: true })
      yield* committed
      const told = new Set<string>()
      for (;;) {
        const signal = yield* Queue.take(signals)
        if (signal === null) return null
        for (const shop of signal) told.add(shop)
        if (of.every((shop) => told.has(shop))) return told
      }
    }, Effect.provideContext(host))
    // It has begun to listen.
    yield* Effect.raceFirst(
      Queue.take(signals),
      Effect.forever(Effect.delay(Context.get(host, DeliverySignal).wake, "50 millis")),
    )
    yield* Effect.sleep("100 millis")
    yield* Queue.clear(signals)
    expect(yield* named(shops.slice(0, 3), Effect.void)).toEqual(new Set(shops.slice(0, 3)))
    // Notifications wait behind a statement with which they share a connection, until all is committed.
    const { run } = yield* outside(url)
    yield* run("SELECT pg_advisory_lock(1)")
    const waits = SqlClient.SqlClient.use((sql) => sql`SELECT pg_advisory_lock(1)`)
    yield* Effect.forkChild(Effect.provideContext(waits, host), { startImmediately: true })
    expect(yield* named(shops, run("SELECT pg_advisory_unlock(1)"))).toBeNull()
  }).pipe(Effect.scoped),
)

it.live("simultaneous commits MUST share notifications: no commit waits for another's NOTIFY (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const host = yield* hostOn(url)
    const { heard } = yield* outside(url)
    yield* Effect.gen(function* () {
      const shop = yield* happens
      yield* Effect.all(
        Array.from({ length: 200 }, () => happen(shop)),
        { concurrency: "unbounded" },
      )
    }).pipe(Effect.provideContext(host))
    const told = yield* Effect.repeat(Effect.delay(heard, "10 millis"), { until: (count) => count > 0 })
    expect(told).toBeLessThan(200)
  }).pipe(Effect.scoped),
)

it.live("a commit MUST notify although one without events came just before (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const { heard } = yield* outside(url)
    yield* Effect.gen(function* () {
      const orders = yield* OrderStore
      const shop = yield* newShop
      yield* createEndpoint(shop)
      yield* orders.commit({ shop, designs: [makeDesign(shop, "a")], order: null, events: [] })
      yield* happen(shop)
      expect(yield* heard).toBe(1)
    }).pipe(Effect.provideContext(yield* hostOn(url)), Effect.provideService(Clock.Clock, stopped(yield* Clock.Clock)))
  }).pipe(Effect.scoped),
)

for (const notifies of [true, false]) {
  it.live(
    notifies
      ? "an embedder's transaction MUST notify workers by its own commit (D23)"
      : "an embedder's transaction MUST NOT notify before wake() if NotifyInTransactions is off (D23)",
    () =>
      Effect.gen(function* () {
        const url = yield* migratedDatabase
        const stores = Layer.provide(
          layer({ url: Redacted.make(url) }),
          Layer.succeed(Sql.NotifyInTransactions, notifies),
        )
        const { client, heard, run } = yield* outside(url)
        yield* Effect.gen(function* () {
          const shop = yield* newShop
          yield* createEndpoint(shop)
          yield* run("BEGIN")
          yield* within(fromPg(client))(happen(shop))
          expect(yield* heard).toBe(0)
          yield* run("COMMIT")
          expect(yield* heard).toBe(notifies ? 1 : 0)
          if (notifies) return
          yield* DeliverySignal.use(({ wake }) => wake)
          yield* Effect.repeat(Effect.delay(heard, "10 millis"), { until: (count) => count === 1 })
        }).pipe(Effect.provide(stores, { local: true }))
      }).pipe(Effect.scoped),
  )
}
