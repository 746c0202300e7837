import { Effect } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import { DeliveryQueue, type NamedShops, type Walked } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly, holds } from "../../Assertion.ts"
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
  nothing,
  request,
  settleAll,
  success,
  switchOff,
} from "../support/Webhooks.ts"

/** Expects both hosts to find nothing before an instant, and one of them something at it; nothing ever for null. */
const isDue = Effect.fnUntraced(function* (what: string, due: Instant | null) {
  const both = yield* bothHosts
  for (const host of both) {
    for (const now of due === null ? [0, someTime, someTime + 3 * hour] : [due - 1]) {
      yield* nothing(`${what}, ${now - someTime} later`, host, now)
    }
  }
  if (due === null) return
  const claims = yield* both[0].queue.claim(request({ now: due }))
  yield* holds(`${what}, there is something`, claims.length > 0)
  yield* both[0].queue.release(claims)
})

const nowhere: NamedShops = { newcomer: [], troubled: [], proven: [] }

/** When deliveries can be claimed, and the walk that finds them (`DeliveryQueue.walk`). */
export const walkCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "due.first",
    title: "MUST find the first of all deliveries when it is due, and nothing before, or if nothing is pending",
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
    title: "MUST find the first retry when it is due, announce it before, and count since when the oldest is due",
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
      for (const { queue } of both) {
        const { nextDue } = yield* queue.walk({ now: first - 2, after: null, limit: 10 })
        yield* holds("announced", nextDue !== null && nextDue > first - 2 && nextDue <= first)
      }
      // Before a walk finds it.
      for (const host of both) {
        const oldest = (now: number) => Effect.map(host.upkeep.statistics(now), ({ oldestDue }) => oldestDue)
        yield* equal("before it is due", yield* oldest(first - 1), null)
        yield* equal("when it is due", yield* oldest(first), first)
        yield* equal("later", yield* oldest(first + hour), first)
      }
      yield* isDue("the first retry", first)
    }),
  },
  {
    id: "due.lease",
    title: "MUST find a claimed delivery when its lease ends, and at once after a release",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { shop } = yield* newEndpoint()
      yield* happen(shop, [0])
      yield* other.queue.claim(request({ leaseUntil: someTime + 12_345 }))
      yield* isDue("when the lease ends", someTime + 12_345)
      yield* happen(shop, [20_000])
      const claims = yield* other.queue.claim(request({ leaseUntil: someTime + 12_345 }))
      yield* nothing("while the lease runs", host, someTime + 12_344)
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
      "MUST NOT find suspended deliveries: only tests of a switched-off endpoint, and the rest when it is turned on",
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
      yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
      yield* isDue("turned on", someTime + 10)
    }),
  },
  {
    id: "due.flight",
    title: "MUST NOT find what a worker had claimed when its endpoint was switched off, even after the lease",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 1])
      const [failing] = yield* exactly("the claims", 2, yield* host.queue.claim(request({ now: someTime + 1 })))
      yield* settleAll(host, [{ ...failure(failing), status: "failed", nextAttemptAt: null }], switchOff)
      yield* isDue("while it is switched off", null)
      yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
      yield* isDue("when the lease ends, turned on", someTime + 1 + minute)
    }),
  },
  {
    id: "due.free",
    title: "MUST NOT find deliveries of a shop whose plan has no webhooks",
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
  {
    id: "walk.steps",
    title: "MUST name every shop with something to claim in a walk, whatever the size of its steps",
    requirements: ["D25", "D27"],
    run: Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const shops = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], () => newEndpoint())
      for (const { shop } of shops) yield* happen(shop, [0, 1, 2])
      const expected = new Set(shops.map(({ shop }) => shop))
      for (const limit of [1, 2, 3, 7, 100]) {
        const named: Array<string> = []
        let after: string | null = null
        let steps = 0
        do {
          const step: Walked = yield* queue.walk({ now: someTime, after, limit })
          named.push(...step.shops)
          after = step.after
          steps++
          yield* holds("the walk ends", steps <= 20)
        } while (after !== null)
        yield* equal(`in steps of ${limit}`, new Set(named), expected)
      }
    }),
  },
  {
    id: "walk.retries",
    title: "MUST name the shop of a retry in the first step after it is due, wherever the walk is",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const [host] = yield* bothHosts
      const endpoints = yield* Effect.forEach([1, 2, 3, 4], () => newEndpoint())
      const [first, ...others] = endpoints.toSorted((one, two) => (one.shop < two.shop ? -1 : 1))
      if (first === undefined) return
      yield* happen(first.shop)
      yield* settleAll(
        host,
        [...(yield* host.queue.claim(request()))].map((claim) => failure(claim, someTime)),
        (health) => health,
      )
      for (const { shop } of others) yield* happen(shop)
      const { after } = yield* queue.walk({ now: someTime, after: null, limit: 2 })
      const { shops } = yield* queue.walk({ now: someTime + minute, after, limit: 2 })
      yield* holds("the shop is named", shops.includes(first.shop))
    }),
  },
  {
    id: "claim.named",
    title: "MUST claim from the named shops only, for the standing for which they are named, the first one first",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      const [three, trouble] = [yield* newEndpoint(), yield* newEndpoint({ proven: false, troubled: true })]
      for (const { shop } of [one, two, three, trouble]) yield* happen(shop, [0, 1])
      const named = (limit: number, shops: Partial<NamedShops>) =>
        Effect.map(
          queue.claim({ ...request({ now: someTime + 1, limit }), shops: { ...nowhere, ...shops } }),
          (claims) => claims.map(({ shop }) => shop),
        )
      yield* equal("without a shop", yield* named(10, {}), [])
      const others = { newcomer: [one.shop, trouble.shop], troubled: [two.shop], proven: [trouble.shop] }
      yield* equal("for another standing", yield* named(10, others), [])
      yield* equal("the first", yield* named(1, { proven: [three.shop, one.shop] }), [three.shop])
      const both = yield* named(10, { proven: [three.shop, one.shop] })
      yield* equal("the rest of these", both.toSorted(), [one.shop, one.shop, three.shop].toSorted())
      const all = { newcomer: [], troubled: [trouble.shop], proven: [two.shop] }
      yield* equal("endpoints in trouble first", (yield* named(10, all)).slice(0, 1), [trouble.shop])
    }),
  },
])
