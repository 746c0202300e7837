/** Metrics of a worker (hosts/cli/OPERATING.md). */
import { Duration, Effect, Metric, type Scope } from "effect"
import { showGauge } from "../../../model/log/ShownGauge.ts"
import type { Slots } from "./Slots.ts"

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const claimSeconds = Metric.histogram("designwire_worker_claim_seconds", {
  description: "Duration of calls that claim deliveries from the store",
  boundaries,
})

const settleSeconds = Metric.histogram("designwire_worker_settle_seconds", {
  description: "Duration of calls that store the results of attempts",
  boundaries,
})

/** Measures a call that claims. */
export const timedClaim = Effect.trackDuration(claimSeconds, Duration.toSeconds)

/** Measures a call that settles. */
export const timedSettle = Effect.trackDuration(settleSeconds, Duration.toSeconds)

/** Shows the slots of a worker while the scope is open. */
export const showSlots = (slots: Slots): Effect.Effect<void, never, Scope.Scope> =>
  Effect.all(
    [
      showGauge("designwire_worker_slots", "Slots of the worker: the most attempts at once", () => slots.count),
      showGauge("designwire_worker_slots_in_use", "Slots with an attempt, or kept empty", () => slots.inUse),
      showGauge("designwire_worker_claims_waiting", "Claimed deliveries that wait for a slot", () => slots.waiting),
    ],
    { discard: true },
  )
