import { type Context, Effect, Option } from "effect"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { EventStore, type FeedQuery } from "../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { holds } from "../Assertion.ts"
import { readToEnd, wholeFeed } from "./events/FeedCases.ts"
import { calling, type ListedCase, OtherStore, type StorageCase, Work } from "./StorageCase.ts"
import { day, makeOrder, newShop, someTime, wholePage } from "./support/Fixtures.ts"
import { type Host, happen, newEndpoint, request, theHost } from "./support/Webhooks.ts"

/** Items in one store; the other has ten times as many. */
const few = 2_000
const many = 10 * few

/** Events per change. */
const atOnce = 500

/** Allowed factor for a call with ten times as much in the store; proportional growth has the factor ten. */
const allowed = 2.5

/** Figures below these are noise: the work of any call, and the resolution of a clock in milliseconds. */
const [leastWork, leastTime] = [50, 0.2]

/** Calls per comparison of times, and comparisons before times count as grown: other load may disturb some. */
const [callsPerRound, rounds] = [25, 6]

/** A call, and a counter of its work, if there is one. */
interface Measured {
  readonly call: Effect.Effect<unknown, unknown>
  readonly work: Option.Option<Work["Service"]>
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

const timed = Effect.fnUntraced(function* (call: Effect.Effect<unknown, unknown>) {
  const from = performance.now()
  yield* call
  return performance.now() - from
})

/** Ten times as much in the store does not make a call proportionally more work, or slower if work can't be counted. */
const isFlat = Effect.fnUntraced(function* (what: string, little: Measured, much: Measured) {
  const judged = (unit: string, least: number, small: number, large: number) => ({
    flat: Math.max(least, large) / Math.max(least, small) <= allowed,
    figures: `${small.toFixed(2)} ${unit} with ${few}, ${large.toFixed(2)} ${unit} with ${many}`,
  })
  if (Option.isSome(little.work) && Option.isSome(much.work)) {
    const { of, unit } = little.work.value
    const { figures, flat } = judged(unit, leastWork, yield* of(little.call), yield* much.work.value.of(much.call))
    return yield* holds(`${what} is about as much work with ten times as much: ${figures}`, flat)
  }
  const [short, long]: [Array<number>, Array<number>] = [[], []]
  let last = ""
  for (let round = 0; round < rounds; round++) {
    // Alternating, so that both meet the same disturbances.
    for (let call = 0; call < callsPerRound; call++) {
      short.push(yield* timed(little.call))
      long.push(yield* timed(much.call))
    }
    const { figures, flat } = judged("ms", leastTime, median(short), median(long))
    if (flat) return
    last = figures
  }
  yield* holds(`${what} takes about as long with ten times as much: ${last}`, false)
})

/** Calls of the case's own host. */
const measured = Effect.map(
  Effect.serviceOption(Work),
  (work) =>
    (call: Effect.Effect<unknown, unknown>): Measured => ({ call, work }),
)

/** A shop with orders, placed one a minute. */
const shopWith = Effect.fnUntraced(function* (orders: number) {
  const [shop, store] = [yield* newShop, yield* OrderStore]
  const places = Array.from({ length: orders }, (_, index) => someTime + index * 60_000)
  yield* Effect.forEach(
    places,
    (orderedAt, index) =>
      store.commit({ shop, designs: [], order: makeOrder(shop, `${index}`, { orderedAt }), events: [] }),
    { concurrency: 8, discard: true },
  )
  return shop
})

/** A shop with events, the first and the last of which are of another kind than the rest. */
const shopWithEvents = Effect.fnUntraced(function* (events: number) {
  const shop = yield* newShop
  yield* happen(shop, [0], { event: "order.cancelled" })
  for (let made = 0; made < events; made += atOnce) {
    yield* happen(
      shop,
      Array.from({ length: atOnce }, () => 0),
    )
  }
  yield* happen(shop, [0], { event: "order.cancelled" })
  return shop
})

/** A host whose store has this many pending deliveries, a few of them due. */
const hostWith = Effect.fnUntraced(function* (waiting: number, due: number) {
  const { shop } = yield* newEndpoint()
  const later = due > 0 ? day : 0
  for (let made = 0; made < waiting; made += atOnce) {
    yield* happen(
      shop,
      Array.from({ length: atOnce }, (_, index) => later + made + index),
    )
  }
  yield* happen(
    shop,
    Array.from({ length: due }, (_, index) => index),
  )
  return { host: yield* theHost, measure: yield* measured }
})

const twoHosts = Effect.fnUntraced(function* (due: number) {
  const other: Context.Context<StoragePorts> = yield* yield* OtherStore
  return [yield* hostWith(few, due), yield* Effect.provideContext(hostWith(many, due), other)] as const
})

const now = someTime + 3_600_000

const claimAndRelease = ({ queue }: Host) =>
  Effect.flatMap(queue.claim(request({ now, limit: 10 })), (claims) => queue.release(claims))

const queueCase = (
  id: string,
  title: string,
  due: number,
  call: (host: Host) => Effect.Effect<unknown, unknown>,
): ListedCase => ({
  id: `scale.${id}`,
  title,
  requirements: ["D45"],
  slow: true,
  alone: true,
  timeoutMs: 300_000,
  run: Effect.gen(function* () {
    const [little, much] = yield* twoHosts(due)
    yield* isFlat(id, little.measure(call(little.host)), much.measure(call(much.host)))
  }),
})

/** Costs that must not grow with the contents of a store. */
export const scaleCases: ReadonlyArray<StorageCase> = [
  ...calling(
    ShopStore,
    OrderStore,
  )([
    {
      id: "scale.orders.first",
      title: "MUST return the first page of orders and their total in a time that does not grow with the shop's orders",
      requirements: ["D14"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [small, large, store] = [yield* shopWith(few), yield* shopWith(many), yield* OrderStore]
        const measure = yield* measured
        const page = (shop: string) => measure(store.readOrders({ shop, ...wholePage, limit: 25 }))
        yield* isFlat("the first page", page(small), page(large))
      }),
    },
    {
      id: "scale.orders.deep",
      title: "MUST return a page of orders in a time that does not grow with its depth",
      requirements: ["D14"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [shop, store] = [yield* shopWith(many), yield* OrderStore]
        const measure = yield* measured
        const page = (behind: number) => {
          const place = many - behind
          const after = { orderedAt: someTime + place * 60_000, id: `${place}` }
          return measure(store.readOrders({ shop, ...wholePage, limit: 25, after }))
        }
        yield* isFlat("a deep page", page(many / 100), page(many - 100))
      }),
    },
  ]),
  ...calling(
    ShopStore,
    OrderStore,
    EventStore,
  )([
    {
      id: "scale.feed",
      title: "MUST return a page of the feed in a time that does not grow with events, depth or skipped events",
      requirements: ["D39"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [small, large, store] = [yield* shopWithEvents(few), yield* shopWithEvents(many), yield* EventStore]
        const measure = yield* measured
        const page = (shop: string, query: Partial<FeedQuery> = {}) =>
          measure(store.feed({ ...wholeFeed(shop), limit: 25, ...query }))
        yield* isFlat("the first page", page(small), page(large))
        const kinds = ["order.cancelled"] as const
        yield* isFlat("a page of a rare kind", page(small, { kinds }), page(large, { kinds }))
        const { next } = yield* readToEnd(store, wholeFeed(large))
        yield* isFlat("the end", page(small), page(large, { after: next }))
      }),
    },
  ]),
  ...calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
  )([
    queueCase(
      "claim.waiting",
      "MUST claim in a time that does not grow with deliveries not yet due",
      20,
      claimAndRelease,
    ),
    queueCase("claim.due", "MUST claim in a time that does not grow with due deliveries", 0, claimAndRelease),
    queueCase(
      "next-due",
      "MUST take a step of the walk in a time that does not grow with pending deliveries",
      20,
      ({ queue }) => queue.walk({ now, after: null, limit: 10 }),
    ),
  ]),
  ...calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    Upkeep,
  )([
    queueCase(
      "statistics",
      "MUST report the state of the queue in a time that does not grow with the number of deliveries",
      0,
      ({ upkeep }) => upkeep.statistics(now),
    ),
  ]),
]
