import { Effect, Option } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import { type Claim, DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { type Backlog, Upkeep } from "../../../../core/ports/Upkeep.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { claimedAhead, intervalOf, lead } from "../../../../core/rules/webhooks/Pace.ts"
import { equal, holds, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  createEndpoint,
  failure,
  type Host,
  happen,
  minute,
  newEndpoint,
  request,
  settleAll,
  success,
  turnOf,
} from "../support/Webhooks.ts"

const pacedTo = (pace: { readonly maxPerSecond?: number; readonly maxConcurrent?: number }) => ({
  options: { ...usualOptions, ...pace },
})

/** Commits this number of events, all due at {@link someTime}. */
const happenOften = (shop: string, count: number) => happen(shop, Array<number>(count).fill(0))

const claimAt = (host: Host, now: Instant, fields = {}) => host.queue.claim(request({ now, ...fields }))

/** The planned starts of claims, after {@link someTime}. */
const startsOf = (claims: ReadonlyArray<Claim>) =>
  claims.map(({ startsAt }) => (startsAt === null ? null : startsAt - someTime))

/** Pending and past-due deliveries, and the oldest due time. */
type Waiting = readonly [number, number, Instant | null]

const waitingOf = ({ oldestDue, pastDue, pending }: Backlog): Waiting => [pending, pastDue, oldestDue]

/** The contract of `DeliveryQueue` for endpoints with a pace (D54). */
export const paceCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "pace.rate",
    title: "MUST plan the starts of an endpoint's attempts evenly, over both hosts, and claim each shortly before",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const { shop } = yield* newEndpoint(pacedTo({ maxPerSecond: 10 }))
      yield* happenOften(shop, 60)
      const starts: Array<number> = []
      for (let time = 0; time <= 3000; time += 10) {
        const now = someTime + time
        const claims = yield* Effect.all([claimAt(both[0], now), claimAt(both[1], now)], { concurrency: 2 })
        for (const claim of claims.flat()) {
          const start = yield* some("its start", Option.fromNullishOr(claim.startsAt))
          yield* holds("it begins soon", start >= now + lead - 10 && start <= now + claimedAhead)
          starts.push(start)
        }
      }
      const apart = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
      const interval = intervalOf(10)
      yield* equal(
        "too close",
        apart.filter((gap) => Math.abs(gap - interval) > 1),
        [],
      )
      yield* equal("attempts", starts.length, Math.floor((3000 + claimedAhead - lead) / interval) + 1)
    }),
  },
  {
    id: "pace.rate.many",
    title: "MUST return several attempts of a fast endpoint at once, with a start each, the longest due first",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { shop } = yield* newEndpoint(pacedTo({ maxPerSecond: 100 }))
      yield* happen(shop, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      const now = someTime + 20
      const first = yield* claimAt(host, now, { perEndpoint: 3 })
      const interval = intervalOf(100)
      const start = (index: number) => Math.round(20 + lead + index * interval)
      yield* equal("the first starts", startsOf(first), [start(0), start(1), start(2)])
      const second = yield* claimAt(other, now)
      yield* equal("the next start", startsOf(second), [start(3)])
      yield* equal("beyond", yield* claimAt(host, now), [])
    }),
  },
  {
    id: "pace.rate.pause",
    title: "MUST NOT make up for time in which nothing was sent",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const { shop } = yield* newEndpoint(pacedTo({ maxPerSecond: 2 }))
      yield* happenOften(shop, 5)
      for (const [index, time] of [0, 10 * minute].entries()) {
        const host = turnOf(both, index)
        yield* equal("one", startsOf(yield* claimAt(host, someTime + time)), [time + lead])
        yield* equal("another", startsOf(yield* claimAt(host, someTime + time + 400)), [])
        const next = Math.round(time + lead + intervalOf(2))
        yield* equal("the next", startsOf(yield* claimAt(host, someTime + time + 480)), [next])
      }
    }),
  },
  {
    id: "pace.concurrent",
    title: "MUST let as many attempts be under way as the endpoint allows, until they are settled or released",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint(pacedTo({ maxConcurrent: 3 }))
      yield* happenOften(endpoint.shop, 12)
      const claims = (yield* Effect.all([claimAt(host, someTime), claimAt(other, someTime)], { concurrency: 2 })).flat()
      const rest = yield* claimAt(other, someTime)
      yield* equal("under way", startsOf([...claims, ...rest]), [null, null, null])
      const [first, second] = [...claims, ...rest]
      if (first === undefined || second === undefined) return
      yield* settleAll(other, [success(first)])
      yield* equal("after a success", (yield* claimAt(host, someTime)).length, 1)
      yield* other.queue.release([second])
      const [again] = yield* claimAt(host, someTime)
      yield* equal("after a release", again?.deliveryId, second.deliveryId)
      yield* settleAll(host, again === undefined ? [] : [failure(again)])
      yield* equal("after a failure", (yield* claimAt(other, someTime)).length, 1)
      yield* equal("too many", yield* claimAt(host, someTime + minute - 1), [])
      yield* equal("after the leases", (yield* claimAt(host, someTime + minute)).length, 3)
      yield* equal("an outdated settlement", yield* other.queue.settle([success(second)], (health) => health), [false])
      yield* equal("too many again", yield* claimAt(other, someTime + minute), [])
    }),
  },
  {
    id: "pace.concurrent.race",
    title: "MUST NOT let more be under way when both hosts claim and settle at the same time",
    requirements: ["D54"],
    rounds: 10,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const { shop } = yield* newEndpoint(pacedTo({ maxConcurrent: 2 }))
      yield* happenOften(shop, 20)
      let underWay = 0
      let most = 0
      const worker = (host: Host) =>
        Effect.gen(function* () {
          for (let round = 0; round < 10; round++) {
            const claims = yield* claimAt(host, someTime)
            underWay += claims.length
            most = Math.max(most, underWay)
            yield* Effect.yieldNow
            underWay -= claims.length
            if (claims.length > 0)
              yield* settleAll(
                host,
                claims.map((claim) => success(claim)),
              )
          }
        })
      yield* Effect.all([...both, ...both].map(worker), { concurrency: "unbounded" })
      yield* holds(`at most two are under way: ${most}`, most > 0 && most <= 2)
    }),
  },
  {
    id: "pace.both",
    title: "MUST keep both limits of an endpoint that has both",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { shop } = yield* newEndpoint(pacedTo({ maxPerSecond: 1000, maxConcurrent: 2 }))
      yield* happenOften(shop, 9)
      const claims = yield* claimAt(host, someTime)
      yield* equal("under way", startsOf(claims), [lead, lead + 1])
      yield* equal("too many", yield* claimAt(other, someTime + 500), [])
      yield* settleAll(
        other,
        claims.map((claim) => success(claim)),
      )
      yield* equal("the next", startsOf(yield* claimAt(other, someTime + 500)), [500 + lead, 501 + lead])
    }),
  },
  {
    id: "pace.others",
    title: "MUST hold for tests and redeliveries too, and for no other endpoint",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint(pacedTo({ maxPerSecond: 1 }))
      const { shop } = endpoint
      const usual = yield* createEndpoint(shop)
      yield* addTest(endpoint)
      yield* addTest(endpoint)
      yield* happenOften(shop, 4)
      const claims = [...(yield* claimAt(host, someTime)), ...(yield* claimAt(other, someTime))]
      const of = (id: string) => startsOf(claims.filter(({ endpointId }) => endpointId === id))
      yield* equal("of the endpoint with a pace", of(endpoint.id), [lead])
      yield* equal("of the other", of(usual.id), [null, null, null, null])
    }),
  },
  {
    id: "pace.changed",
    title: "MUST hold from a change on for what is due already, and no longer once it is removed",
    requirements: ["D54"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { id, shop } = yield* newEndpoint()
      yield* happenOften(shop, 9)
      yield* other.endpoints.update(shop, id, changing({ options: { maxConcurrent: 2 } }))
      yield* equal("with two under way", startsOf(yield* claimAt(host, someTime)), [null, null])
      yield* host.endpoints.update(shop, id, changing({ options: { maxConcurrent: null, maxPerSecond: 5 } }))
      yield* equal("one at a time", startsOf(yield* claimAt(other, someTime)), [lead])
      yield* other.endpoints.update(shop, id, changing({ options: { maxPerSecond: null } }))
      yield* equal("all", startsOf(yield* claimAt(host, someTime)), Array(6).fill(null))
    }),
  },
  {
    id: "pace.past-due",
    title: "MUST count no delivery as past due while the pace of its endpoint holds it back",
    requirements: ["D54", "D27"],
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const { shop } = yield* newEndpoint(pacedTo({ maxPerSecond: 1 }))
      const { shop: otherShop } = yield* newEndpoint(pacedTo({ maxConcurrent: 2 }))
      yield* happenOften(shop, 4)
      yield* happen(otherShop, [1, 1, 1])
      const expect = Effect.fnUntraced(function* (what: string, now: Instant, paced: Waiting, bounded: Waiting) {
        for (const { upkeep } of both) {
          yield* equal(`${what}: one shop`, waitingOf(yield* upkeep.backlog(shop, now)), paced)
          yield* equal(`${what}: another`, waitingOf(yield* upkeep.backlog(otherShop, now)), bounded)
          const oldest = [paced[2], bounded[2]].filter((due) => due !== null)
          const all: Waiting = [
            paced[0] + bounded[0],
            paced[1] + bounded[1],
            oldest.length === 0 ? null : Math.min(...oldest),
          ]
          yield* equal(`${what}: all`, waitingOf(yield* upkeep.statistics(now)), all)
        }
      })
      const now = someTime + 1
      yield* expect("before a claim", now, [4, 4, someTime], [3, 3, someTime + 1])
      const claims = yield* claimAt(host, now)
      yield* equal("claims", claims.length, 3)
      yield* expect("after it", now, [4, 0, null], [3, 0, null])
      yield* settleAll(
        host,
        claims.map((claim) => success(claim)),
      )
      yield* expect("with room for one", now, [3, 0, null], [1, 1, someTime + 1])
      yield* expect("after the next start", now + 1100, [3, 3, someTime], [1, 1, someTime + 1])
    }),
  },
])
