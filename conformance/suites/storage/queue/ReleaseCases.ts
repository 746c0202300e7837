import { Effect } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addTest,
  advance,
  bothHosts,
  claimed,
  claimOf,
  deliveryOn,
  endpointOn,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  minute,
  newEndpoint,
  request,
  settleAll,
  success,
  switchOff,
} from "../support/Webhooks.ts"

/** The contract of `DeliveryQueue.release`. */
export const releaseCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "release.at-once",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST make a delivery claimable at once, by any host, without counting an attempt",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const delivery = firstDelivery(event, endpoint)
      const first = yield* claimOf(yield* claimed(host), delivery.id)
      yield* other.queue.release([first])
      yield* equal("the delivery", yield* deliveryOn(host, delivery), delivery)
      yield* equal("the endpoint", yield* endpointOn(host, endpoint), endpoint)
      const second = yield* claimOf(yield* claimed(other), delivery.id)
      yield* equal("the number of the attempt", second.attempt, 1)
      yield* settleAll(other, [failure(second)])
      const third = yield* claimOf(yield* claimed(host, someTime + hour), delivery.id)
      yield* host.queue.release([third])
      const fourth = yield* claimOf(yield* claimed(host, someTime + hour), delivery.id)
      yield* equal("the number of the next attempt", [third.attempt, fourth.attempt], [2, 2])
    }),
  },
  {
    id: "release.some",
    title: "MUST release exactly the named claims",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 1, 2, 3])
      const claims = yield* host.queue.claim(request({ now: someTime + 10 }))
      yield* host.queue.release([])
      yield* equal("after none", (yield* claimed(host, someTime + 10)).size, 0)
      const [first, second] = yield* exactly("the claims", 4, claims)
      yield* host.queue.release([first, second])
      const again = yield* claimed(host, someTime + 10)
      yield* equal("the claims", [...again.keys()].toSorted(), [first.deliveryId, second.deliveryId].toSorted())
    }),
  },
  {
    id: "release.settle",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST NOT settle a released claim, or release a settled one",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const delivery = firstDelivery(event, endpoint)
      const released = yield* claimOf(yield* claimed(host), delivery.id)
      yield* host.queue.release([released])
      yield* equal("a settlement", yield* host.queue.settle([success(released)], advance), [false])
      yield* equal("the delivery", yield* deliveryOn(host, delivery), delivery)
      const failed = yield* claimOf(yield* claimed(host), delivery.id)
      yield* settleAll(host, [failure(failed)])
      yield* host.queue.release([failed])
      yield* equal("before the retry is due", (yield* claimed(host, someTime + minute - 1)).size, 0)
      const succeeded = yield* claimOf(yield* claimed(host, someTime + minute), delivery.id)
      yield* settleAll(host, [success(succeeded)])
      yield* host.queue.release([succeeded])
      yield* equal("after it succeeded", (yield* claimed(host, someTime + hour)).size, 0)
      yield* equal("its status", (yield* deliveryOn(host, delivery)).status, "succeeded")
    }),
  },
  {
    id: "release.old",
    title: "MUST NOT release what another worker has claimed meanwhile, or fail for deliveries that are gone",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const id = firstDeliveryId(event, endpoint)
      const old = yield* claimOf(yield* claimed(host), id)
      const current = yield* claimOf(yield* claimed(other, someTime + minute), id)
      yield* host.queue.release([old])
      yield* equal("while the second lease runs", (yield* claimed(host, someTime + minute)).size, 0)
      yield* settleAll(other, [failure(current, someTime + minute)])
      yield* host.endpoints.remove(endpoint.shop, endpoint.id)
      yield* host.queue.release([current])
      yield* equal("after it is gone", (yield* claimed(host, someTime + hour)).size, 0)
    }),
  },
  {
    id: "release.gone.beside",
    title: "MUST release the current claims of a call even if earlier ones in it are gone",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const [endpoint, removed] = [yield* newEndpoint(), yield* newEndpoint()]
      const [[event], [lost]] = [yield* happen(endpoint.shop), yield* happen(removed.shop)]
      const claims = yield* claimed(host)
      const gone = yield* claimOf(claims, firstDeliveryId(lost, removed))
      const kept = yield* claimOf(claims, firstDeliveryId(event, endpoint))
      yield* host.endpoints.remove(removed.shop, removed.id)
      yield* host.queue.release([gone, { ...kept, token: "another" }, kept])
      yield* equal("claimable deliveries", [...(yield* claimed(other)).keys()], [kept.deliveryId])
    }),
  },
  {
    id: "release.shops",
    title: "MUST release nothing of another shop, even a delivery with the same id claimed by the same call",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      const [event] = yield* happen(mine.shop)
      yield* happen(theirs.shop, [0], { id: event.id })
      const claims = yield* exactly("the claims", 2, yield* host.queue.claim(request()))
      yield* host.queue.release(claims.filter(({ shop }) => shop === mine.shop))
      const again = yield* other.queue.claim(request())
      yield* equal(
        "claimable deliveries",
        again.map(({ shop }) => shop),
        [mine.shop],
      )
    }),
  },
  {
    id: "release.off",
    title: "MUST suspend released deliveries of an endpoint that was switched off meanwhile, except tests",
    requirements: ["D28", "D30"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 0])
      const test = yield* addTest(endpoint)
      const claims = yield* claimed(host)
      const [failing, held] = yield* exactly(
        "the claims",
        2,
        yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      yield* settleAll(host, [failure(failing)], switchOff)
      yield* host.queue.release([held, yield* claimOf(claims, test.id)])
      yield* equal("while it is switched off", [...(yield* claimed(host)).keys()], [test.id])
      yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
      yield* equal("after it was turned on", [...(yield* claimed(host)).keys()], [held.deliveryId])
    }),
  },
])
