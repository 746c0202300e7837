import { Effect } from "effect"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import type { Claim } from "../../../../core/ports/DeliveryQueue.ts"
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
  bothHosts,
  claimed,
  createEndpoint,
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
  switchOff,
  turnOf,
} from "../support/Webhooks.ts"

const probation = { proven: false, troubled: true }

/** Never tried, or failed once after a success. */
const newcomer = { proven: false, troubled: false }

/** This many consecutive instants. */
const instants = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index)

/** The limits with which a worker of 64 slots claims. */
const shares = { limit: 64, perShop: 32, perEndpoint: 8, probation: { limit: 32, troubled: 32, perEndpoint: 1 } }

const now = someTime + 1_000

const shopsOf = (claims: ReadonlyArray<Claim>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { shop } of claims) counts.set(shop, (counts.get(shop) ?? 0) + 1)
  return counts
}

/** Claims one delivery of an endpoint that has many, and settles it. Releases the other claims. */
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

/** The only claim of an endpoint that is not proven. */
const firstClaim = Effect.fnUntraced(function* (host: Host) {
  const [claim] = yield* exactly("the claim", 1, yield* host.queue.claim(request({ ...shares, now })))
  return claim
})

/** The shares of shops and endpoints in `DeliveryQueue.claim` (D45). */
export const claimShareCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "claim.share.shop",
    title: "MUST return at most the given number per shop, attempts under way included, spread over its endpoints",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const endpoints = yield* Effect.forEach([1, 2, 3, 4], () => createEndpoint(shop))
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
      yield* equal("if one has five under way", counts(more), [0, 3, 3, 3])

      const full = endpoints.map(({ id }) => ({ shop, endpointId: id, attempts: 2 }))
      for (const perShop of [7, 8]) {
        const none = yield* both[0].queue.claim(request({ ...shares, now, perShop, busy: full }))
        yield* equal("of a shop that has its share under way", none, [])
      }
    }),
  },
  {
    id: "claim.share.unproven",
    title: "MUST limit deliveries for each endpoint on probation, and for all of them together",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const doubtful = yield* Effect.forEach(instants(6), () => newEndpoint(probation))
      const proven = yield* newEndpoint()
      for (const { shop } of [...doubtful, proven]) yield* happen(shop, instants(5))
      const test = yield* addTest(yield* newEndpoint(switchedOff))
      const asked = (limit: number, perEndpoint: number) => ({
        ...shares,
        now,
        probation: { limit, troubled: limit, perEndpoint },
      })
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
        "a test of a switched-off endpoint",
        [...four, ...rest].some((claim) => claim.deliveryId === test.id),
        true,
      )

      const busy = doubtful.map(({ id, shop }) => ({ shop, endpointId: id, attempts: 1 }))
      yield* equal(
        "of endpoints with attempts under way",
        yield* both[1].queue.claim(request({ ...asked(32, 1), busy })),
        [],
      )
      yield* equal("with a limit of 0", yield* both[1].queue.claim(request(asked(0, 1))), [])
      const two = yield* both[1].queue.claim(request(asked(32, 2)))
      yield* equal("two of each", [...perEndpoint(two).values()], [2, 2, 2, 2, 2, 2])
      yield* equal("none of the other, which has no more", ofProven(two), 0)
    }),
  },
  {
    id: "claim.share.rounds",
    title: "MUST fill a claim exactly up to its limit from few shops that have many endpoints on probation",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      for (const limit of [5, 7]) {
        const shops = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
        for (const shop of shops) {
          yield* Effect.forEach([1, 2, 3, 4], () => createEndpoint(shop, probation))
          yield* happen(shop)
        }
        const all = { ...shares, now, probation: { limit: 100, troubled: 100, perEndpoint: 1 } }
        yield* equal("within the limit of all", (yield* host.queue.claim(request({ ...all, limit }))).length, limit)
        yield* equal("the rest", (yield* host.queue.claim(request(all))).length, 8 - limit)
      }
      for (const shop of [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]) {
        yield* Effect.forEach([1, 2, 3, 4], () => createEndpoint(shop, probation))
        yield* happen(shop)
      }
      const few = { ...shares, now, probation: { limit: 5, troubled: 5, perEndpoint: 1 } }
      yield* equal("within theirs", (yield* host.queue.claim(request(few))).length, 5)
    }),
  },
  {
    id: "claim.share.shop.mixed",
    title: "MUST count deliveries of a shop's endpoints on probation as part of the shop's share",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* createEndpoint(shop, probation)
      yield* createEndpoint(shop)
      yield* happen(shop, instants(6))
      const claims = yield* host.queue.claim(
        request({ ...shares, now, perShop: 3, probation: { limit: 10, troubled: 10, perEndpoint: 1 } }),
      )
      yield* equal("how many", claims.length, 3)
      yield* equal("of the endpoint on probation", claims.filter(({ proven }) => !proven).length, 1)
    }),
  },
  {
    id: "claim.share.moved",
    title: "MUST keep to the limit of an endpoint that has just become proven and has very many deliveries due",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint(probation)
      yield* happen(endpoint.shop, instants(80))
      const one = { ...shares, now, probation: { limit: 10, troubled: 10, perEndpoint: 1 } }
      const [first] = yield* exactly("the first", 1, yield* host.queue.claim(request(one)))
      yield* settleAll(host, [success(first, now)])
      const claims = yield* host.queue.claim(request({ ...one, perEndpoint: 2 }))
      yield* equal("how many", claims.length, 2)
    }),
  },
  {
    id: "claim.share.busy.shops",
    title: "MUST NOT confuse attempts under way at endpoints with the same id in two shops",
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
    title: "MUST return nothing of proven endpoints if none are requested, and still return the others",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [proven, doubtful] = [yield* newEndpoint(), yield* newEndpoint(probation)]
      for (const { shop } of [proven, doubtful]) yield* happen(shop, instants(3))
      const none = yield* both[0].queue.claim(request({ ...shares, now, perEndpoint: 0 }))
      yield* equal("of each endpoint", [...perEndpoint(none)], [[doubtful.id, 1]])
      const rest = yield* both[1].queue.claim(
        request({ ...shares, now, probation: { limit: 0, troubled: 0, perEndpoint: 1 } }),
      )
      yield* equal("left for the other host", [...perEndpoint(rest)], [[proven.id, 3]])
    }),
  },
  {
    id: "claim.share.kept",
    title: "MUST serve a proven endpoint while hundreds on probation have deliveries due, and serve those as well",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shops = yield* Effect.forEach(instants(60), () => newWebhookShop())
      for (const { id } of shops) {
        yield* Effect.forEach(instants(5), () => createEndpoint(id, probation))
        yield* happen(id, instants(4))
      }
      const proven = yield* newEndpoint()
      yield* happen(proven.shop, instants(20, 500))
      for (const round of [0, 1]) {
        const claims = yield* turnOf(both, round).queue.claim(request({ ...shares, now }))
        yield* equal("of the proven endpoint", perEndpoint(claims).get(proven.id), 8)
        yield* equal("of the others", claims.length, 40)
        yield* equal("one of each shop", [...new Set(shopsOf(claims).values())].toSorted(), [1, 8])
      }
      // Endpoints with one slot come first even if only one delivery may be returned, and the proven one is next.
      const [one] = yield* both[0].queue.claim(request({ ...shares, now, limit: 1 }))
      yield* equal("the first", one?.proven, false)
      const next = yield* both[0].queue.claim(
        request({ ...shares, now, limit: 1, probation: { limit: 0, troubled: 0, perEndpoint: 1 } }),
      )
      yield* equal("the next", idsOf(next).length, 1)
      yield* equal("is of the proven endpoint", next[0]?.endpointId, proven.id)
    }),
  },
  {
    id: "claim.share.turns",
    title: "MUST serve shops in turn, separately for endpoints on probation and for proven ones",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoints: Array<EndpointRecord> = []
      for (const { id } of [yield* newWebhookShop(), yield* newWebhookShop()]) {
        endpoints.push(yield* createEndpoint(id), yield* createEndpoint(id, probation))
        yield* happen(id, instants(10))
      }
      for (const round of [1, 2]) {
        const found: Array<Claim> = []
        for (const _ of instants(2)) {
          const asked = { ...shares, now, limit: 2, probation: { limit: 1, troubled: 1, perEndpoint: 8 } }
          found.push(...(yield* host.queue.claim(request(asked))))
        }
        const counts = endpoints.map(({ id }) => perEndpoint(found).get(id) ?? 0)
        yield* equal(`of each endpoint in round ${round}`, counts, [1, 1, 1, 1])
      }
    }),
  },
  {
    id: "claim.share.newcomers",
    title: "MUST serve newcomers first, and return no more of endpoints in trouble than their part of the limit",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const troubled = yield* Effect.forEach(instants(12), () => newEndpoint(probation))
      for (const { shop } of troubled) yield* happen(shop, instants(4))
      const asked = (limit: number, part: number) =>
        request({ ...shares, now, probation: { limit, troubled: part, perEndpoint: 1 } })
      const kinds = (claims: ReadonlyArray<Claim>) => [
        claims.filter((claim) => !claim.troubled).length,
        claims.filter((claim) => claim.troubled).length,
      ]
      yield* equal("without newcomers", kinds(yield* both[0].queue.claim(asked(8, 5))), [0, 5])
      const newcomers = yield* Effect.forEach(instants(6), () => newEndpoint(newcomer))
      for (const { shop } of newcomers) yield* happen(shop, instants(2, 100))
      const mixed = yield* both[1].queue.claim(asked(8, 5))
      yield* equal("of both kinds", kinds(mixed), [6, 2])
      yield* equal(
        "of newcomers, which come first",
        new Set(mixed.slice(0, 6).map(({ endpointId }) => endpointId)),
        new Set(newcomers.map(({ id }) => id)),
      )
      yield* equal("with no part for trouble", kinds(yield* both[0].queue.claim(asked(4, 0))), [4, 0])
      const busy = newcomers.map(({ id, shop }) => ({ shop, endpointId: id, attempts: 1 }))
      const limits = { limit: 8, troubled: 3, perEndpoint: 1 }
      const rest = yield* both[1].queue.claim(request({ ...shares, now, probation: limits, busy }))
      yield* equal("if every newcomer has its attempt under way", kinds(rest), [0, 3])
    }),
  },
  {
    id: "claim.share.standing",
    title: "MUST serve an endpoint as a newcomer after one prompt failure, and not after a second or a slow one",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, instants(300))
      const slow = (claim: Claim) => settlement(claim, makeAttempt(claim, now, { durationMs: 2_000 }))
      const failed = (claim: Claim) => failure(claim, now)
      const succeeded = (claim: Claim) => success(claim, now)
      const open = Effect.fnUntraced(function* (host: Host, troubled: number) {
        const claims = yield* host.queue.claim(
          request({ ...shares, now, perEndpoint: 0, probation: { limit: 32, troubled, perEndpoint: 1 } }),
        )
        yield* host.queue.release(claims)
        return claims.map((claim) => claim.troubled)
      })
      for (const [index, [settle, standing]] of (
        [
          [failed, "newcomer"],
          [failed, "troubled"],
          [succeeded, "proven"],
          [slow, "troubled"],
          [succeeded, "proven"],
          [failed, "newcomer"],
        ] as const
      ).entries()) {
        yield* attemptOne(turnOf(both, index), endpoint, settle)
        const host = turnOf(both, index + 1)
        yield* equal(`a newcomer after ${index}`, yield* open(host, 0), standing === "newcomer" ? [false] : [])
        const any = { newcomer: [false], troubled: [true], proven: [] }[standing]
        yield* equal(`not proven after ${index}`, yield* open(host, 32), any)
        const { proven, troubled } = yield* endpointOn(both[0], endpoint)
        yield* equal(`stored after ${index}`, [proven, troubled], [standing === "proven", standing === "troubled"])
      }
      yield* settleAll(both[0], [failed(yield* firstClaim(both[0]))], switchOff)
      yield* both[1].endpoints.update(endpoint.shop, endpoint.id, turningOn)
      yield* equal("a newcomer that was turned on", yield* open(both[0], 0), [false])
    }),
  },
  {
    id: "claim.share.recovered",
    title: "MUST serve an endpoint that has become proven, even if no more may be claimed for those on probation",
    requirements: ["D45"],
    rounds: 5,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint(probation)
      yield* happen(endpoint.shop, instants(150))
      yield* happen((yield* newEndpoint(probation)).shop, instants(5))
      yield* attemptOne(both[0], endpoint, (claim) => success(claim, now))
      for (let left = 149, round = 0; left > 0; left -= 8, round++) {
        const host = turnOf(both, round)
        const asked = { ...shares, now, probation: { limit: 0, troubled: 0, perEndpoint: 1 } }
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
    title: "MUST give an endpoint one slot after a failure or a slow success, and all slots after a prompt success",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint(probation)
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
    title: "MUST return an endpoint's longest-due deliveries, added before or after it became proven or lost that",
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
        // The first of each was attempted and is due again in a minute.
        .filter((event) => event !== before[0] && event !== meanwhile[0])
        .map((event) => firstDeliveryId(event, endpoint))
      const found: Array<string> = []
      const take = Effect.fnUntraced(function* (host: Host) {
        const claims = yield* host.queue.claim(request({ ...shares, now }))
        found.push(...claims.map(({ deliveryId }) => deliveryId))
        return claims
      })
      for (const round of instants(5)) yield* take(turnOf(both, round))
      yield* equal("while it is on probation", found, ids.slice(0, 5))
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
