import { Effect } from "effect"
import { equal, exactly, none } from "../Assertion.ts"
import { someTime, unique } from "./Fixtures.ts"
import type { StorageCase } from "./StorageCase.ts"
import {
  addEndpoint,
  bothHosts,
  claimed,
  claimOf,
  failure,
  firstDeliveryId,
  happen,
  hour,
  logOf,
  makeDelivery,
  newEndpoint,
  newWebhookShop,
  settleAll,
  success,
  switchOff,
  turnOf,
} from "./Webhooks.ts"

const times = [0, 1, 2, 3, 4, 5, 6, 7]

/** What `DeliveryLog.prune` promises. */
export const pruneCases: ReadonlyArray<StorageCase> = [
  {
    id: "prune.attempts",
    title:
      "MUST drop the attempts of finished deliveries beyond the newest of each endpoint, and keep that they were received",
    spec: "§8, D32",
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const quiet = yield* newEndpoint({ kinds: ["order.cancelled"] })
      yield* happen(endpoint.shop, times)
      yield* happen(quiet.shop, [-5, -4, -3], { event: "order.cancelled" })
      const claims = yield* claimed(both[0], someTime + 10)
      yield* settleAll(
        both[0],
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(both[0], endpoint)
      const quietly = yield* logOf(both[0], quiet)
      for (const [index, keep] of [8, 3, 3].entries()) {
        yield* turnOf(both, index).upkeep.prune(keep, 0)
        const expected = before.map((delivery, at) => (at < keep ? delivery : { ...delivery, attempts: [] }))
        for (const host of both) {
          yield* equal(`the log with ${keep} kept`, yield* logOf(host, endpoint), expected)
          yield* equal("the log of one with fewer", yield* logOf(host, quiet), quietly)
        }
      }
      const missed = yield* both[0].queue.recover({
        shop: endpoint.shop,
        endpointId: endpoint.id,
        since: 0,
        now: someTime,
        run: unique(22),
      })
      yield* equal("what is taken to be missed", missed, 0)
    }),
  },
  {
    id: "prune.pending",
    title: "MUST drop nothing of a delivery that is pending, however old: waiting, held or under way",
    spec: "D32, D33",
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const off = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [-40, -30, -20, -10, 0])
      yield* happen(off.shop, [-50, -49, hour])
      const claims = yield* claimed(host)
      const [retried, done, held] = yield* exactly(
        "the claims",
        5,
        yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      const ofOff = [...claims.values()].filter(({ endpointId }) => endpointId === off.id)
      yield* settleAll(host, [failure(retried), success(done)])
      yield* settleAll(
        host,
        ofOff.map((claim) => failure(claim)),
        switchOff,
      )
      const before = [yield* logOf(host, endpoint), yield* logOf(host, off)] as const
      yield* host.upkeep.prune(1, someTime + hour)
      yield* equal(
        "the log",
        yield* logOf(host, endpoint),
        before[0].filter(({ status }) => status === "pending"),
      )
      yield* equal("the log of one that is switched off", yield* logOf(host, off), before[1])
      yield* settleAll(host, [success(held)])
      const again = yield* claimed(host, someTime + hour)
      yield* equal("what a retry sends", (yield* claimOf(again, retried.deliveryId)).body, retried.body)
    }),
  },
  {
    id: "prune.events",
    title:
      "MUST drop events from before the bound that no log shows, with their deliveries, and not one of the bound itself",
    spec: "D33",
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const unsent = yield* happen(shop, [-2, -1, 0, 1])
      const endpoint = yield* addEndpoint(shop)
      const events = yield* happen(shop, times)
      const claims = yield* claimed(both[0], someTime + 10)
      yield* settleAll(
        both[0],
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(both[0], endpoint)
      yield* both[1].upkeep.prune(2, someTime + 3)
      for (const host of both) {
        // Received at 0, 1 and 2, and no longer shown. At 3, 4 and 5 only the attempts are gone.
        const kept = before.slice(0, 5).map((delivery, at) => (at < 2 ? delivery : { ...delivery, attempts: [] }))
        yield* equal("the log", yield* logOf(host, endpoint), kept)
        for (const event of events.slice(0, 3)) {
          yield* none("a dropped one", yield* host.log.find(shop, endpoint.id, firstDeliveryId(event, endpoint)))
        }
      }
      const probe = yield* addEndpoint(shop)
      const left = yield* both[0].queue.recover({
        shop,
        endpointId: probe.id,
        since: 0,
        now: someTime,
        run: unique(22),
      })
      yield* equal("the events that are left", left, events.length - 3)
      yield* equal("events that nobody got", unsent.length, 4)
    }),
  },
  {
    id: "prune.events.bound",
    title: "MUST keep events that nobody got until the bound has passed them",
    spec: "D33",
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* happen(shop, times)
      for (const [bound, left] of [
        [someTime, 8],
        [someTime + 1, 7],
        [someTime + 5, 3],
        [someTime + 8, 0],
      ] as const) {
        yield* host.upkeep.prune(50, bound)
        const probe = yield* addEndpoint(shop)
        const kept = yield* host.queue.recover({ shop, endpointId: probe.id, since: 0, now: someTime, run: unique(22) })
        yield* host.endpoints.remove(shop, probe.id)
        yield* equal("the events that are left", kept, left)
      }
    }),
  },
  {
    id: "prune.events.shown",
    title: "MUST keep an event, however old, as long as a log of any endpoint shows a delivery of it",
    spec: "D21, D33",
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const busy = yield* newEndpoint()
      const quiet = yield* addEndpoint(busy.shop, { kinds: ["order.cancelled"] })
      const [old] = yield* happen(busy.shop, [0], { event: "order.cancelled" })
      yield* happen(busy.shop, [1, 2, 3])
      const claims = yield* claimed(host, someTime + 10)
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(host, quiet)
      yield* host.upkeep.prune(2, someTime + hour)
      yield* equal("the log of the quiet one", yield* logOf(host, quiet), before)
      const redelivery = makeDelivery(old, quiet, { createdAt: someTime + 20, nextAttemptAt: someTime + 20 })
      yield* host.queue.add(redelivery, null)
      const claim = yield* claimOf(yield* claimed(host, someTime + 20), redelivery.id)
      yield* equal("what a redelivery sends", claim.body, old.body)
    }),
  },
]
