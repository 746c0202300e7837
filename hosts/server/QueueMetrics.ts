/** Metrics of the store: what waits in it, and its feed (hosts/cli/OPERATING.md). */
import { Effect, Metric } from "effect"
import type { Instant } from "../../core/model/Instant.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"

const pending = Metric.gauge("designwire_deliveries_pending", {
  description: "Pending deliveries, including suspended ones; estimated above 1000",
})

const pastDue = Metric.gauge("designwire_deliveries_past_due", {
  description: "Deliveries that are due and in the hands of no worker; estimated above 1000",
})

const oldest = Metric.gauge("designwire_oldest_pending_seconds", {
  description: "Seconds since the oldest due delivery became due",
})

const switchedOff = Metric.gauge("designwire_endpoints_switched_off", {
  description: "Webhook endpoints that were switched off and wait for their owner",
})

const endpointsIn = (state: "active" | "switched_off") =>
  Metric.gauge("designwire_endpoints", {
    description: "Webhook endpoints by state; estimated above 1000",
    attributes: { state },
  })

const feedLag = Metric.gauge("designwire_feed_lag_seconds", {
  description: "Age of the oldest open transaction that keeps later events out of the feed",
})

const logBytes = Metric.gauge("designwire_delivery_log_bytes", {
  description: "Bytes of events, deliveries and attempts on the disk of the database, with their indexes",
})

const ofShop = (shop: string) => ({
  pending: Metric.gauge("designwire_shop_deliveries_pending", {
    description: "Pending deliveries of a shop in DESIGNWIRE_METRICS_SHOPS",
    attributes: { shop },
  }),
  pastDue: Metric.gauge("designwire_shop_deliveries_past_due", {
    description: "Deliveries of such a shop that are due and in the hands of no worker",
    attributes: { shop },
  }),
  oldest: Metric.gauge("designwire_shop_oldest_pending_seconds", {
    description: "Seconds since the oldest due delivery of such a shop became due",
    attributes: { shop },
  }),
})

const secondsSince = (at: Instant | null, now: Instant): number => (at === null ? 0 : Math.max(0, now - at) / 1000)

/** How many shops are counted at the same time. */
const atOnce = 4

/** Reads the state of the store into the current registry, and once more for each of some shops. */
export const readQueue = (
  upkeep: Upkeep["Service"],
  shops: ReadonlySet<string>,
  now: Instant,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const { endpoints, endpointsSwitchedOff, ...statistics } = yield* upkeep.statistics(now)
    yield* Metric.update(pending, statistics.pending)
    yield* Metric.update(pastDue, statistics.pastDue)
    yield* Metric.update(oldest, secondsSince(statistics.oldestDue, now))
    yield* Metric.update(switchedOff, endpointsSwitchedOff)
    // Of these two, one may be an estimate.
    yield* Metric.update(endpointsIn("active"), Math.max(0, endpoints - endpointsSwitchedOff))
    yield* Metric.update(endpointsIn("switched_off"), endpointsSwitchedOff)
    yield* Metric.update(feedLag, secondsSince(statistics.feedHeldSince, now))
    if (statistics.logBytes !== undefined) yield* Metric.update(logBytes, statistics.logBytes)
    const readShop = Effect.fnUntraced(function* (shop: string) {
      const [gauges, backlog] = [ofShop(shop), yield* upkeep.backlog(shop, now)]
      yield* Metric.update(gauges.pending, backlog.pending)
      yield* Metric.update(gauges.pastDue, backlog.pastDue)
      yield* Metric.update(gauges.oldest, secondsSince(backlog.oldestDue, now))
    })
    yield* Effect.forEach(shops, readShop, { concurrency: atOnce, discard: true })
  })
