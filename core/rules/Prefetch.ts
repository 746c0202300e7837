import type { Instant } from "../model/Instant.ts"

/** How fast a worker makes attempts, as last measured, and what that means for its claims. */
export interface Pace {
  /** When the current measurement began. */
  readonly since: Instant
  /** Attempts that ended since then. */
  readonly ended: number
  /** How many claims to hold beyond those in slots, by the measurement before. */
  readonly ahead: number
}

/** The pace of a worker that has not begun: nothing is claimed ahead. */
export const unmeasured: Pace = { since: 0, ended: 0, ahead: 0 }

/** A measurement takes at least this many milliseconds. */
const shortestMeasurement = 20

/** Claims are held for the attempts that end in this many milliseconds: longer than a claim takes. */
const timeAhead = 50

/** The pace after one more attempt ended. */
export const attemptEnded = (pace: Pace): Pace => ({ ...pace, ended: pace.ended + 1 })

/**
 * The pace at `now`: once the current measurement has lasted long enough, it decides how many claims to hold ahead, at most one for each of a
 * worker's `slots`, and a new measurement begins.
 *
 * Where no attempt ends, e.g. because receivers hang, nothing is claimed ahead, so that other workers can have it.
 */
export const measure = (pace: Pace, slots: number, now: Instant): Pace => {
  const elapsed = now - pace.since
  if (elapsed < shortestMeasurement) return pace
  return { since: now, ended: 0, ahead: Math.min(slots, Math.round((pace.ended * timeAhead) / elapsed)) }
}

/**
 * How many deliveries to claim now: for the free slots, and to have `ahead` claims waiting besides. None while more than half of those wait already, so
 * that claims are few and large.
 */
export const claimSize = (worker: {
  /** Attempts that the worker makes at once, at most. */
  readonly slots: number
  /** Those under way. */
  readonly slotsInUse: number
  /** Claims that wait for a slot. */
  readonly waiting: number
  /** How many should wait ({@link Pace}). */
  readonly ahead: number
}): number => (worker.waiting > worker.ahead / 2 ? 0 : worker.slots - worker.slotsInUse + worker.ahead - worker.waiting)
