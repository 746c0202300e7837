/** A shop that everything uses at the same time, whichever of two cells it is in. */
import { type Context, Effect, Fiber, Layer, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { getShop } from "../../../core/usecases/shops/ManageShops.ts"
import { equal, holds } from "../../suites/Assertion.ts"
import { readToEnd, wholeFeed } from "../../suites/storage/events/FeedCases.ts"
import { endsWithin } from "../databases/Cells.ts"
import { host, newEndpoint, newShop, order, startWorkers } from "./Fleet.ts"
import { webhookReceiver } from "./WebhookReceiver.ts"

/** How long a worker may hold a delivery, in milliseconds. */
export const lease = 6_000

/** The times of two requests with the same delivery, by `performance.now()`. */
export interface Repeat {
  readonly first: number
  readonly second: number
}

/** A shop in use. */
export interface ShopInUse {
  readonly shop: string
  /** Expects everything acknowledged so far in a cell, once. */
  readonly check: (cell: 0 | 1) => Effect.Effect<void, unknown>
  /** Ends the use and expects everything, delivered too. Returns the times of requests that came twice. */
  readonly end: (
    cell: 0 | 1,
  ) => Effect.Effect<{ readonly deliveries: number; readonly repeats: ReadonlyArray<Repeat> }, unknown>
  readonly counts: () => { readonly orders: number; readonly held: number; readonly read: number }
}

type Host = Layer.Success<ReturnType<typeof host>>

/**
 * Makes a shop in the first of two cells, and uses it until the scope closes: writers, a reader of the feed, a worker
 * in each cell with a live endpoint, and an embedder whose transactions stay open for up to a second and a half.
 */
export const shopInUse = Effect.fnUntraced(function* (
  urls: ReadonlyArray<string>,
): Effect.fn.Return<ShopInUse, unknown, Scope.Scope> {
  const hosts = yield* Effect.forEach(urls, (url) => Layer.build(Layer.fresh(host(url))))
  const on = <A, E>(cell: number, call: Effect.Effect<A, E, Host>) =>
    Effect.provideContext(call, hosts[cell] as Context.Context<Host>)
  const receiver = yield* webhookReceiver(() => Effect.succeed(204))
  const shop = yield* on(0, newShop)
  yield* on(0, newEndpoint(shop, receiver, "/hook"))
  for (const url of urls) yield* startWorkers(1, url, { lease, concurrency: 4 })

  let isOver = false
  let next = 0
  const [acknowledged, held, read]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
  /** Makes a call in the cell that serves the shop, until one has served it or the use is over. */
  const routed = <A, E>(call: Effect.Effect<A, E, Host>) =>
    on(0, call).pipe(
      Effect.catchCause(() => on(1, call)),
      Effect.as(true),
      // Not longer than a client waits.
      Effect.timeout("10 seconds"),
      Effect.catchCause(() => Effect.as(Effect.sleep("20 millis"), false)),
      Effect.repeat({ until: (isServed) => isServed || isOver }),
    )
  const write = Effect.gen(function* () {
    const id = `o${next++}`
    if (yield* routed(order(shop, id))) acknowledged.push(id)
    yield* Effect.sleep("100 millis")
  })
  const hold = Effect.gen(function* () {
    const id = `h${next++}`
    const transaction = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(Effect.andThen(order(shop, id), Effect.sleep(next % 3 === 0 ? 1_500 : 100))),
    )
    if (yield* routed(transaction)) held.push(id)
    yield* Effect.sleep("700 millis")
  })
  let after: FeedPosition | null = null
  const follow = Effect.gen(function* () {
    let found: { readonly bodies: ReadonlyArray<string>; readonly next: FeedPosition } | undefined
    const reading = Effect.gen(function* () {
      yield* getShop(shop)
      found = yield* readToEnd(yield* EventStore, wholeFeed(shop, after))
    })
    if ((yield* routed(reading)) && found !== undefined) {
      read.push(...found.bodies)
      after = found.next
    }
    yield* Effect.sleep("50 millis")
  })
  const using = yield* Effect.forEach([write, write, hold, follow], (each) =>
    Effect.forkScoped(Effect.repeat(each, { until: () => isOver })),
  )

  const check = (cell: 0 | 1) =>
    Effect.gen(function* () {
      const expected = [...acknowledged, ...held]
      const { bodies } = yield* on(cell, Effect.andThen(getShop(shop), readAll(shop)))
      yield* requireOnce("orders in the feed", expected, bodies)
      // A server may just have come back, and open transactions hold later events of the feed back.
    }).pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 100 }))

  const end = (cell: 0 | 1) =>
    Effect.gen(function* () {
      isOver = true
      for (const fiber of using) yield* endsWithin("a writer to end", "30 seconds", Fiber.await(fiber))
      yield* on(cell, follow)
      yield* check(cell)
      const { bodies } = yield* on(cell, readAll(shop))
      yield* equal("events that the follower has read", [...read], [...bodies])
      const all = bodies.map((body) => JSON.parse(body) as { readonly id: string; readonly event: string })
      const events = new Set(all.flatMap(({ event, id }) => (event === "design.ordered" ? id : [])))
      const delivered = () => new Set(receiver.requests.map(({ eventId }) => eventId))
      const waiting = () => {
        const there = delivered()
        return [...events].filter((id) => !there.has(id))
      }
      yield* endsWithin(
        "all deliveries",
        "60 seconds",
        receiver.until(() => waiting().length === 0),
        () => `${waiting().length} of ${events.size} were not delivered`,
      )
      yield* holds(
        "every request is signed",
        receiver.requests.every(({ signed }) => signed === true),
      )
      yield* equal(
        "events that were delivered and are not stored",
        [...delivered()].filter((id) => !events.has(id)),
        [],
      )
      return { deliveries: events.size, repeats: repeatsOf(receiver.requests) }
    })
  return {
    ...{ shop, check, end },
    counts: () => ({ orders: acknowledged.length, held: held.length, read: read.length }),
  }
})

const readAll = (shop: string) => EventStore.use((store) => readToEnd(store, wholeFeed(shop)))

/** Expects an event for each order, and none twice. */
const requireOnce = Effect.fnUntraced(function* (
  what: string,
  orders: ReadonlyArray<string>,
  bodies: ReadonlyArray<string>,
) {
  const found = bodies.map((body) => /"order":\{"id":"([oh]\d+)"/.exec(body)?.[1] ?? body)
  const there = new Set(found)
  yield* equal(`${what} that are there twice`, found.length - there.size, 0)
  const lost = orders.filter((order) => !there.has(order))
  yield* equal(`${what} that are lost`, lost, [])
})

const repeatsOf = (requests: ReadonlyArray<{ readonly deliveryId: string; readonly at: number }>) =>
  [...Map.groupBy(requests, ({ deliveryId }) => deliveryId).values()].flatMap((same) =>
    same.slice(1).map(({ at }, index): Repeat => ({ first: same[index]?.at ?? 0, second: at })),
  )
