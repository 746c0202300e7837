import { Effect, Option } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, exactly } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  createEndpoint,
  failure,
  happen,
  hour,
  minute,
  newEndpoint,
  newWebhookShop,
  request,
  settleAll,
  success,
  switchOff,
} from "../support/Webhooks.ts"

/** Expects the time of the next claimable delivery on both hosts: long before it, at that instant, and after it. */
const isDue = Effect.fnUntraced(function* (what: string, due: Instant | null) {
  const times = due === null ? [0, someTime, someTime + hour] : [0, due - 1, due, due + 1, due + hour]
  for (const { queue } of yield* bothHosts) {
    for (const now of times) {
      const expected = due === null ? Option.none() : Option.some(Math.max(now, due))
      yield* equal(`${what}, ${now - someTime} later`, yield* queue.nextDue(now), expected)
    }
  }
})

/** The contract of `DeliveryQueue.nextDue`. */
export const nextDueCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "due.first",
    title:
      "MUST return when the first of all deliveries is due, `now` if one already is, and none if nothing is pending",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      yield* isDue("nothing waits", null)
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* isDue("nothing pending for two endpoints", null)
      const future = Date.UTC(2999, 0) - someTime
      yield* happen(one.shop, [future])
      yield* isDue("far in the future", someTime + future)
      yield* happen(two.shop, [5, 3, 4])
      yield* isDue("the first of another shop's", someTime + 3)
      yield* happen(one.shop, [-someTime])
      yield* isDue("in the past", 0)
      yield* host.endpoints.remove(one.shop, one.id)
      yield* isDue("without an endpoint that was removed", someTime + 3)
      yield* host.endpoints.remove(two.shop, two.id)
      yield* isDue("nothing pending any more", null)
    }),
  },
  {
    id: "due.retries",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    title: "MUST return when the first retry is due, `now` from then on, and since when the oldest is due",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const times = [7, 3, 9]
      yield* happen(
        endpoint.shop,
        times.map(() => 0),
      )
      const claims = yield* both[0].queue.claim(request())
      yield* settleAll(
        both[0],
        claims.map((claim, index) => failure(claim, someTime + (times[index] ?? 0))),
        (health) => health,
      )
      const first = someTime + 3 + minute
      yield* isDue("the first retry", first)
      for (const host of both) {
        const oldest = (now: number) => Effect.map(host.upkeep.statistics(now), ({ oldestDue }) => oldestDue)
        yield* equal("before it is due", yield* oldest(first - 1), null)
        yield* equal("when it is due", yield* oldest(first), first)
        yield* equal("later", yield* oldest(first + hour), first)
      }
    }),
  },
  {
    id: "due.lease",
    title: "MUST return the end of the lease for a claimed delivery, and its due time after a release",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { shop } = yield* newEndpoint()
      yield* happen(shop, [0])
      const claims = yield* other.queue.claim(request({ leaseUntil: someTime + 12_345 }))
      yield* isDue("while the lease runs", someTime + 12_345)
      yield* happen(shop, [20_000])
      yield* isDue("while another is due later", someTime + 12_345)
      yield* host.queue.release(claims)
      yield* isDue("when it was released", someTime)
      const again = yield* host.queue.claim(request({ leaseUntil: someTime + hour }))
      yield* isDue("while a lease runs beyond the next", someTime + 20_000)
      yield* settleAll(
        host,
        again.map((claim) => failure(claim, someTime + 100)),
      )
      yield* isDue("before the retry", someTime + 20_000)
      const next = yield* host.queue.claim(request({ now: someTime + 20_000, leaseUntil: someTime + 2 * hour }))
      yield* isDue("the retry", someTime + 100 + minute)
      const retry = yield* host.queue.claim(request({ now: someTime + 100 + minute }))
      yield* settleAll(
        host,
        [...next, ...retry].map((claim) => success(claim)),
      )
      yield* isDue("all have succeeded", null)
    }),
  },
  {
    id: "due.held",
    title:
      "MUST NOT count suspended deliveries: only tests of a switched-off endpoint, and the rest when it is turned on",
    requirements: ["D28", "D30"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 10])
      const [failing] = yield* exactly("the claims", 1, yield* host.queue.claim(request()))
      yield* settleAll(host, [failure(failing)], switchOff)
      yield* isDue("held", null)
      yield* addTest(endpoint, someTime + 99)
      yield* isDue("a test", someTime + 99)
      yield* host.endpoints.turnOn(endpoint.shop, endpoint.id)
      yield* isDue("turned on", someTime + 10)
    }),
  },
  {
    id: "due.flight",
    title: "MUST NOT count what a worker had claimed when its endpoint was switched off, even after the lease",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 1])
      const [failing] = yield* exactly("the claims", 2, yield* host.queue.claim(request({ now: someTime + 1 })))
      yield* settleAll(host, [{ ...failure(failing), status: "failed", nextAttemptAt: null }], switchOff)
      yield* isDue("while it is switched off", null)
      yield* host.endpoints.turnOn(endpoint.shop, endpoint.id)
      yield* isDue("when the lease ends, turned on", someTime + 1 + minute)
    }),
  },
  {
    id: "due.free",
    title: "MUST NOT count deliveries of a shop whose plan has no webhooks",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = yield* newWebhookShop()
      const endpoint = yield* createEndpoint(shop.id)
      const other = yield* newEndpoint()
      yield* happen(shop.id, [0])
      yield* addTest(endpoint)
      yield* host.shops.put({ ...shop, plan: "free" })
      yield* isDue("of a shop on the plan free", null)
      yield* happen(other.shop, [7])
      yield* isDue("of another shop", someTime + 7)
      yield* host.shops.put({ ...shop, plan: "plus" })
      yield* isDue("of a shop that has webhooks again", someTime)
    }),
  },
])
