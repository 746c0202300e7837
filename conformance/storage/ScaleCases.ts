import { type Context, Effect } from "effect"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore, type FeedQuery } from "../../core/ports/EventStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { holds } from "../Assertion.ts"
import { readToEnd, wholeFeed } from "./FeedCases.ts"
import { day, makeOrder, newShop, someTime, wholePage } from "./Fixtures.ts"
import { calling, type ListedCase, OtherStore, type StorageCase } from "./StorageCase.ts"
import { type Host, happen, newEndpoint, request, theHost } from "./Webhooks.ts"

/** How many there are in one store; in the other ten times as many. */
const few = 2_000
const many = 10 * few

/** How many events a change brings. */
const atOnce = 500

/** So many times as long a call may take with ten times as much: what grows in proportion takes ten times as long. */
const allowed = 2.5

/** Milliseconds of a call, the median of several, first here and then there in turn, so that both meet the same disturbances. */
const medians = Effect.fnUntraced(function* (calls: ReadonlyArray<Effect.Effect<unknown, unknown>>) {
  const times = calls.map((): Array<number> => [])
  for (let round = 0; round < 25; round++) {
    for (const [index, call] of calls.entries()) {
      const from = performance.now()
      yield* call
      times[index]?.push(performance.now() - from)
    }
  }
  return times.map((own) => own.toSorted((left, right) => left - right)[own.length >> 1] ?? 0)
})

/** Ten times as much does not make a call slower in proportion. */
const isFlat = Effect.fnUntraced(function* (
  what: string,
  little: Effect.Effect<unknown, unknown>,
  much: Effect.Effect<unknown, unknown>,
) {
  const [short = 0, long = 0] = yield* medians([little, much])
  // Below a fifth of a millisecond a clock tells nothing.
  const ratio = Math.max(0.2, long) / Math.max(0.2, short)
  const figures = `${short.toFixed(2)} ms with ${few}, ${long.toFixed(2)} ms with ${many}`
  yield* holds(`${what} takes about as long with ten times as much: ${figures}`, ratio <= allowed)
})

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

/** A host whose store has so many deliveries waiting, a few of which are due. */
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
  return yield* theHost
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
    yield* isFlat(id, call(little), call(much))
  }),
})

/** What the ports promise not to grow with what a store holds. */
export const scaleCases: ReadonlyArray<StorageCase> = [
  ...calling(
    ShopStore,
    OrderStore,
  )([
    {
      id: "scale.orders.first",
      title: "MUST answer the first page of orders and their total in a time that does not grow with the shop's orders",
      requirements: ["D14"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [small, large, store] = [yield* shopWith(few), yield* shopWith(many), yield* OrderStore]
        const page = (shop: string) => store.readOrders({ shop, ...wholePage, limit: 25 })
        yield* isFlat("the first page", page(small), page(large))
      }),
    },
    {
      id: "scale.orders.deep",
      title: "MUST answer a page of orders in a time that does not grow with its depth",
      requirements: ["D14"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [shop, store] = [yield* shopWith(many), yield* OrderStore]
        const page = (behind: number) => {
          const place = many - behind
          const after = { orderedAt: someTime + place * 60_000, id: `${place}` }
          return store.readOrders({ shop, ...wholePage, limit: 25, after })
        }
        yield* isFlat("a page behind others", page(many / 100), page(many - 100))
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
      title:
        "MUST answer a page of the feed in a time that grows neither with the shop's events, nor with the page's depth, nor with what it passes over",
      requirements: ["D39"],
      slow: true,
      alone: true,
      timeoutMs: 300_000,
      run: Effect.gen(function* () {
        const [small, large, store] = [yield* shopWithEvents(few), yield* shopWithEvents(many), yield* EventStore]
        const page = (shop: string, query: Partial<FeedQuery> = {}) =>
          store.feed({ ...wholeFeed(shop), limit: 25, ...query })
        yield* isFlat("the first page", page(small), page(large))
        const kinds = ["order.cancelled"] as const
        yield* isFlat("a page of a kind that is rare", page(small, { kinds }), page(large, { kinds }))
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
    queueCase("claim.waiting", "MUST claim in a time that does not grow with what is not yet due", 20, claimAndRelease),
    queueCase("claim.due", "MUST claim in a time that does not grow with what is due", 0, claimAndRelease),
    queueCase(
      "next-due",
      "MUST tell when the next delivery is due in a time that does not grow with what waits",
      20,
      ({ queue }) => queue.nextDue(now),
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
      "MUST tell how the queue stands in a time that does not grow with the number of deliveries",
      0,
      ({ upkeep }) => upkeep.statistics(now),
    ),
  ]),
]
