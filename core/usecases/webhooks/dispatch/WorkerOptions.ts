import { defaultSchedule, type RetrySchedule } from "../../../rules/webhooks/RetryPolicy.ts"

/** How many attempts a worker makes at once, and how it retries. */
export interface WorkerOptions {
  /**
   * The worker's slots: its most attempts under way, alongside those at new endpoints that left their slots because
   * others waited for one (`SlotShare.leftShare`). As many more may have ended and wait to be settled.
   */
  readonly concurrency: number
  /** Slots for one proven endpoint. Any other endpoint has one (`Health.proven`). */
  readonly perEndpoint: number
  /** How long a claim lasts, in milliseconds: more than {@link attemptTimeout}. */
  readonly lease: number
  /** The waits between attempts. */
  readonly schedule: RetrySchedule
  /**
   * How long delivery logs keep finished deliveries, in milliseconds; the newest 50 of an endpoint stay longer (D32).
   * Default: only the newest 50.
   */
  readonly deliveryLog?: number | undefined
  /** How long drafts are kept that nobody saves again, in milliseconds. Default: for ever. */
  readonly drafts?: number | undefined
}

/** The default options: 64 slots, 8 for one endpoint, a lease of 30 seconds, the schedule of §6. */
export const defaultWorker: WorkerOptions = {
  concurrency: 64,
  perEndpoint: 8,
  lease: 30_000,
  schedule: defaultSchedule,
}

/** The most milliseconds of an attempt, including look-up, connecting and request (§6, D26). */
export const attemptTimeout = 5000

/**
 * The milliseconds after which the worker ends an attempt itself, e.g. because a look-up does not end. Senders keep to
 * their own timeout.
 */
export const longestAttempt = attemptTimeout + 100

/** The most milliseconds for connecting, within an attempt (§6). */
export const connectTimeout = 3000
