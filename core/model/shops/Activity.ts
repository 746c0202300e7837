/** The figures of an endpoint. */
import { Schema } from "effect"
import { DateTime, Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"
import { type AttemptCounts, quantile } from "../webhooks/AttemptCounts.ts"

/**
 * The hours that activity is read for: from the one in which `from` is to the last one that begins before `to`, by
 * default the last 24.
 */
export const ActivityInput = Schema.Struct({
  from: Schema.optionalKey(DateTime),
  to: Schema.optionalKey(DateTime),
})
export type ActivityInput = typeof ActivityInput.Type

const figures = {
  succeeded: Schema.Int.annotate({ description: "Deliveries that succeeded" }),
  failedAttempts: Schema.Int.annotate({ description: "Attempts that failed, also of deliveries that were given up" }),
  givenUp: Schema.Int.annotate({ description: "Deliveries that were given up after their last attempt" }),
  p50Ms: noted(
    "Half of the attempts took no longer, in milliseconds; 5,000 stands for more, too; `null` without attempts.",
    Schema.NullOr(Schema.Int).annotate({
      description: "Half of the attempts took no longer; 5000 stands for more, too",
    }),
  ),
  p95Ms: noted(
    "95 % of the attempts took no longer, in milliseconds; 5,000 stands for more, too; `null` without attempts.",
    Schema.NullOr(Schema.Int).annotate({
      description: "95 % of the attempts took no longer; 5000 stands for more, too",
    }),
  ),
}

/** The attempts to deliver to an endpoint in a time, by the hour in which they began, and what is pending now. */
export const Activity = Schema.Struct({
  from: Timestamp,
  to: Timestamp,
  pending: Schema.Int.annotate({ description: "Pending deliveries, whenever they were created" }),
  ...figures,
  hours: Schema.Array(
    Schema.Struct({ at: Timestamp.annotate({ description: "The hour's beginning, in UTC" }), ...figures }),
  ).annotate({ description: "Hours with attempts, oldest first" }),
}).annotate({
  documentation: "The attempts of an endpoint in a span of time, without tests, and its pending deliveries.",
})
export type Activity = typeof Activity.Type

/** Counts of attempts as figures. */
export const figuresOf = (counts: AttemptCounts) => ({
  succeeded: counts.succeeded,
  failedAttempts: counts.failedAttempts,
  givenUp: counts.givenUp,
  p50Ms: quantile(counts, 0.5),
  p95Ms: quantile(counts, 0.95),
})
