/** Changes with more text than an adapter may want to store at once: orders of many designs near their limit (D46). */
import { Effect } from "effect"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, failsWith } from "../../Assertion.ts"
import { shownBodies, wholeFeed } from "../events/FeedCases.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { changed, makeDesign, makeOrder, makeOrdered, newShop, wholePage } from "../support/Fixtures.ts"
import { makeEvent } from "../support/Webhooks.ts"

/** 3 MB of designs in 15 texts. */
const positions = Array.from({ length: 15 }, (_, position) => position)

const text = (mark: string) => JSON.stringify({ mark, long: "ü".repeat(100_000) })

/** A new order of long designs, with an event for each. Ids descend: stores may order them. */
const longOrder = (shop: string) => {
  const order = makeOrder(shop, "1001")
  const designs = positions.map((position) =>
    makeOrdered(order, `d-${positions.length - position + 10}`, position, { wire: text(`design ${position}`) }),
  )
  const events = positions.map((position) => makeEvent(shop, { body: text(`event ${position}`) }))
  return { shop, designs, order, events }
}

const bothStores = Effect.all([OrderStore, onOtherHost(OrderStore)])
const bothFeeds = Effect.all([EventStore, onOtherHost(EventStore)])

/** The contract of `OrderStore.commit` and `EventStore.redact` for much text. */
export const longChangeCases = calling(
  ShopStore,
  OrderStore,
  EventStore,
)([
  {
    id: "resources.commit.long",
    title: "MUST store an order of megabytes with its designs in order and its events in order, byte for byte",
    requirements: ["D6", "D39"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothStores
      const shop = yield* newShop
      const { designs, events, order } = longOrder(shop)
      yield* store.commit({ shop, designs, order, events })
      for (const host of [store, otherStore]) {
        const found = yield* host.order(shop, order.id)
        yield* equal("the order", found._tag === "Some" ? found.value : null, { order, designs })
      }
      for (const host of yield* bothFeeds) {
        yield* equal(
          "the events",
          yield* shownBodies(host, shop, events.length),
          events.map(({ body }) => body),
        )
      }
      const next = { ...order, revision: 2 }
      const after = designs.map((design, position) => changed(design, { wire: text(`changed ${position}`) }))
      yield* otherStore.commit({ shop, designs: after, order: next, events: [] })
      const found = yield* store.order(shop, order.id)
      yield* equal("the changed order", found._tag === "Some" ? found.value : null, { order: next, designs: after })
    }),
  },
  {
    id: "resources.commit.long.stale",
    title: "MUST store nothing of an order of megabytes if any one of its designs is stale",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothStores
      const feeds = yield* bothFeeds
      for (const stale of [0, 7, 14]) {
        const shop = yield* newShop
        const { designs, events, order } = longOrder(shop)
        const kept = makeDesign(shop, designs[stale]?.id ?? "")
        yield* store.commit({ shop, designs: [kept], order: null, events: [] })
        yield* failsWith("the commit", "StaleRevision", store.commit({ shop, designs, order, events }))
        const ids = designs.map(({ id }) => id)
        yield* equal("the designs", yield* otherStore.designs(shop, ids), [kept])
        yield* equal("the orders", (yield* otherStore.readOrders({ shop, ...wholePage })).total, 0)
        yield* equal("the events", (yield* feeds[1].feed(wholeFeed(shop))).bodies, [])
      }
    }),
  },
  {
    id: "event-store.redact.long",
    title: "MUST find and replace megabytes of bodies by their designs, and no others",
    requirements: ["D43"],
    run: Effect.gen(function* () {
      const [store] = yield* bothStores
      const [feed, otherFeed] = yield* bothFeeds
      const shop = yield* newShop
      const bodyOf = (id: string) => JSON.stringify({ long: "x".repeat(150_000), data: { design: { id } } })
      const events = positions.map((position) => makeEvent(shop, { body: bodyOf(`d-${position}`) }))
      yield* store.commit({ shop, designs: [], order: null, events })
      const designIds = positions.filter((position) => position !== 3).map((position) => `d-${position}`)
      const found = yield* feed.ofDesigns({ shop, designIds, after: null, limit: 100 })
      const wanted = events.filter((_, position) => position !== 3)
      yield* equal("found", found.map(({ id }) => id).sort(), wanted.map(({ id }) => id).sort())
      const replaced = new Map(found.map(({ body, id }) => [id, body.replace(/x/g, "y")]))
      yield* feed.redact(
        shop,
        [...replaced].map(([id, body]) => ({ id, body })),
      )
      yield* equal(
        "the bodies",
        yield* shownBodies(otherFeed, shop, events.length),
        events.map(({ body, id }) => replaced.get(id) ?? body),
      )
    }),
  },
])
