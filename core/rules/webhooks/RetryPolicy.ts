import { Result } from "effect"
import type { Instant } from "../../model/Instant.ts"

/** Waits between attempts in milliseconds: after the first failed attempt, after the second, and so on. */
export type RetrySchedule = ReadonlyArray<number>

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The schedule of §6: 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 24 hours; 7 attempts in total (D25). */
export const defaultSchedule: RetrySchedule = [
  1 * units.m,
  5 * units.m,
  30 * units.m,
  2 * units.h,
  6 * units.h,
  24 * units.h,
]

/**
 * When the next attempt after a failed one is due; `null` if that was the last. There is one attempt more than waits.
 * Measured from the end of the failed attempt, without jitter; nothing in the response changes it (D25).
 *
 * `attemptNumber` is the number of the failed attempt, starting at 1.
 */
export const nextAttempt = (schedule: RetrySchedule, attemptNumber: number, endedAt: Instant): Instant | null => {
  const wait = schedule[attemptNumber - 1]
  return wait === undefined ? null : endedAt + wait
}

const form = "waits separated by commas, each a whole number from 1 with its unit ms, s, m, h or d, e.g. 1m,5m,30m,2h"

const waitShape = /^([1-9][0-9]{0,9})(ms|s|m|h|d)$/

const maximumWait = 365 * units.d

const maximumWaits = 100

/** Parses a schedule such as `1m,5m,30m,2h,6h,24h`. Fails with the accepted form. Ignores spaces around commas. */
export const parseSchedule = (text: string): Result.Result<RetrySchedule, string> => {
  const waits: Array<number> = []
  for (const part of text.split(",")) {
    const match = waitShape.exec(part.trim())
    if (match === null) return Result.fail(form)
    const wait = Number(match[1]) * units[match[2] as keyof typeof units]
    if (wait > maximumWait) return Result.fail("waits of at most 365d")
    waits.push(wait)
  }
  return waits.length > maximumWaits ? Result.fail(`at most ${maximumWaits} waits`) : Result.succeed(waits)
}
