/** Counts of ended attempts, from which figures are drawn (D60). */

import type { Instant } from "../Instant.ts"
import type { DeliveryStatus } from "./Delivery.ts"

/** Milliseconds of an hour: attempts are counted by the hour in which they began, in UTC. */
export const hour = 60 * 60 * 1000

/**
 * The classes of durations: an attempt is in the first class whose bound, in milliseconds, it does not exceed, or else
 * in one more, the last. Stores keep counts by class, so the bounds never change.
 */
export const durationBounds = [5, 10, 20, 35, 50, 75, 100, 150, 250, 350, 500, 750, 1000, 2000, 5000] as const

/** Counts of the attempts of a time. */
export interface AttemptCounts {
  /** Deliveries that succeeded. */
  readonly succeeded: number
  /** Attempts that failed, the last ones of given up deliveries included. */
  readonly failedAttempts: number
  /** Deliveries that were given up: their last attempt failed. */
  readonly givenUp: number
  /** Attempts in each class of durations, one more than {@link durationBounds}. */
  readonly durations: ReadonlyArray<number>
}

/** No attempts. */
export const none: AttemptCounts = {
  succeeded: 0,
  failedAttempts: 0,
  givenUp: 0,
  durations: Array.from({ length: durationBounds.length + 1 }, () => 0),
}

/** The hour in which an instant is. */
export const hourOf = (at: Instant): Instant => Math.floor(at / hour) * hour

/** The number of the class of a duration, from 0. */
export const durationClass = (durationMs: number): number => {
  const found = durationBounds.findIndex((bound) => durationMs <= bound)
  return found === -1 ? durationBounds.length : found
}

/** The counts of one attempt, by the state in which its settlement leaves the delivery. */
export const ofAttempt = (durationMs: number, status: DeliveryStatus): AttemptCounts => {
  const own = durationClass(durationMs)
  return {
    succeeded: status === "succeeded" ? 1 : 0,
    failedAttempts: status === "succeeded" ? 0 : 1,
    givenUp: status === "failed" ? 1 : 0,
    durations: none.durations.map((_, index) => (index === own ? 1 : 0)),
  }
}

/** The sum of counts. */
export const sum = (all: Iterable<AttemptCounts>): AttemptCounts => {
  let total = none
  for (const { durations, failedAttempts, givenUp, succeeded } of all) {
    total = {
      succeeded: total.succeeded + succeeded,
      failedAttempts: total.failedAttempts + failedAttempts,
      givenUp: total.givenUp + givenUp,
      durations: total.durations.map((count, index) => count + (durations[index] ?? 0)),
    }
  }
  return total
}

/** A class of durations, by its bounds in milliseconds; the last one has no upper bound. */
interface DurationRange {
  readonly above: number
  readonly most: number | null
}

/** The class that has a quantile of the durations, e.g. the median for 0.5. `null` without attempts. */
export const quantileRange = ({ durations }: AttemptCounts, part: number): DurationRange | null => {
  const attempts = durations.reduce((all, count) => all + count, 0)
  if (attempts === 0) return null
  let reached = 0
  const index = durations.findIndex((count) => {
    reached += count
    return count > 0 && reached >= part * attempts
  })
  return { above: durationBounds[index - 1] ?? 0, most: durationBounds[index] ?? null }
}

/**
 * The milliseconds that a quantile of the durations does not exceed: the upper bound of its class, because nothing is
 * known within a class. In the last class it is that class's lower bound. `null` without attempts.
 */
export const quantile = (counts: AttemptCounts, part: number): number | null => {
  const found = quantileRange(counts, part)
  return found === null ? null : (found.most ?? found.above)
}
