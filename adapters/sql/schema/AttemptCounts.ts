import { durationBounds } from "../../../core/model/webhooks/AttemptCounts.ts"

/** The columns of the counts of attempts by class of durations, the first class first. */
export const durationColumns: ReadonlyArray<string> = Array.from(
  { length: durationBounds.length + 1 },
  (_, index) => `class_${index}`,
)

/**
 * Counts of ended attempts, by endpoint and hour (D60). The row of the current hour is updated with each settlement:
 * room on its page lets the update stay there.
 */
export const attemptCounts: ReadonlyArray<string> = [
  `CREATE TABLE designwire.attempt_counts (
  shop text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  hour timestamptz(0) NOT NULL,
  succeeded integer NOT NULL,
  failed_attempts integer NOT NULL,
  given_up integer NOT NULL,
  ${durationColumns.map((name) => `${name} integer NOT NULL`).join(",\n  ")},
  PRIMARY KEY (shop, endpoint_id, hour)
) WITH (fillfactor = 50)`,
]
