/** How hosts on one server tell each other's workers of deliveries. */
import { expect, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option, Queue, Redacted } from "effect"
import pg from "pg"
import { makeDesign, newShop, someTime } from "../../conformance/storage/Fixtures.ts"
import { addEndpoint, happen } from "../../conformance/storage/Webhooks.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { fromPg, within } from "../connection/index.ts"
import * as Sql from "../sql/index.ts"
import { layer, layerClient } from "./index.ts"

/** A clock by which no time passes. */
const stopped = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock), {
    currentTimeMillisUnsafe: () => someTime,
    currentTimeMillis: Effect.succeed(someTime),
  })

const hostOn = (url: string) => Layer.build(layer({ url: Redacted.make(url), maxConnections: 10 }))

/** Something happens in a shop with an endpoint. Answers the shop. */
const happens = Effect.gen(function* () {
  const shop = yield* newShop
  yield* addEndpoint(shop)
  yield* happen(shop)
  return shop
})

/** A connection of somebody else's, and how many signals it has heard. */
const outside = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      let heard = 0
      client.on("notification", () => heard++)
      await client.query(`LISTEN ${Sql.deliveriesChannel}`)
      const run = (text: string) => Effect.promise(() => client.query(text))
      // An answer comes behind what was told before.
      return { client, run, heard: Effect.map(run("SELECT 1"), () => heard) }
    }),
    ({ client }) => Effect.promise(() => client.end()),
  )

it.live("a worker MUST hear within seconds of what a host committed that ended before it could tell (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const host = yield* hostOn(url)
    const [signal, queue] = [Context.get(host, DeliverySignal), Context.get(host, DeliveryQueue)]
    const worker = yield* signal.subscribe
    const { heard } = yield* outside(url)
    // It tells nobody, as if it had ended.
    const ended = Sql.layerSingleProcess.pipe(Layer.provide(layerClient({ url: Redacted.make(url) })))
    yield* Effect.provide(happens, ended, { local: true })
    yield* Effect.repeat(Effect.andThen(Queue.take(worker), queue.nextDue(someTime)), { until: Option.isSome })
    expect(yield* heard).toBe(0)
  }).pipe(Effect.scoped),
)

it.live("commits at the same time MUST be told together: no commit waits for another's NOTIFY (D23)", () =>
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

it.live("a commit MUST tell by itself where one in which nothing happened came just before (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const { heard } = yield* outside(url)
    yield* Effect.gen(function* () {
      const orders = yield* OrderStore
      const shop = yield* newShop
      yield* addEndpoint(shop)
      yield* orders.commit({ shop, designs: [makeDesign(shop, "a")], order: null, events: [] })
      yield* happen(shop)
      expect(yield* heard).toBe(1)
    }).pipe(Effect.provideContext(yield* hostOn(url)), Effect.provideService(Clock.Clock, stopped(yield* Clock.Clock)))
  }).pipe(Effect.scoped),
)

for (const notifies of [true, false]) {
  it.live(
    notifies
      ? "a transaction of somebody else's MUST tell workers by its own commit (D23)"
      : "a transaction of somebody else's MUST tell nobody before wake() where that is asked for (D23)",
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
          yield* addEndpoint(shop)
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
