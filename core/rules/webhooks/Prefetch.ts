import type { Instant } from "../../model/Instant.ts"

/** A worker's measured rate of attempts, and how far ahead it therefore claims. */
export interface Pace {
  /** Start of the current measurement. */
  readonly since: Instant
  /** Attempts that ended since the start. */
  readonly ended: number
  /** Claims to hold beyond those in slots, according to the previous measurement. */
  readonly ahead: number
}

/** The pace of a worker that has not started: it claims nothing ahead. */
export const unmeasured: Pace = { since: 0, ended: 0, ahead: 0 }

/** Minimum duration of a measurement in milliseconds. */
const shortestMeasurement = 20

/** Claims are held for the attempts that end within this many milliseconds, which is longer than a claim takes. */
const timeAhead = 50

/** The pace after one more attempt ended. */
export const attemptEnded = (pace: Pace): Pace => ({ ...pace, ended: pace.ended + 1 })

/**
 * The pace at `now`. Once the current measurement is long enough, it decides how many claims to hold ahead, at most one
 * per slot of the worker, and a new measurement starts.
 *
 * If no attempt ends, for example because receivers hang, nothing is claimed ahead, so that other workers can take it.
 */
export const measure = (pace: Pace, slots: number, now: Instant): Pace => {
  const elapsed = now - pace.since
  if (elapsed < shortestMeasurement) return pace
  return { since: now, ended: 0, ahead: Math.min(slots, Math.round((pace.ended * timeAhead) / elapsed)) }
}

/**
 * How many deliveries to claim now: enough to fill the free slots and keep `ahead` claims waiting. Returns 0 while more
 * than half of those are still waiting, so that claims are few and large.
 */
export const claimSize = (worker: {
  /** Maximum concurrent attempts of the worker. */
  readonly slots: number
  /** Attempts under way. */
  readonly slotsInUse: number
  /** Claims waiting for a slot. */
  readonly waiting: number
  /** How many should be waiting ({@link Pace}). */
  readonly ahead: number
}): number => (worker.waiting > worker.ahead / 2 ? 0 : worker.slots - worker.slotsInUse + worker.ahead - worker.waiting)
