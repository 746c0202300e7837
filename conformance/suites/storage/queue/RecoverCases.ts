import { Effect } from "effect"
import type { EventRecord } from "../../../../core/model/events/Event.ts"
import type { DeliveryRecord } from "../../../../core/model/webhooks/Delivery.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { type Claim, DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime, unique } from "../support/Fixtures.ts"
import {
  addDelivery,
  addTest,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  logOf,
  makeDelivery,
  makeEndpoint,
  makeEvent,
  minute,
  newEndpoint,
  newWebhookShop,
  settleAll,
  success,
  switchedOff,
} from "../support/Webhooks.ts"

const recovered = (run: string, { id }: EventRecord): string => `dlv_${run}${id.slice(4)}`

const sorted = (deliveries: ReadonlyArray<DeliveryRecord>) =>
  deliveries.toSorted((left, right) => (left.id < right.id ? -1 : 1))

/** The contract of `DeliveryLog.recover`. */
export const recoverCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "recover.missed",
    title: "MUST add a delivery, due at once, of every stored event of the endpoint's kinds from a time on",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const ordered = yield* happen(shop, [-1, 0, 1, 10])
      const cancelled = yield* happen(shop, [-1, 0], { event: "order.cancelled" })
      yield* happen(shop, [0, 5], { event: "design.created" })
      const endpoint = yield* createEndpoint(shop)
      const beside = yield* createEndpoint(shop)
      const [run, now] = [unique(22), someTime + hour]
      yield* equal(
        "how many",
        yield* both[0].queue.recover({ shop, endpointId: endpoint.id, since: someTime, now, run }),
        4,
      )
      const events = [...ordered, ...cancelled].filter(({ createdAt }) => createdAt >= someTime)
      const expected = events.map((event) =>
        makeDelivery(event, endpoint, { id: recovered(run, event), createdAt: now, nextAttemptAt: now }),
      )
      for (const host of both) {
        yield* equal("the log", sorted(yield* logOf(host, endpoint)), sorted(expected))
        yield* equal("the log of another", yield* logOf(host, beside), [])
      }
      yield* equal("before they are due", (yield* claimed(both[1], now - 1)).size, 0)
      const claims = yield* claimed(both[1], now)
      yield* equal("claimable deliveries", claims.size, 4)
      for (const event of events) {
        const { attempt, body } = yield* claimOf(claims, recovered(run, event))
        yield* equal("the claim", { attempt, body }, { attempt: 1, body: event.body })
      }
    }),
  },
  {
    id: "recover.received",
    title: "MUST leave out events delivered to the endpoint or pending for it, and add those that failed",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      const events = yield* happen(shop, [0, 1, 2, 3, 4])
      const [succeeded, failed, pending, both, again] = events
      const claims = yield* claimed(host, someTime + 4)
      const claim = (event: EventRecord) => claimOf(claims, firstDeliveryId(event, endpoint))
      const lost = { status: "failed", nextAttemptAt: null } as const
      yield* settleAll(host, [
        success(yield* claim(succeeded)),
        { ...failure(yield* claim(failed)), ...lost },
        failure(yield* claim(pending)),
        { ...failure(yield* claim(both)), ...lost },
        { ...failure(yield* claim(again)), ...lost },
      ])
      // One that failed and was then redelivered, one whose redelivery is pending.
      const redeliveries = [makeDelivery(both, endpoint), makeDelivery(again, endpoint)]
      for (const delivery of redeliveries) yield* host.queue.add(delivery, null)
      const redelivered = yield* claimOf(yield* claimed(host, someTime + 5), redeliveries[0]?.id ?? "")
      yield* settleAll(host, [success(redelivered)])
      const run = unique(22)
      yield* equal("how many", yield* host.queue.recover({ shop, endpointId: id, since: 0, now: someTime + 9, run }), 1)
      const ids = (yield* logOf(host, endpoint)).map((delivery) => delivery.id)
      yield* equal(
        "what was added",
        ids.filter((one) => one.startsWith(`dlv_${run}`)),
        [recovered(run, failed)],
      )
    }),
  },
  {
    id: "recover.again",
    title: "MUST add nothing when called again, except what has failed since",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const events = yield* happen(shop, [0, 1])
      const endpoint = yield* createEndpoint(shop)
      const recover = (by: typeof host) =>
        by.queue.recover({ shop, endpointId: endpoint.id, since: 0, now: someTime + minute, run: unique(22) })
      yield* equal("the first time", yield* recover(host), 2)
      yield* equal("again", yield* recover(host), 0)
      yield* equal("again on the other host", yield* recover(other), 0)
      const claims = yield* claimed(host, someTime + minute)
      yield* equal("under way", yield* recover(other), 0)
      const [first, second] = yield* exactly("the claims", 2, [...claims.values()])
      yield* settleAll(host, [success(first), { ...failure(second), status: "failed", nextAttemptAt: null }])
      yield* equal("after one failed for good", yield* recover(other), 1)
      yield* equal("again", yield* recover(host), 0)
      yield* equal("in the log", (yield* logOf(host, endpoint)).length, 3)
      yield* equal("events", events.length, 2)
    }),
  },
  {
    id: "recover.failed.again",
    title: "MUST leave out an event with a delivery that succeeded or is pending, even if another one failed",
    requirements: ["D28", "D29"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const [received, waiting] = yield* happen(endpoint.shop, [0, 1])
      const claims = yield* claimed(host, someTime + 1)
      const of = (event: typeof received) => claimOf(claims, firstDeliveryId(event, endpoint))
      const forGood = (claim: Claim) => ({ ...failure(claim), status: "failed", nextAttemptAt: null }) as const
      yield* settleAll(host, [success(yield* of(received)), forGood(yield* of(waiting))])
      const later = { createdAt: someTime + minute, nextAttemptAt: someTime + minute }
      for (const event of [received, waiting]) yield* addDelivery(host, makeDelivery(event, endpoint, later))
      const again = [...(yield* claimed(host, someTime + minute)).values()].filter(
        ({ attempt, endpointId }) => attempt === 1 && endpointId === endpoint.id,
      )
      const resent = again.find(({ body }) => body === received.body)
      yield* settleAll(host, resent === undefined ? [] : [forGood(resent)])
      for (const by of [host, other]) {
        const recovery = { shop: endpoint.shop, since: 0, now: someTime + minute, run: unique(22) }
        yield* equal("how many", yield* by.queue.recover({ ...recovery, endpointId: endpoint.id }), 0)
        yield* equal("of another endpoint", yield* by.queue.recover({ ...recovery, endpointId: beside.id }), 0)
      }
      // Deliveries to other endpoints do not count for an endpoint added later.
      const late = yield* createEndpoint(endpoint.shop)
      const recovery = { shop: endpoint.shop, since: 0, now: someTime + minute, run: unique(22) }
      yield* equal("of an endpoint added later", yield* host.queue.recover({ ...recovery, endpointId: late.id }), 2)
    }),
  },
  {
    id: "recover.tests",
    ports: [ShopStore, EndpointStore, DeliveryQueue],
    title: "MUST leave out tests, and not treat a test's delivery as an event's",
    requirements: ["D28", "D30"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const sample = makeEvent(endpoint.shop, { test: true })
      yield* host.queue.add(makeDelivery(sample, beside), sample)
      yield* addTest(endpoint)
      yield* equal(
        "how many",
        yield* host.queue.recover({
          shop: endpoint.shop,
          endpointId: endpoint.id,
          since: 0,
          now: someTime,
          run: unique(22),
        }),
        0,
      )
    }),
  },
  {
    id: "recover.off",
    title: "MUST add missed events even to an endpoint that is switched off",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint(switchedOff)
      const [event] = yield* happen(endpoint.shop)
      yield* equal(
        "how many",
        yield* host.queue.recover({
          shop: endpoint.shop,
          endpointId: endpoint.id,
          since: 0,
          now: someTime,
          run: unique(22),
        }),
        1,
      )
      const [delivery] = yield* logOf(host, endpoint)
      yield* equal("the delivery", [delivery?.eventId, delivery?.status], [event?.id, "pending"])
    }),
  },
  {
    id: "recover.shops",
    title: "MUST add nothing of another shop's events, or to an endpoint that is another shop's or gone",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint({ kinds: ["design.created"] })
      const theirs = yield* newEndpoint({ id: mine.id })
      const [event] = yield* happen(mine.shop)
      const recover = (shop: string, id: string) =>
        host.queue.recover({ shop, endpointId: id, since: 0, now: someTime, run: unique(22) })
      yield* equal("theirs", yield* recover(theirs.shop, theirs.id), 0)
      const elsewhere = yield* newEndpoint()
      yield* equal("another shop's endpoint", yield* recover(mine.shop, elsewhere.id), 0)
      yield* equal("an endpoint that never existed", yield* recover(mine.shop, makeEndpoint(mine.shop).id), 0)
      // Deliveries to one are not deliveries to the other.
      yield* host.endpoints.update(mine.shop, mine.id, changing({ kinds: ["design.ordered"] }))
      yield* happen(theirs.shop, [0], { id: event.id })
      yield* equal("mine", yield* recover(mine.shop, mine.id), 1)
      yield* equal("theirs, which has received it", yield* recover(theirs.shop, theirs.id), 0)
      const kept = firstDelivery({ ...event, shop: theirs.shop }, theirs)
      yield* equal("their log", yield* logOf(host, theirs), [kept])
      yield* equal("the log of another", yield* logOf(host, elsewhere), [])
    }),
  },
])
