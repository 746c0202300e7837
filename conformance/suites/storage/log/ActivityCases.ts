import { Effect } from "effect"
import type { EndpointRecord } from "../../../../core/model/Endpoint.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  failure,
  firstDeliveryId,
  type Host,
  happen,
  hour,
  makeAttempt,
  minute,
  newEndpoint,
  settleAll,
  settlement,
} from "../support/Webhooks.ts"

/** The counts of an endpoint: its latest delivery, and `hour status deliveries` of each count, in order. */
const countsOf = Effect.fnUntraced(function* (
  host: Host,
  endpoint: Pick<EndpointRecord, "shop" | "id">,
  since = someTime,
  limit = 1_000,
) {
  const { endpoints, medianMs } = yield* host.log.activity(endpoint.shop, { since, limit })
  const own = endpoints.filter(({ endpointId }) => endpointId === endpoint.id)
  yield* equal("entries of the endpoint", own.length, 1)
  return {
    medianMs,
    latest: own[0]?.latest,
    counts: own.flatMap(({ counts }) => counts.map((each) => `${each.hour} ${each.status} ${each.deliveries}`)).sort(),
  }
})

/** The contract of `DeliveryLog.activity`. */
export const activityCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "log.activity.counts",
    title: "MUST count a shop's deliveries from a time on by endpoint, hour and status, and return the latest one",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const quiet = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      // The same id in another shop.
      const namesake = yield* newEndpoint({ id: endpoint.id })
      for (const one of both) {
        yield* equal("nothing yet", yield* countsOf(one, endpoint), { medianMs: null, latest: null, counts: [] })
      }
      const times = [-1, 0, 1, hour - 1, hour, 23 * hour + minute, 23 * hour + 2 * minute]
      const events = yield* happen(endpoint.shop, times)
      yield* happen(namesake.shop, [0, 5])
      yield* addTest(endpoint, someTime + 25 * hour)
      const claims = yield* claimed(host, someTime + 26 * hour)
      for (const [index, status] of (["failed", "succeeded", "failed", "succeeded", "pending"] as const).entries()) {
        const event = events[index]
        if (event === undefined) return
        const claim = yield* claimOf(claims, firstDeliveryId(event, endpoint))
        const statusCode = status === "succeeded" ? 200 : 500
        const attempt = makeAttempt(claim, someTime + 26 * hour, { statusCode, durationMs: 10 * index })
        const nextAttemptAt = status === "pending" ? someTime + 30 * hour : null
        yield* settleAll(host, [{ ...settlement(claim, attempt), status, nextAttemptAt }])
      }
      for (const one of both) {
        yield* equal("all of it", yield* countsOf(one, endpoint, someTime - 1), {
          medianMs: 20,
          latest: someTime + 25 * hour,
          counts: [
            "0 failed 2",
            "0 succeeded 1",
            "1 pending 1",
            "1 succeeded 1",
            "23 pending 2",
            "25 pending 1",
          ].sort(),
        })
        yield* equal("from the second on", yield* countsOf(one, endpoint), {
          medianMs: 20,
          latest: someTime + 25 * hour,
          counts: ["0 failed 1", "0 succeeded 2", "1 pending 1", "23 pending 2", "25 pending 1"].sort(),
        })
        yield* equal("the end of it", yield* countsOf(one, endpoint, someTime + 24 * hour), {
          medianMs: null,
          latest: someTime + 25 * hour,
          counts: ["1 pending 1"],
        })
        const after = yield* countsOf(one, endpoint, someTime + 26 * hour)
        yield* equal("after it", after, { medianMs: null, latest: someTime + 25 * hour, counts: [] })
        yield* equal("an endpoint without deliveries", (yield* countsOf(one, quiet)).counts, [])
        yield* equal("the namesake", (yield* countsOf(one, namesake)).counts, ["0 pending 2"])
        yield* equal("no shop", yield* one.log.activity("nobody", { since: 0, limit: 10 }), {
          endpoints: [],
          medianMs: null,
        })
      }
    }),
  },
  {
    id: "log.activity.limit",
    title:
      "MUST count the newest deliveries of each endpoint up to the limit, and take the median of their attempts only",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const events = yield* happen(endpoint.shop, [0, 1, 2, 3, 4, 5])
      const claims = yield* claimed(host, someTime + 5)
      yield* Effect.forEach(events, (event, index) =>
        Effect.flatMap(claimOf(claims, firstDeliveryId(event, endpoint)), (claim) =>
          settleAll(host, [failure(claim, someTime + minute, { durationMs: 100 - index })]),
        ),
      )
      for (const one of both) {
        for (const [limit, medianMs] of [
          [1, 95],
          [2, 95],
          [3, 96],
          [6, 97],
          [7, 97],
        ] as const) {
          const expected = { medianMs, latest: someTime + 5, counts: [`0 pending ${Math.min(limit, 6)}`] }
          yield* equal(`${limit} at most`, yield* countsOf(one, endpoint, someTime, limit), expected)
          yield* equal("another", (yield* countsOf(one, beside, someTime, limit)).counts, expected.counts)
        }
      }
    }),
  },
])
