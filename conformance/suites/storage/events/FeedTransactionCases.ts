import { Effect } from "effect"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { newShop, place, someTime } from "../support/Fixtures.ts"
import { meanwhile, outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts, type Host, makeEvent } from "../support/Webhooks.ts"
import { bothFeeds, readToEnd, wholeFeed } from "./FeedCases.ts"

/** Returns an effect that writes an event of a shop on a host and records its body. */
const noting = (shop: string, bodies: Array<string>) => (host: Host) =>
  Effect.suspend(() => {
    const event = makeEvent(shop)
    return Effect.andThen(
      host.orders.commit({ shop, designs: [], order: null, events: [event] }),
      Effect.sync(() => bodies.push(event.body)),
    )
  })

/** The contract of `EventStore.feed` for events written in outer transactions. */
export const feedTransactionCases = calling(
  ShopStore,
  OrderStore,
  EventStore,
)([
  {
    id: "feed.transaction.open",
    title: "MUST NOT let a reader miss events of an open transaction, or show any twice, in whatever order they commit",
    requirements: ["D23", "D39"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const feeds = yield* bothFeeds
      const shop = yield* newShop
      const bodies: Array<string> = []
      const note = noting(shop, bodies)
      yield* note(host)
      const found: Array<string> = []
      let after: string | null = null
      const read = Effect.fnUntraced(function* () {
        for (const feed of feeds) {
          const page = yield* readToEnd(feed, wholeFeed(shop, after))
          found.push(...page.bodies)
          after = page.next
        }
      })
      yield* meanwhile(note(host), Effect.andThen(note(other), read()))
      yield* read()
      yield* meanwhile(Effect.andThen(note(host), note(host)), Effect.andThen(read(), note(other)))
      yield* note(host)
      yield* read()
      yield* equal("the events found, in the order of writing", found, bodies)
    }),
  },
  {
    id: "feed.transaction.older",
    title: "MUST show an event after the events that its transaction had read, even if its transaction is older",
    requirements: ["D39"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const [feed, otherFeed] = yield* bothFeeds
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const bodies: Array<string> = []
      const note = noting(shop, bodies)
      const shown = transaction.run(
        Effect.gen(function* () {
          yield* place(shop, "1001", someTime)
          yield* note(other)
          // It has not written an event yet, and holds nothing back.
          const page = yield* otherFeed.feed(wholeFeed(shop))
          yield* note(host)
          return page.bodies
        }),
      )
      yield* equal("while it is open", yield* shown, bodies.slice(0, 1))
      yield* equal("afterwards", (yield* feed.feed(wholeFeed(shop))).bodies, bodies)
    }),
  },
  {
    id: "feed.transaction.others",
    title: "MUST NOT hold back the events of every other shop while a transaction with an event is open",
    requirements: ["D39", "D45"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const [, feed] = yield* bothFeeds
      const shops = yield* Effect.all(Array.from({ length: 8 }, () => newShop))
      const read = Effect.forEach(shops, (shop) => feed.feed(wholeFeed(shop)))
      let shown = 0
      yield* meanwhile(
        noting(yield* newShop, [])(host),
        Effect.gen(function* () {
          yield* Effect.forEach(shops, (shop) => noting(shop, [])(other))
          shown = (yield* read).flatMap(({ bodies }) => bodies).length
        }),
      )
      // Some shops may share what holds a feed back.
      yield* holds("most shops see their events", shown > shops.length / 2)
    }),
  },
  {
    id: "feed.transaction.undone",
    title: "MUST never show rolled-back events, or wait for them afterwards",
    requirements: ["D23", "D39"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const feeds = yield* bothFeeds
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const bodies: Array<string> = []
      const note = noting(shop, bodies)(host)
      const undone = Effect.ignore(transaction.run(Effect.andThen(noting(shop, [])(host), Effect.fail("given up"))))
      yield* note
      yield* undone
      yield* note
      // The transaction continues after a savepoint that was rolled back.
      yield* transaction.run(Effect.andThen(undone, Effect.andThen(note, undone)))
      yield* note
      for (const feed of feeds) {
        for (const limit of [1, 100]) {
          const found = yield* readToEnd(feed, { ...wholeFeed(shop), limit })
          yield* equal("all", found.bodies, bodies)
        }
      }
    }),
  },
  {
    id: "feed.transaction.held",
    ports: [ShopStore, OrderStore, EventStore, Upkeep],
    title: "MUST report since when the oldest open transaction holds the feed back, or that none does",
    requirements: ["D39"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const note = noting(yield* newShop, [])(host)
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const held = Effect.map(other.upkeep.statistics(someTime), ({ feedHeldSince }) => feedHeldSince)
      yield* equal("at first", yield* held, null)
      yield* transaction.run(
        Effect.gen(function* () {
          yield* place(shop, "1001", someTime)
          yield* equal("before it has written an event", yield* held, null)
          yield* note
          const since = yield* held
          yield* note
          yield* holds("it is a time", since !== null && since > 0)
          yield* equal("and stays", yield* held, since)
        }),
      )
      yield* equal("afterwards", yield* held, null)
    }),
  },
  {
    id: "feed.without-transaction",
    ports: [ShopStore, OrderStore, EventStore, Upkeep],
    title: "MUST show an event on every host as soon as its commit has returned, since no transaction can hold it back",
    requirements: ["D39"],
    without: "transaction",
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const feeds = yield* bothFeeds
      const shop = yield* newShop
      const bodies: Array<string> = []
      for (const _ of [1, 2, 3]) {
        yield* noting(shop, bodies)(host)
        for (const feed of feeds) yield* equal("all", (yield* feed.feed(wholeFeed(shop))).bodies, bodies)
      }
      yield* equal("held since", (yield* host.upkeep.statistics(someTime)).feedHeldSince, null)
    }),
  },
])
