import { Effect, Schedule } from "effect"
import { type EndpointKind, type EventRecord, EndpointKind as Kinds } from "../../../../core/model/events/Event.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { EventStore, type FeedPosition, type FeedQuery } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, failsWith, holds } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { day, hostileTexts, newShop, someTime, unique } from "../support/Fixtures.ts"
import {
  addDelivery,
  addTest,
  bothHosts,
  happen,
  makeDelivery,
  makeEvent,
  newEndpoint,
  prune,
  turnOf,
} from "../support/Webhooks.ts"

/** The feeds of both hosts. */
export const bothFeeds = Effect.all([EventStore, onOtherHost(EventStore)])

/** A query of everything that fits on a page. */
export const wholeFeed = (shop: string, after: FeedPosition | null = null): FeedQuery => ({
  ...{ shop, after, kinds: Kinds.literals, limit: 100, bytes: 64 * 1024 * 1024 },
})

/**
 * The bodies of a shop's whole feed, once it shows as many as expected, or after two seconds: the transaction of
 * another shop that shares what holds a feed back may have begun in the middle of a long write.
 */
export const shownBodies = (store: EventStore["Service"], shop: string, expected: number) =>
  Effect.map(store.feed(wholeFeed(shop)), ({ bodies }) => bodies).pipe(
    Effect.repeat({
      while: (bodies) => bodies.length < expected,
      schedule: Schedule.spaced("20 millis"),
      times: 100,
    }),
  )

const bodiesOf = (events: ReadonlyArray<EventRecord>) => events.map(({ body }) => body)

/** Reads to the end, page by page, and returns the events found and the last position. */
export const readToEnd = Effect.fnUntraced(function* (
  store: EventStore["Service"],
  query: FeedQuery,
): Effect.fn.Return<
  { readonly bodies: ReadonlyArray<string>; readonly next: FeedPosition },
  Effect.Error<ReturnType<EventStore["Service"]["feed"]>>
> {
  const bodies: Array<string> = []
  for (let { after } = query; ; ) {
    const page = yield* store.feed({ ...query, after })
    bodies.push(...page.bodies)
    after = page.next
    if (!page.hasMore) return { bodies, next: page.next }
  }
})

/** The contract of `EventStore.feed`. */
export const feedCases = calling(
  ShopStore,
  OrderStore,
  EventStore,
)([
  {
    id: "feed.order",
    title: "MUST show a shop's events as delivered, in the order in which they were written, page by page",
    requirements: ["D21", "D39"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const feeds = yield* bothFeeds
      const [shop, other] = [yield* newShop, yield* newShop]
      const events: Array<EventRecord> = []
      for (const [index, size] of [1, 3, 2, 1, 4].entries()) {
        // Neither by id nor by time.
        const made = Array.from({ length: size }, (_, place) =>
          makeEvent(shop, {
            event: Kinds.literals[(index + place) % 3] ?? "design.created",
            createdAt: someTime - index * 1_000 - place,
          }),
        )
        events.push(...made)
        yield* turnOf(both, index).orders.commit({ shop, designs: [], order: null, events: made })
        yield* onOtherHost(happen(other))
      }
      for (const [index, feed] of feeds.entries()) {
        const all = yield* feed.feed(wholeFeed(shop))
        yield* equal("all", all.bodies, bodiesOf(events))
        yield* equal("hasMore", all.hasMore, false)
        for (const limit of [1, 3, 10, 11]) {
          const paged = yield* readToEnd(feed, { ...wholeFeed(shop), limit })
          yield* equal(`${limit} a page`, paged.bodies, bodiesOf(events))
          yield* equal("its end", paged.next, all.next)
        }
        const first = yield* feed.feed({ ...wholeFeed(shop), limit: 4 })
        yield* equal("the first 4", first.bodies, bodiesOf(events.slice(0, 4)))
        yield* equal("hasMore", first.hasMore, true)
        const rest = yield* turnOf(feeds, index + 1).feed(wholeFeed(shop, first.next))
        yield* equal("the rest on the other host", rest.bodies, bodiesOf(events.slice(4)))
        yield* holds("a position is 1 to 64 letters and digits", /^[A-Za-z0-9]{1,64}$/.test(first.next))
      }
    }),
  },
  {
    id: "feed.bodies",
    title: "MUST show bodies byte for byte",
    requirements: ["D21", "D39"],
    run: Effect.gen(function* () {
      const [feed] = yield* bothFeeds
      const shop = yield* newShop
      const events = hostileTexts.map((body) => makeEvent(shop, { body }))
      yield* (yield* OrderStore).commit({ shop, designs: [], order: null, events })
      yield* equal("all", (yield* readToEnd(feed, wholeFeed(shop))).bodies, bodiesOf(events))
    }),
  },
  {
    id: "feed.end",
    title: "MUST return at the end a position that finds later events, however often it is read, even in an empty shop",
    requirements: ["D39"],
    run: Effect.gen(function* () {
      const [feed, other] = yield* bothFeeds
      const shop = yield* newShop
      const start = yield* feed.feed(wholeFeed(shop))
      yield* equal("an empty feed", [start.bodies, start.hasMore], [[], false])
      const still = yield* other.feed(wholeFeed(shop, start.next))
      yield* equal("it again", still, start)
      const found: Array<string> = []
      const written: Array<string> = []
      let after = still.next
      for (let round = 0; round < 5; round++) {
        const [event] = yield* happen(shop)
        written.push(event.body)
        yield* onOtherHost(happen(yield* newShop))
        const page = yield* turnOf([feed, other], round).feed(wholeFeed(shop, after))
        found.push(...page.bodies)
        const again = yield* other.feed(wholeFeed(shop, page.next))
        yield* equal("nothing new", again, { bodies: [], next: page.next, hasMore: false })
        after = page.next
      }
      yield* equal("all that came", found, written)
      const latest = yield* feed.feed({ ...wholeFeed(shop), kinds: [] })
      yield* equal("where it ends", latest, { bodies: [], next: after, hasMore: false })
      yield* equal("from the start of the empty shop", (yield* feed.feed(wholeFeed(shop, start.next))).bodies, found)
    }),
  },
  {
    id: "feed.kinds",
    title: "MUST show the requested kinds, and skip the others for good",
    requirements: ["D39"],
    run: Effect.gen(function* () {
      const [feed] = yield* bothFeeds
      const shop = yield* newShop
      const events: Array<EventRecord> = []
      for (const letter of "oocdodccod") {
        const event = Kinds.literals["ocd".indexOf(letter)] ?? "design.ordered"
        events.push(...(yield* happen(shop, [0], { event })))
      }
      const all = yield* feed.feed(wholeFeed(shop))
      for (const kinds of [
        ["design.ordered"],
        ["order.cancelled"],
        ["design.created", "order.cancelled"],
        ["design.created", "design.ordered", "order.cancelled"],
      ] as const satisfies ReadonlyArray<ReadonlyArray<EndpointKind>>) {
        const expected = bodiesOf(events.filter(({ event }) => kinds.some((kind) => kind === event)))
        for (const limit of [1, 2, 100]) {
          const found = yield* readToEnd(feed, { ...wholeFeed(shop), kinds, limit })
          yield* equal(`${kinds}`, found.bodies, expected)
          yield* equal(`the end of ${kinds}`, found.next, all.next)
        }
      }
    }),
  },
  {
    id: "feed.bytes",
    title: "MUST end a page before it exceeds the requested bytes, but not before its first event",
    requirements: ["D39", "D46"],
    run: Effect.gen(function* () {
      const [feed] = yield* bothFeeds
      const shop = yield* newShop
      // Two bytes per letter.
      const events = [10, 20, 30, 400, 10].map((letters) => makeEvent(shop, { body: "é".repeat(letters) }))
      yield* (yield* OrderStore).commit({ shop, designs: [], order: null, events })
      const sizes: Array<number> = []
      for (let after: FeedPosition | null = null, more = true; more; ) {
        const page: Effect.Success<ReturnType<typeof feed.feed>> = yield* feed.feed({
          ...wholeFeed(shop, after),
          bytes: 120,
        })
        sizes.push(page.bodies.length)
        after = page.next
        more = page.hasMore
      }
      yield* equal("events on each page", sizes, [3, 1, 1])
    }),
  },
  {
    id: "feed.tests.sample",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, EventStore],
    title: "MUST leave out tests of every kind: a sample of an ordered design did not happen",
    requirements: ["D30", "D39"],
    alone: true,
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const before = yield* happen(endpoint.shop)
      for (const event of Kinds.literals) {
        const sample = makeEvent(endpoint.shop, { event, test: true })
        yield* addDelivery(host, makeDelivery(sample, endpoint), sample)
      }
      const after = yield* happen(endpoint.shop)
      for (const feed of yield* bothFeeds) {
        const { bodies, hasMore } = yield* feed.feed({ ...wholeFeed(endpoint.shop), limit: 2 })
        yield* equal("all", { bodies, hasMore }, { bodies: bodiesOf([...before, ...after]), hasMore: false })
      }
    }),
  },
  {
    id: "feed.tests",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, EventStore],
    title: "MUST leave out tests, and show events without endpoints",
    requirements: ["D39"],
    alone: true,
    run: Effect.gen(function* () {
      const feeds = yield* bothFeeds
      const endpoint = yield* newEndpoint({ kinds: ["order.cancelled"] })
      yield* addTest(endpoint)
      const events = yield* happen(endpoint.shop, [0, 1])
      yield* addTest(endpoint)
      for (const feed of feeds) {
        const { bodies, hasMore } = yield* feed.feed({ ...wholeFeed(endpoint.shop), limit: 2 })
        yield* equal("all", { bodies, hasMore }, { bodies: bodiesOf(events), hasMore: false })
      }
    }),
  },
  {
    id: "feed.redacted",
    title: "MUST show the current bodies of events",
    requirements: ["D39", "D43"],
    run: Effect.gen(function* () {
      const feeds = yield* bothFeeds
      const shop = yield* newShop
      const [first, second] = yield* happen(shop, [0, 1])
      yield* feeds[0].redact(shop, [{ id: first.id, body: "{}" }])
      for (const feed of feeds) yield* equal("all", (yield* feed.feed(wholeFeed(shop))).bodies, ["{}", second.body])
    }),
  },
  {
    id: "feed.dropped",
    ports: [ShopStore, OrderStore, EventStore, Upkeep],
    title: "MUST fail if events after a position were dropped, and continue from a position that missed nothing",
    requirements: ["D33", "D39"],
    alone: true,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const feeds = yield* bothFeeds
      const [shop, other] = [yield* newShop, yield* newShop]
      const begin = (yield* feeds[0].feed(wholeFeed(shop))).next
      const beginOther = (yield* feeds[0].feed(wholeFeed(other))).next
      yield* happen(shop, [-40 * day], { event: "order.cancelled" })
      const before = (yield* feeds[0].feed(wholeFeed(shop))).next
      yield* happen(shop, [-40 * day])
      yield* happen(other, [-20 * day])
      const end = (yield* feeds[0].feed(wholeFeed(shop))).next
      yield* prune(both, { keep: 50, eventsBefore: someTime - 30 * day })
      for (const feed of feeds) {
        for (const after of [begin, before]) {
          for (const kinds of [Kinds.literals, ["design.created"]] as const) {
            const page = feed.feed({ ...wholeFeed(shop, after), kinds })
            yield* failsWith("from before", "PositionGone", page)
          }
        }
        const anew = yield* feed.feed(wholeFeed(shop))
        yield* equal("what is kept", anew, { bodies: [], next: end, hasMore: false })
        yield* equal("from the end", yield* feed.feed(wholeFeed(shop, end)), anew)
        yield* equal("of another shop", (yield* feed.feed(wholeFeed(other, beginOther))).bodies.length, 1)
      }
      const [later] = yield* happen(shop)
      for (const after of [null, end]) {
        yield* equal("what comes later", (yield* feeds[1].feed(wholeFeed(shop, after))).bodies, [later.body])
      }
      yield* failsWith("from before", "PositionGone", feeds[1].feed(wholeFeed(shop, before)))
    }),
  },
  {
    id: "feed.dropped.later",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, EventStore, Upkeep],
    title: "MUST still fail from before a dropped event once an earlier one is dropped, which was kept for a delivery",
    requirements: ["D33", "D39"],
    alone: true,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [feed] = yield* bothFeeds
      const endpoint = yield* newEndpoint({ kinds: ["design.ordered"] })
      const { shop } = endpoint
      yield* happen(shop, [-40 * day], { event: "design.ordered" })
      const between = (yield* feed.feed(wholeFeed(shop))).next
      yield* happen(shop, [-40 * day], { event: "order.cancelled" })
      const old = { keep: 50, eventsBefore: someTime - 30 * day }
      yield* prune(both, old)
      yield* failsWith("from between", "PositionGone", feed.feed(wholeFeed(shop, between)))
      yield* both[0].endpoints.remove(shop, endpoint.id)
      yield* prune(both, old)
      yield* equal("what is kept", (yield* feed.feed(wholeFeed(shop))).bodies, [])
      yield* failsWith("from between", "PositionGone", feed.feed(wholeFeed(shop, between)))
    }),
  },
  {
    id: "feed.ahead",
    title: "MUST refuse a position that the shop's feed has not reached, however far the feeds of other shops are",
    requirements: ["D39"],
    run: Effect.gen(function* () {
      const feeds = yield* bothFeeds
      const [shop, ahead] = [yield* newShop, yield* newShop]
      yield* happen(shop)
      yield* happen(ahead, [0, 1, 2])
      const { next } = yield* feeds[0].feed(wholeFeed(ahead))
      for (const feed of feeds) {
        for (const kinds of [Kinds.literals, []]) {
          yield* failsWith("ahead", "PositionGone", feed.feed({ ...wholeFeed(shop, next), kinds }))
        }
        yield* equal("its own", (yield* feed.feed(wholeFeed(ahead, next))).bodies, [])
      }
    }),
  },
  {
    id: "feed.concurrent",
    title: "MUST show a reader that pages while many write each event once, and each writer's events in order",
    requirements: ["D39"],
    rounds: 3,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const feeds = yield* bothFeeds
      const shop = yield* newShop
      const [writers, changes] = [8, 15]
      let writing = writers
      const write = (writer: number) =>
        Effect.gen(function* () {
          for (let change = 0; change < changes; change++) {
            const events = [0, 1].map((place) =>
              makeEvent(shop, {
                event: Kinds.literals[(writer + change) % 3] ?? "design.ordered",
                body: JSON.stringify({ writer, number: change * 2 + place, mark: unique() }),
              }),
            )
            yield* turnOf(both, writer).orders.commit({ shop, designs: [], order: null, events })
          }
          writing -= 1
        })
      const found: Array<{ readonly writer: number; readonly number: number }> = []
      const follow = Effect.gen(function* () {
        for (let after: FeedPosition | null = null, round = 0, isOver = false; ; round++) {
          // Read before the page: later events are on the next one.
          const all: boolean = writing === 0
          const page: Effect.Success<ReturnType<EventStore["Service"]["feed"]>> = yield* turnOf(feeds, round).feed({
            ...wholeFeed(shop, after),
            limit: 7,
          })
          found.push(...page.bodies.map((body) => JSON.parse(body)))
          after = page.next
          isOver = all && !page.hasMore
          if (isOver) return
          yield* Effect.yieldNow
        }
      })
      const all = [follow, ...Array.from({ length: writers }, (_, writer) => write(writer))]
      yield* Effect.all(all, { concurrency: "unbounded" })
      for (let writer = 0; writer < writers; writer++) {
        const numbers = found.filter((event) => event.writer === writer).map(({ number }) => number)
        const expected = Array.from({ length: 2 * changes }, (_, number) => number)
        yield* equal(`events of writer ${writer}`, numbers, expected)
      }
    }),
  },
])
