import { Effect } from "effect"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import type { Claim } from "../../core/ports/DeliveryQueue.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { equal, exactly } from "../Assertion.ts"
import { someTime } from "./Fixtures.ts"
import { calling } from "./StorageCase.ts"
import {
  addEndpoint,
  addTest,
  bothHosts,
  claimed,
  endpointOn,
  failure,
  firstDeliveryId,
  type Host,
  happen,
  idsOf,
  makeAttempt,
  newEndpoint,
  newWebhookShop,
  perEndpoint,
  request,
  settleAll,
  settlement,
  success,
  switchedOff,
  turnOf,
} from "./Webhooks.ts"

const unproven = { proven: false }

/** So many instants, one after the other. */
const instants = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index)

/** The numbers of claims that a worker of 64 slots makes. */
const shares = { limit: 64, perShop: 32, perEndpoint: 8, unproven: { limit: 32, perEndpoint: 1 } }

const now = someTime + 1_000

const shopsOf = (claims: ReadonlyArray<Claim>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { shop } of claims) counts.set(shop, (counts.get(shop) ?? 0) + 1)
  return counts
}

/** Claims one delivery of an endpoint that has many, and settles it. What else was claimed is released. */
const attemptOne = Effect.fnUntraced(function* (
  host: Host,
  endpoint: EndpointRecord,
  settle: (claim: Claim) => ReturnType<typeof failure>,
) {
  const claims = yield* host.queue.claim(request({ now }))
  const [first] = claims.filter(({ endpointId }) => endpointId === endpoint.id)
  yield* host.queue.release(claims.filter((claim) => claim !== first))
  if (first !== undefined) yield* settleAll(host, [settle(first)])
})

/** What `DeliveryQueue.claim` promises of the shares that shops and endpoints have (D45). */
export const claimShareCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "claim.share.shop",
    title:
      "MUST hand out at most the given number of each shop, those included that the worker has under way, evenly over its endpoints",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const endpoints = yield* Effect.forEach([1, 2, 3, 4], () => addEndpoint(shop))
      const other = yield* newEndpoint()
      yield* happen(shop, instants(40))
      yield* happen(other.shop, instants(3))
      const [first] = endpoints
      const counts = (claims: ReadonlyArray<Claim>) => endpoints.map(({ id }) => perEndpoint(claims).get(id) ?? 0)

      const claims = yield* both[0].queue.claim(request({ ...shares, now, perShop: 8 }))
      yield* equal("of each endpoint", counts(claims), [2, 2, 2, 2])
      yield* equal("of the other shop", shopsOf(claims).get(other.shop), 3)

      const busy = first === undefined ? [] : [{ shop, endpointId: first.id, attempts: 5 }]
      const more = yield* both[1].queue.claim(request({ ...shares, now, perShop: 14, busy }))
      yield* equal("where one has five under way", counts(more), [0, 3, 3, 3])

      const full = endpoints.map(({ id }) => ({ shop, endpointId: id, attempts: 2 }))
      for (const perShop of [7, 8]) {
        const none = yield* both[0].queue.claim(request({ ...shares, now, perShop, busy: full }))
        yield* equal("of a shop that has its share under way", none, [])
      }
    }),
  },
  {
    id: "claim.share.unproven",
    title:
      "MUST hand out of an endpoint that is not proven as many as are given for such, and of all of them together as many as are given for them",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const doubtful = yield* Effect.forEach(instants(6), () => newEndpoint(unproven))
      const proven = yield* newEndpoint()
      for (const { shop } of [...doubtful, proven]) yield* happen(shop, instants(5))
      const test = yield* addTest(yield* newEndpoint(switchedOff))
      const asked = (limit: number, perEndpoint: number) => ({ ...shares, now, unproven: { limit, perEndpoint } })
      const ofProven = (claims: ReadonlyArray<Claim>) => perEndpoint(claims).get(proven.id) ?? 0

      const four = yield* both[0].queue.claim(request(asked(4, 1)))
      yield* equal("at once", [...perEndpoint(four).values()].toSorted(), [1, 1, 1, 1, 5])
      yield* equal(
        "whether each is proven",
        new Set(four.map((claim) => claim.proven === (claim.endpointId === proven.id))),
        new Set([true]),
      )
      const rest = yield* both[0].queue.claim(request(asked(4, 1)))
      yield* equal("each in turn", new Set([...four, ...rest].map(({ endpointId }) => endpointId)).size, 8)
      yield* equal(
        "a test of one that is switched off",
        [...four, ...rest].some((claim) => claim.deliveryId === test.id),
        true,
      )

      const busy = doubtful.map(({ id, shop }) => ({ shop, endpointId: id, attempts: 1 }))
      yield* equal("of those that are under way", yield* both[1].queue.claim(request({ ...asked(32, 1), busy })), [])
      yield* equal("of no such endpoint", yield* both[1].queue.claim(request(asked(0, 1))), [])
      const two = yield* both[1].queue.claim(request(asked(32, 2)))
      yield* equal("two of each", [...perEndpoint(two).values()], [2, 2, 2, 2, 2, 2])
      yield* equal("none of the other, which has no more", ofProven(two), 0)
    }),
  },
  {
    id: "claim.share.rounds",
    title:
      "MUST fill a claim up to its limit, and no further, from few shops that have many endpoints which are not proven",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      for (const limit of [5, 7]) {
        const shops = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
        for (const shop of shops) {
          yield* Effect.forEach([1, 2, 3, 4], () => addEndpoint(shop, unproven))
          yield* happen(shop)
        }
        const all = { ...shares, now, unproven: { limit: 100, perEndpoint: 1 } }
        yield* equal("within the limit of all", (yield* host.queue.claim(request({ ...all, limit }))).length, limit)
        yield* equal("the rest", (yield* host.queue.claim(request(all))).length, 8 - limit)
      }
      for (const shop of [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]) {
        yield* Effect.forEach([1, 2, 3, 4], () => addEndpoint(shop, unproven))
        yield* happen(shop)
      }
      const few = { ...shares, now, unproven: { limit: 5, perEndpoint: 1 } }
      yield* equal("within theirs", (yield* host.queue.claim(request(few))).length, 5)
    }),
  },
  {
    id: "claim.share.shop.mixed",
    title: "MUST count what is handed out of a shop's endpoints that are not proven as part of what the shop may have",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* addEndpoint(shop, unproven)
      yield* addEndpoint(shop)
      yield* happen(shop, instants(6))
      const claims = yield* host.queue.claim(
        request({ ...shares, now, perShop: 3, unproven: { limit: 10, perEndpoint: 1 } }),
      )
      yield* equal("how many", claims.length, 3)
      yield* equal("of the one that is not proven", claims.filter(({ proven }) => !proven).length, 1)
    }),
  },
  {
    id: "claim.share.moved",
    title: "MUST keep to the number of an endpoint that has just become proven, of which very much is due",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint(unproven)
      yield* happen(endpoint.shop, instants(80))
      const one = { ...shares, now, unproven: { limit: 10, perEndpoint: 1 } }
      const [first] = yield* exactly("the first", 1, yield* host.queue.claim(request(one)))
      yield* settleAll(host, [success(first, now)])
      const claims = yield* host.queue.claim(request({ ...one, perEndpoint: 2 }))
      yield* equal("how many", claims.length, 2)
    }),
  },
  {
    id: "claim.share.busy.shops",
    title: "MUST NOT take what is under way at an endpoint for what is under way at one of the same id in another shop",
    requirements: ["§5-3", "D9", "D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      for (const { shop } of [mine, theirs]) yield* happen(shop, instants(3))
      const busy = [{ shop: mine.shop, endpointId: mine.id, attempts: 2 }]
      const claims = yield* host.queue.claim(request({ ...shares, now, perEndpoint: 2, busy }))
      yield* equal(
        "whose they are",
        claims.map(({ shop }) => shop),
        [theirs.shop, theirs.shop],
      )
    }),
  },
  {
    id: "claim.share.none",
    title:
      "MUST hand out nothing of an endpoint that is proven where none is asked of such, and of the others all the same",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [proven, doubtful] = [yield* newEndpoint(), yield* newEndpoint(unproven)]
      for (const { shop } of [proven, doubtful]) yield* happen(shop, instants(3))
      const none = yield* both[0].queue.claim(request({ ...shares, now, perEndpoint: 0 }))
      yield* equal("of each endpoint", [...perEndpoint(none)], [[doubtful.id, 1]])
      const rest = yield* both[1].queue.claim(request({ ...shares, now, unproven: { limit: 0, perEndpoint: 1 } }))
      yield* equal("what is left to the other host", [...perEndpoint(rest)], [[proven.id, 3]])
    }),
  },
  {
    id: "claim.share.kept",
    title: "MUST serve an endpoint that is proven while hundreds that are not have deliveries due, and they beside it",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shops = yield* Effect.forEach(instants(60), () => newWebhookShop())
      for (const { id } of shops) {
        yield* Effect.forEach(instants(5), () => addEndpoint(id, unproven))
        yield* happen(id, instants(4))
      }
      const proven = yield* newEndpoint()
      yield* happen(proven.shop, instants(20, 500))
      for (const round of [0, 1]) {
        const claims = yield* turnOf(both, round).queue.claim(request({ ...shares, now }))
        yield* equal("of the proven one", perEndpoint(claims).get(proven.id), 8)
        yield* equal("of the others", claims.length, 40)
        yield* equal("one of each shop", [...new Set(shopsOf(claims).values())].toSorted(), [1, 8])
      }
      // Those of one slot are first even where there is only one to give, and the proven one is next.
      const [one] = yield* both[0].queue.claim(request({ ...shares, now, limit: 1 }))
      yield* equal("the first", one?.proven, false)
      const next = yield* both[0].queue.claim(
        request({ ...shares, now, limit: 1, unproven: { limit: 0, perEndpoint: 1 } }),
      )
      yield* equal("the next", idsOf(next).length, 1)
      yield* equal("is of the proven one", next[0]?.endpointId, proven.id)
    }),
  },
  {
    id: "claim.share.turns",
    title: "MUST take shops in turn for endpoints that are not proven, and for those that are, each by itself",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoints: Array<EndpointRecord> = []
      for (const { id } of [yield* newWebhookShop(), yield* newWebhookShop()]) {
        endpoints.push(yield* addEndpoint(id), yield* addEndpoint(id, unproven))
        yield* happen(id, instants(10))
      }
      for (const round of [1, 2]) {
        const found: Array<Claim> = []
        for (const _ of instants(2)) {
          const asked = { ...shares, now, limit: 2, unproven: { limit: 1, perEndpoint: 8 } }
          found.push(...(yield* host.queue.claim(request(asked))))
        }
        const counts = endpoints.map(({ id }) => perEndpoint(found).get(id) ?? 0)
        yield* equal(`of each endpoint in round ${round}`, counts, [1, 1, 1, 1])
      }
    }),
  },
  {
    id: "claim.share.recovered",
    title: "MUST serve an endpoint that has become proven, though no more may be claimed of those that are not",
    requirements: ["D45"],
    rounds: 5,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint(unproven)
      yield* happen(endpoint.shop, instants(150))
      yield* happen((yield* newEndpoint(unproven)).shop, instants(5))
      yield* attemptOne(both[0], endpoint, (claim) => success(claim, now))
      for (let left = 149, round = 0; left > 0; left -= 8, round++) {
        const host = turnOf(both, round)
        const asked = { ...shares, now, unproven: { limit: 0, perEndpoint: 1 } }
        const claims = yield* host.queue.claim(request(asked))
        yield* equal("of each endpoint", [...perEndpoint(claims)], [[endpoint.id, Math.min(left, 8)]])
        yield* settleAll(
          host,
          claims.map((claim) => success(claim, now)),
        )
      }
    }),
  },
  {
    id: "claim.share.slow",
    title:
      "MUST give an endpoint one slot from a failure or a slow success on, and all of them from a prompt success on",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint(unproven)
      yield* happen(endpoint.shop, instants(300))
      const slow = (claim: Claim) => settlement(claim, makeAttempt(claim, now, { statusCode: 200, durationMs: 2_000 }))
      const open = Effect.fnUntraced(function* (host: Host) {
        const claims = yield* host.queue.claim(request({ ...shares, now }))
        yield* host.queue.release(claims)
        return claims.length
      })
      for (const [index, [settle, expected]] of (
        [
          [(claim: Claim) => success(claim, now), 8],
          [(claim: Claim) => failure(claim, now), 1],
          [slow, 1],
          [(claim: Claim) => success(claim, now), 8],
          [slow, 1],
          [(claim: Claim) => success(claim, now), 8],
        ] as const
      ).entries()) {
        yield* attemptOne(turnOf(both, index), endpoint, settle)
        yield* equal(`slots after attempt ${index}`, yield* open(turnOf(both, index + 1)), expected)
        yield* equal("whether it is proven", (yield* endpointOn(both[0], endpoint)).proven, expected === 8)
      }
    }),
  },
  {
    id: "claim.share.order",
    title:
      "MUST hand out of an endpoint what has been due for longest, though some of it came before and some after the endpoint was proven or no longer so",
    requirements: ["D28", "D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const before = yield* happen(endpoint.shop, instants(100, 200))
      yield* attemptOne(both[0], endpoint, (claim) => failure(claim, now))
      const meanwhile = yield* happen(endpoint.shop, [...instants(50, 100), ...instants(50, 300)])
      yield* attemptOne(both[1], endpoint, (claim) => failure(claim, now))
      const ids = [...before, ...meanwhile]
        .toSorted((left, right) => left.createdAt - right.createdAt)
        // The first of each was attempted, and is due again in a minute.
        .filter((event) => event !== before[0] && event !== meanwhile[0])
        .map((event) => firstDeliveryId(event, endpoint))
      const found: Array<string> = []
      const take = Effect.fnUntraced(function* (host: Host) {
        const claims = yield* host.queue.claim(request({ ...shares, now }))
        found.push(...claims.map(({ deliveryId }) => deliveryId))
        return claims
      })
      for (const round of instants(5)) yield* take(turnOf(both, round))
      yield* equal("while it is not proven", found, ids.slice(0, 5))
      const [claim] = yield* take(both[0])
      if (claim !== undefined) yield* settleAll(both[0], [success(claim, now)])
      const after = yield* happen(endpoint.shop, instants(20, 400))
      for (let round = 0; found.length < ids.length && round < 100; round++) yield* take(turnOf(both, round))
      const all = [...ids, ...after.map((event) => firstDeliveryId(event, endpoint))]
      yield* equal("all of it", found, all.slice(0, found.length))
      yield* equal("nothing is left", (yield* claimed(both[1], now)).size, all.length - found.length)
    }),
  },
])
