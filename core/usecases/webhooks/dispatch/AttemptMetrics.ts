/** Metrics of attempts and of the deliveries that they end (hosts/cli/OPERATING.md). */
import { type Context, Metric } from "effect"
import { combinations, counters } from "../../../model/log/Counters.ts"
import type { Attempt, AttemptError } from "../../../model/webhooks/Delivery.ts"
import type { Settlement } from "../../../ports/DeliveryQueue.ts"
import { isSuccess } from "../../../rules/webhooks/DeliveryState.ts"

type Ended = Pick<Attempt, "statusCode" | "error">

type Failure = "refused" | AttemptError

const failures = [
  "refused",
  "redirect",
  "timeout",
  "dns",
  "connect",
  "tls",
  "reset",
  "address_refused",
  "token",
] as const

const failureOf = ({ error }: Ended): Failure => error ?? "refused"

const outcomeOf = (ended: Ended): "success" | Failure => (isSuccess(ended) ? "success" : failureOf(ended))

/** Labels and their counters, which are made once. */
const byLabel = <Label extends string>(labels: ReadonlyArray<Label>, make: (label: Label) => Metric.Counter<number>) =>
  Object.fromEntries(labels.map((label) => [label, make(label)])) as Readonly<Record<Label, Metric.Counter<number>>>

const outcomes = ["success", ...failures] as const

const attempts = counters(
  "designwire_delivery_attempts_total",
  "Attempts to deliver a webhook, by outcome",
  combinations({ outcome: outcomes }),
)

const attemptsMade = byLabel(outcomes, (outcome) => attempts({ outcome }))

/** The shops are known once a worker starts. */
const ofShop = counters<{ readonly shop: string; readonly outcome: string }>(
  "designwire_shop_delivery_attempts_total",
  "Attempts to deliver a webhook of a shop in DESIGNWIRE_METRICS_SHOPS, by outcome",
  [],
)

const attemptsOfShop = (shop: string) => byLabel(outcomes, (outcome) => ofShop({ shop, outcome }))

const attemptDuration = Metric.histogram("designwire_delivery_attempt_seconds", {
  description: "Duration of attempts to deliver a webhook",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

const finished = counters<{ readonly outcome: "succeeded" | "failed"; readonly reason: string }>(
  "designwire_deliveries_finished_total",
  "Deliveries that are not attempted again, by outcome and the reason of the last failure",
  [{ outcome: "succeeded", reason: "none" }, ...failures.map((reason) => ({ outcome: "failed", reason }) as const)],
)

const succeeded = finished({ outcome: "succeeded", reason: "none" })

const failed = byLabel(failures, (reason) => finished({ outcome: "failed", reason }))

/** Counts attempts, and the attempts of `shops` once more by shop. */
export const makeAttemptMetrics = (context: Context.Context<never>, shops: ReadonlySet<string>) => {
  const ofShops = new Map([...shops].map((shop) => [shop, attemptsOfShop(shop)]))
  for (const ofShop of ofShops.values()) for (const made of Object.values(ofShop)) made.updateUnsafe(0, context)
  return {
    ended: (shop: string, ended: Ended, durationMs: number): void => {
      const outcome = outcomeOf(ended)
      attemptsMade[outcome].updateUnsafe(1, context)
      attemptDuration.updateUnsafe(durationMs / 1000, context)
      if (ofShops.size > 0) ofShops.get(shop)?.[outcome].updateUnsafe(1, context)
    },
  }
}

/** Counts the deliveries that a settlement has finished. */
export const countFinished = ({ attempt, status }: Settlement, context: Context.Context<never>): void => {
  if (status === "succeeded") succeeded.updateUnsafe(1, context)
  else if (status === "failed") failed[failureOf(attempt)].updateUnsafe(1, context)
}
