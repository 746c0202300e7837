import { Effect } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { redacted } from "../../../../core/rules/orders/Redaction.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { hostileIds, someTime, unique } from "../support/Fixtures.ts"
import {
  bothHosts,
  claimed,
  deliveryOn,
  failure,
  firstDelivery,
  happen,
  hour,
  logOf,
  makeEvent,
  newEndpoint,
  newWebhookShop,
  nothing,
  request,
  settleAll,
} from "../support/Webhooks.ts"

/** An event whose body holds a design. */
const bodyOf = (designId: string) =>
  JSON.stringify({ id: `evt_${unique()}`, data: { design: { id: designId, mark: unique() } } })

const bothStores = Effect.all([EventStore, onOtherHost(EventStore)])

/** The contract of `EventStore`. */
export const eventStoreCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
  EventStore,
)([
  {
    id: "event-store.of-designs",
    title: "MUST find the stored events of designs, including tests, in pages by id, and only of one shop",
    requirements: ["D43"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const stores = yield* bothStores
      const shop = yield* newWebhookShop()
      const other = yield* newWebhookShop()
      const events = ["a", "b", "a", "c", "a"].map((id, index) =>
        makeEvent(shop.id, { body: bodyOf(id), test: index === 2, createdAt: someTime - index }),
      )
      yield* both[0].orders.commit({ shop: shop.id, designs: [], order: null, events })
      yield* both[0].orders.commit({
        shop: other.id,
        designs: [],
        order: null,
        events: [makeEvent(other.id, { body: bodyOf("a") })],
      })
      const expected = events.filter((_, index) => index !== 3).toSorted((left, right) => (left.id < right.id ? -1 : 1))
      for (const store of stores) {
        const query = { shop: shop.id, designIds: ["a", "b"] }
        yield* equal("all", yield* store.ofDesigns({ ...query, after: null, limit: 100 }), expected)
        const first = yield* store.ofDesigns({ ...query, after: null, limit: 3 })
        yield* equal("the first page", first, expected.slice(0, 3))
        const rest = yield* store.ofDesigns({ ...query, after: first.at(-1)?.id ?? null, limit: 3 })
        yield* equal("the rest", rest, expected.slice(3))
        yield* equal("of none", yield* store.ofDesigns({ ...query, designIds: [], after: null, limit: 9 }), [])
      }
    }),
  },
  {
    id: "event-store.of-designs.ids",
    title: "MUST find the events of designs of every id",
    requirements: ["D9", "D43"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const [store] = yield* bothStores
      const shop = yield* newWebhookShop()
      for (const id of hostileIds) {
        const event = makeEvent(shop.id, { body: bodyOf(id) })
        yield* host.orders.commit({ shop: shop.id, designs: [], order: null, events: [event] })
        const found = yield* store.ofDesigns({ shop: shop.id, designIds: [id], after: null, limit: 100 })
        yield* equal(`of ${JSON.stringify(id)}`, found, [event])
      }
    }),
  },
  {
    id: "event-store.redact",
    title: "MUST replace the bodies of events in later attempts and the stored responses, without sending anything",
    requirements: ["D43"],
    alone: true,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const stores = yield* bothStores
      const endpoint = yield* newEndpoint()
      const [event, beside] = yield* happen(endpoint.shop, [0, 1])
      const elsewhere = makeEvent((yield* newWebhookShop()).id, { id: event.id })
      yield* both[0].orders.commit({ shop: elsewhere.shop, designs: [], order: null, events: [elsewhere] })
      const claims = [...(yield* claimed(both[0], someTime + 1)).values()]
      yield* settleAll(
        both[0],
        claims.map((claim) => failure(claim)),
      )
      yield* stores[0].redact(endpoint.shop, [
        { id: event.id, body: "{}" },
        { id: "evt_gone", body: "{}" },
      ])
      yield* nothing("what is sent", both[1])
      for (const host of both) {
        const found = yield* host.log.find(endpoint.shop, endpoint.id, firstDelivery(event, endpoint).id)
        yield* equal("the body", found._tag === "Some" ? found.value.body : null, "{}")
        const answers = (yield* logOf(host, endpoint)).map(({ attempts }) =>
          attempts.map(({ responseStart }) => responseStart),
        )
        yield* equal("the responses, newest first", answers, [["no"], [redacted]])
        yield* deliveryOn(host, firstDelivery(beside, endpoint))
      }
      const later = yield* claimed(both[1], someTime + hour)
      yield* equal("the body sent afterwards", later.get(firstDelivery(event, endpoint).id)?.body, "{}")
      yield* equal("another event", later.get(firstDelivery(beside, endpoint).id)?.body, beside.body)
    }),
  },
  {
    id: "event-store.redact.shops",
    title: "MUST redact nothing of another shop, even events and deliveries with the same ids",
    requirements: ["§5-3", "D9", "D43"],
    alone: true,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const stores = yield* bothStores
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      const [event] = yield* happen(mine.shop)
      const [same] = yield* happen(theirs.shop, [0], { id: event.id, body: "theirs" })
      const claims = yield* both[0].queue.claim(request())
      yield* settleAll(
        both[0],
        claims.map((claim) => failure(claim)),
      )
      yield* stores[0].redact(mine.shop, [{ id: event.id, body: "{}" }])
      for (const host of both) {
        const found = yield* host.log.find(theirs.shop, theirs.id, firstDelivery(same, theirs).id)
        yield* equal("their body", found._tag === "Some" ? found.value.body : null, "theirs")
        const answers = (yield* logOf(host, theirs)).flatMap(({ attempts }) => attempts)
        yield* equal(
          "their answers",
          answers.map(({ responseStart }) => responseStart),
          ["no"],
        )
      }
    }),
  },
])
