import { Effect } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, pausing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  deliveryOn,
  failure,
  firstDelivery,
  type Host,
  happen,
  hour,
  idsOf,
  minute,
  newEndpoint,
  newWebhookShop,
  nothing,
  request,
  settleAll,
  success,
  switchedOff,
} from "../support/Webhooks.ts"

/** A delivery of a new endpoint that waits for its second attempt, a minute after {@link someTime}. */
const waiting = Effect.fnUntraced(function* (host: Host) {
  const endpoint = yield* newEndpoint()
  const [event] = yield* happen(endpoint.shop)
  const delivery = firstDelivery(event, endpoint)
  const claims = yield* claimed(host)
  yield* settleAll(host, [failure(yield* claimOf(claims, delivery.id))])
  const { endpointId, id, shop } = delivery
  const tried = (by: Host, now: number) => by.queue.tryNow({ shop, endpointId, id, now })
  return { endpoint, event, delivery, tried }
})

/** The contract of `DeliveryQueue.tryNow`. */
export const tryNowCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "try.due",
    title: "MUST make a delivery that waits for a retry due at once, for any host, and change nothing else",
    requirements: ["D25", "D29"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { delivery, endpoint, tried } = yield* waiting(host)
      const [beside] = yield* happen(endpoint.shop, [1])
      const before = yield* deliveryOn(host, delivery)
      yield* nothing("before", host, someTime)
      yield* equal("the outcome", yield* tried(other, someTime + 1), "due")
      yield* equal("the delivery", yield* deliveryOn(host, delivery), { ...before, nextAttemptAt: someTime + 1 })
      const claims = yield* claimed(host, someTime + 1)
      yield* equal("claims", idsOf(claims.values()), [delivery.id, firstDelivery(beside, endpoint).id].toSorted())
      yield* equal("the attempt", (yield* claimOf(claims, delivery.id)).attempt, 2)
    }),
  },
  {
    id: "try.named",
    title: "MUST let a claim that names its shop find it at once, without a walk",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const { delivery, tried } = yield* waiting(host)
      const shops = { newcomer: [delivery.shop], troubled: [delivery.shop], proven: [delivery.shop] }
      const queue = yield* DeliveryQueue
      const now = someTime + 1
      yield* equal("before", yield* queue.claim({ ...request({ now }), shops }), [])
      yield* tried(host, now)
      yield* equal("after", idsOf(yield* queue.claim({ ...request({ now }), shops })), [delivery.id])
    }),
  },
  {
    id: "try.schedule",
    title: "MUST leave the retry schedule as it is: the attempt's number and the wait after it",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const { delivery, tried } = yield* waiting(host)
      const now = someTime + 1000
      yield* tried(host, now)
      yield* settleAll(host, [failure(yield* claimOf(yield* claimed(host, now), delivery.id), now)])
      const after = yield* deliveryOn(host, delivery)
      yield* equal("its attempts", after.attempts.length, 2)
      yield* equal("the next one", after.nextAttemptAt, now + 5 * minute)
      yield* nothing("at the time of the retry that was tried", host, someTime + minute)
    }),
  },
  {
    id: "try.already-due",
    title: "MUST leave a delivery that is due already in its place",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const { endpointId, id, shop } = firstDelivery(event, endpoint)
      yield* equal("the outcome", yield* host.queue.tryNow({ shop, endpointId, id, now: someTime + hour }), "due")
      yield* equal("it", yield* deliveryOn(host, firstDelivery(event, endpoint)), firstDelivery(event, endpoint))
      yield* equal("claims", (yield* claimed(host)).size, 1)
    }),
  },
  {
    id: "try.under-way",
    title: "MUST change nothing while an attempt is under way, so that it is settled as claimed",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { delivery, tried } = yield* waiting(host)
      const now = someTime + minute
      const claims = yield* claimed(host, now)
      yield* equal("the outcome", yield* tried(other, now + 1), "under_way")
      yield* nothing("beside the claim", other, now + 1)
      yield* settleAll(host, [success(yield* claimOf(claims, delivery.id), now + 2)])
      yield* equal("its state", (yield* deliveryOn(other, delivery)).status, "succeeded")
    }),
  },
  {
    id: "try.finished",
    title: "MUST change nothing about a delivery that is finished, dropped, another endpoint's, or not there",
    requirements: ["§5-3", "D9", "D31"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const { delivery, endpoint, event, tried } = yield* waiting(host)
      const beside = yield* createEndpoint(endpoint.shop)
      const stranger = yield* newEndpoint({ id: endpoint.id })
      const now = someTime + 1
      const of = (shop: string, endpointId: string, id: string) => host.queue.tryNow({ shop, endpointId, id, now })
      yield* equal("of another endpoint", yield* of(endpoint.shop, beside.id, delivery.id), "unknown")
      yield* equal("of another shop", yield* of(stranger.shop, stranger.id, delivery.id), "unknown")
      yield* equal("that never existed", yield* of(endpoint.shop, endpoint.id, "dlv_none"), "unknown")
      yield* nothing("after that", host, now)
      yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["order.cancelled"] }))
      yield* equal("dropped", yield* tried(host, now), "finished")
      yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["design.ordered"] }))
      const again = { ...delivery, id: `${delivery.id}again`, createdAt: now, nextAttemptAt: now }
      yield* host.queue.add(again, null)
      yield* settleAll(host, [success(yield* claimOf(yield* claimed(host, now), again.id), now)])
      yield* equal("delivered", yield* of(again.shop, again.endpointId, again.id), "finished")
      yield* equal("its event", again.eventId, event.id)
      yield* nothing("after that", host, now + hour)
    }),
  },
  {
    id: "try.suspended",
    title: "MUST change nothing while the endpoint is off or paused or the plan lacks webhooks, except for a test",
    requirements: ["D8", "D28", "D51"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { delivery, endpoint, tried } = yield* waiting(host)
      const before = yield* deliveryOn(host, delivery)
      const now = someTime + 1
      yield* host.endpoints.update(endpoint.shop, endpoint.id, pausing(someTime))
      yield* equal("while it is paused", yield* tried(other, now), "suspended")
      yield* equal("the delivery", yield* deliveryOn(host, delivery), before)
      const test = yield* addTest(endpoint)
      const testTrial = { shop: test.shop, endpointId: test.endpointId, id: test.id, now }
      yield* equal("a test", yield* host.queue.tryNow(testTrial), "due")
      yield* settleAll(host, [success(yield* claimOf(yield* claimed(host, now), test.id), now)])
      yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
      yield* nothing("once it is on", host, now)
      yield* equal("once it is on", yield* tried(other, now), "due")
      const off = yield* newEndpoint(switchedOff)
      const shop = yield* newWebhookShop()
      const free = yield* createEndpoint(shop.id)
      const [event] = yield* happen(shop.id)
      yield* host.shops.put({ ...shop, plan: "free" })
      const { endpointId, id } = firstDelivery(event, free)
      yield* equal("without webhooks", yield* host.queue.tryNow({ shop: shop.id, endpointId, id, now }), "suspended")
      const [held] = yield* happen(off.shop)
      const waits = { ...firstDelivery(held, off), id: "dlv_waits" }
      yield* host.queue.add(waits, null)
      const offTrial = { shop: off.shop, endpointId: off.id, id: waits.id, now }
      yield* equal("while it is off", yield* host.queue.tryNow(offTrial), "suspended")
      yield* equal("claims", idsOf((yield* claimed(host, now)).values()), [delivery.id])
    }),
  },
  {
    id: "try.race",
    title: "MUST add exactly one attempt, however many trials and claims of several hosts there are at once",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const { delivery, tried } = yield* waiting(both[0])
      const now = someTime + 1
      const attempts = Array.from({ length: 6 }, () =>
        both.flatMap((host) => [
          Effect.as(tried(host, now), []),
          Effect.map(host.queue.claim(request({ now })), (claims) => claims.map((claim) => claim)),
        ]),
      ).flat()
      const racing = (yield* Effect.all(attempts, { concurrency: "unbounded" })).flat()
      const [claim] = yield* exactly("claims", 1, [...racing, ...(yield* claimed(both[0], now)).values()])
      yield* equal("its number", [claim.deliveryId, claim.attempt], [delivery.id, 2])
      for (const host of both) yield* equal("a late trial", yield* tried(host, now), "under_way")
      yield* settleAll(both[1], [failure(claim, now)])
      yield* nothing("after the attempt", both[0], now + minute)
      yield* equal("attempts", (yield* deliveryOn(both[0], delivery)).attempts.length, 2)
    }),
  },
])
