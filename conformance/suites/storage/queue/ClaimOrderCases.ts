import { Effect } from "effect"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  bothHosts,
  claimed,
  createEndpoint,
  failure,
  firstDeliveryId,
  happen,
  idsOf,
  minute,
  newEndpoint,
  newWebhookShop,
  nothing,
  perEndpoint,
  request,
  settleAll,
  turnOf,
} from "../support/Webhooks.ts"

/** The order in which `DeliveryQueue.claim` returns deliveries, of one endpoint and among endpoints. */
export const claimOrderCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "claim.longest",
    title: "MUST return the longest-due deliveries of an endpoint",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [7, 3, 9, 1, 5, 8, 2, 6, 4, 0])
      const oldestFirst = events.toSorted((left, right) => left.createdAt - right.createdAt)
      const ids = oldestFirst.map((event) => firstDeliveryId(event, endpoint))
      for (const at of [0, 1, 2]) {
        const claims = yield* turnOf([host, other], at).queue.claim(request({ now: someTime + 20, limit: 1 }))
        yield* equal("one", idsOf(claims), ids.slice(at, at + 1))
      }
      const three = yield* host.queue.claim(request({ now: someTime + 20, limit: 3 }))
      yield* equal("three", idsOf(three), ids.slice(3, 6).toSorted())
      const two = yield* host.queue.claim(request({ now: someTime + 20, perEndpoint: 2 }))
      yield* equal("two of the endpoint", idsOf(two), ids.slice(6, 8).toSorted())
    }),
  },
  {
    id: "claim.order",
    title: "MUST return an endpoint's deliveries by due time and then by id, in that order",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoints = [yield* newEndpoint(), yield* newEndpoint()]
      for (const endpoint of endpoints) {
        // Redeliveries and recoveries create many deliveries at one instant.
        const events = yield* happen(endpoint.shop, [3, 0, 3, 1, 3, 0, 2, 3, 3, 1])
        const expected = events
          .map((event) => ({ at: event.createdAt, id: firstDeliveryId(event, endpoint) }))
          .toSorted((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
          .map(({ id }) => id)
        const ids: Array<string> = []
        for (const [index, limit] of [1, 3, 4, 9].entries()) {
          const claims = yield* turnOf(both, index).queue.claim(request({ now: someTime + 10, limit }))
          ids.push(...claims.map(({ deliveryId }) => deliveryId))
        }
        yield* equal("the order", ids, expected)
      }
    }),
  },
  {
    id: "claim.order.ties",
    title: "MUST return deliveries due at one instant by id, if the endpoint's limit excludes some of them",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 0, 0, 0, 0, 0])
      const ids = events.map((event) => firstDeliveryId(event, endpoint)).toSorted()
      for (const at of [0, 1, 2]) {
        const claims = yield* turnOf(both, at).queue.claim(request({ perEndpoint: 2 }))
        yield* equal(
          `claim ${at}`,
          claims.map(({ deliveryId }) => deliveryId),
          ids.slice(2 * at, 2 * at + 2),
        )
      }
    }),
  },
  {
    id: "claim.order.lease",
    title:
      "MUST return an earlier-due delivery before a later-due one, even if it was claimed before and its lease ended",
    requirements: ["D27", "D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 1, 5_000, 20_000])
      const ids = events.map((event) => firstDeliveryId(event, endpoint))
      const first = yield* both[0].queue.claim(request({ now: someTime + 1, leaseUntil: someTime + 10_000 }))
      yield* equal(
        "first",
        first.map(({ deliveryId }) => deliveryId),
        ids.slice(0, 2),
      )
      const now = someTime + 20_000
      for (const [index, id] of ids.entries()) {
        const claims = yield* turnOf(both, index).queue.claim(request({ now, limit: 1 }))
        yield* equal(
          `claim ${index} after the lease`,
          claims.map(({ deliveryId }) => deliveryId),
          [id],
        )
      }
    }),
  },
  {
    id: "claim.order.retry",
    title: "MUST return due retries among other deliveries, by due time",
    requirements: ["D25", "D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const retried = yield* happen(endpoint.shop, [0, 1, 2])
      const claims = yield* claimed(host, someTime + 10)
      yield* settleAll(
        host,
        [...claims.values()].map((claim, index) => failure(claim, someTime + 100 * (index + 1))),
      )
      const fresh = yield* happen(endpoint.shop, [minute + 150, minute + 250, minute + 1_000])
      yield* nothing("before the retries", other, someTime + minute + 99)
      const at = [...retried.map((_, index) => minute + 100 * (index + 1)), minute + 150, minute + 250, minute + 1_000]
      const expected = [...retried, ...fresh]
        .map((event, index) => ({ at: at[index] ?? 0, id: firstDeliveryId(event, endpoint) }))
        .toSorted((left, right) => left.at - right.at)
      const found = yield* other.queue.claim(request({ now: someTime + 2 * minute }))
      yield* equal(
        "the order",
        found.map(({ deliveryId }) => deliveryId),
        expected.map(({ id }) => id),
      )
    }),
  },
  {
    id: "claim.order.many",
    title: "MUST return the longest-due first of hundreds of due retries",
    requirements: ["D25", "D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const instants = Array.from({ length: 300 }, (_, index) => index)
      yield* happen(endpoint.shop, instants)
      const claims = yield* host.queue.claim(request({ now: someTime + 300 }))
      yield* settleAll(
        host,
        claims.map((claim, index) => failure(claim, someTime + 1_000 + index)),
        (health) => health,
      )
      const expected = claims.map(({ deliveryId }) => deliveryId)
      const found: Array<string> = []
      for (const limit of [1, 3, 5]) {
        const next = yield* other.queue.claim(request({ now: someTime + 2 * minute, limit }))
        found.push(...next.map(({ deliveryId }) => deliveryId))
      }
      yield* equal("the first nine", found, expected.slice(0, 9))
    }),
  },
  {
    id: "claim.thousands",
    title: "MUST return thousands of retries due together once each, and another endpoint's delivery with the first",
    requirements: ["§6-20", "D25"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [endpoint, other] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* happen(
        endpoint.shop,
        Array.from({ length: 1_500 }, (_, index) => -index),
      )
      yield* happen(other.shop)
      const claims = yield* both[0].queue.claim(request({ limit: 1_501, perEndpoint: 1_500 }))
      yield* settleAll(
        both[0],
        claims.map((claim) => failure(claim, claim.shop === other.shop ? someTime + 1 : someTime)),
        (health) => health,
      )
      const now = someTime + minute + 1
      const first = yield* both[1].queue.claim(request({ now, limit: 64, perEndpoint: 8 }))
      yield* equal("of the other endpoint", perEndpoint(first).get(other.id), 1)
      const again = [...first]
      for (let round = 0; again.length < 1_501 && round < 20; round++) {
        again.push(...(yield* turnOf(both, round).queue.claim(request({ now, limit: 1_501, perEndpoint: 1_500 }))))
      }
      yield* equal("how many", [again.length, new Set(idsOf(again)).size], [1_501, 1_501])
    }),
  },
  {
    id: "claim.fair",
    title: "MUST serve every other endpoint while one has a thousand deliveries due",
    requirements: ["D28", "D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const busy = yield* newEndpoint()
      yield* happen(
        busy.shop,
        Array.from({ length: 1_000 }, (_, index) => -2_000 + index),
      )
      const others = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => newEndpoint({ createdAt: index }),
      )
      for (const round of [0, 1]) {
        for (const { shop } of others) yield* happen(shop)
        const asked = request({ limit: 28, perEndpoint: 8 })
        const counts = perEndpoint(yield* turnOf(both, round).queue.claim(asked))
        for (const { id } of others) yield* equal("of an endpoint with one", counts.get(id), 1)
        yield* equal("of the endpoint with a thousand", counts.get(busy.id), 8)
      }
    }),
  },
  {
    id: "claim.turns",
    title:
      "MUST start after the shop of the last claim, with the longest-due delivery, so that small claims serve all in turn",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* Effect.forEach([1, 2, 3], () => createEndpoint(shop))
      const elsewhere = yield* Effect.forEach([1, 2, 3], () => newEndpoint())
      const times = Array.from({ length: 12 }, (_, index) => index)
      yield* happen(shop, times)
      for (const endpoint of elsewhere) yield* happen(endpoint.shop, times)
      const served = Effect.fnUntraced(function* (claims: number, limit: number) {
        const all = yield* Effect.forEach(Array.from({ length: claims }), () =>
          host.queue.claim(request({ now: someTime + 20, limit, perEndpoint: 8 })),
        )
        return perEndpoint(all.flat())
      })
      for (const round of [1, 2, 3]) {
        const found = yield* served(4, 1)
        yield* equal(`each shop, round ${round}`, [...found.values()], [1, 1, 1, 1])
      }
      // After the three claims, each endpoint of the shop has equally overdue deliveries.
      yield* equal("each endpoint of the shop", (yield* served(12, 1)).size, 6)
      yield* equal("by claims of two", (yield* served(8, 2)).size, 6)
    }),
  },
  {
    id: "claim.turns.wrap",
    title: "MUST continue with the first endpoint after the last one, and fill a claim from all of them",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoints = yield* Effect.forEach([1, 2, 3, 4], () => newEndpoint())
      for (const { shop } of endpoints) yield* happen(shop, [0, 1, 2, 3, 4, 5])
      // Wherever a claim starts, it finds everything: 24 in total.
      const sizes: Array<number> = []
      for (const limit of [1, 5, 6, 3, 9, 5]) {
        const claims = yield* host.queue.claim(request({ now: someTime + 20, limit }))
        sizes.push(claims.length)
        const held = new Set(claims.map(({ deliveryId }) => deliveryId))
        yield* equal("no duplicates in a claim", held.size, claims.length)
      }
      yield* equal("the sizes of the claims", sizes, [1, 5, 6, 3, 9, 0])
    }),
  },
  {
    id: "claim.turns.cap",
    title: "MUST keep to each endpoint's limit wherever the turn starts",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoints = yield* Effect.forEach([1, 2, 3], () => newEndpoint())
      for (const { shop } of endpoints)
        yield* happen(
          shop,
          Array.from({ length: 30 }, (_, index) => index),
        )
      // If the turn is between them, a limit with room for all of them twice must not make it go around twice.
      for (const limit of [1, 100, 1, 6, 4, 6, 5, 6]) {
        const claims = yield* host.queue.claim(request({ now: someTime + 50, limit, perEndpoint: 2 }))
        yield* equal("how many", claims.length, Math.min(limit, 6))
        yield* holds(
          "at most two of each",
          [...perEndpoint(claims).values()].every((claims) => claims <= 2),
        )
      }
    }),
  },
  {
    id: "claim.turns.several",
    title: "MUST start after the shop at which the last claim ended, even if that claim wrapped around",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoints = yield* Effect.forEach([1, 2, 3, 4], () => newEndpoint())
      for (const { shop } of endpoints) yield* happen(shop, [0, 1, 2, 3, 4, 5])
      const served = new Map<string, number>()
      for (const _ of [1, 2, 3, 4]) {
        const claims = yield* host.queue.claim(request({ now: someTime + 10, limit: 3, perEndpoint: 1 }))
        for (const { shop } of claims) served.set(shop, (served.get(shop) ?? 0) + 1)
      }
      yield* equal("claims served per shop", [...served.values()], [3, 3, 3, 3])
    }),
  },
])
