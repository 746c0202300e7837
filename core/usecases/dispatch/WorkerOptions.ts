import { defaultSchedule, type RetrySchedule } from "../../rules/RetryPolicy.ts"

/** How much a worker does at the same time, and how it retries. */
export interface WorkerOptions {
  /** Attempts under way at most: the worker's slots. As many more may have ended that are not settled yet. */
  readonly concurrency: number
  /** Of those, at most this many to one endpoint that is proven, and one to any other (`Health.proven`). */
  readonly perEndpoint: number
  /** Milliseconds that a claim is held: more than {@link attemptTimeout}. */
  readonly lease: number
  /** The waits between attempts. */
  readonly schedule: RetrySchedule
}

/** The options of a worker that is told nothing else: 64 slots, 8 for one endpoint, a lease of 30 seconds, the schedule of §6. */
export const defaultWorker: WorkerOptions = {
  concurrency: 64,
  perEndpoint: 8,
  lease: 30_000,
  schedule: defaultSchedule,
}

/** An attempt ends after at most this many milliseconds, look-up, connecting and request included (§6, D26). */
export const attemptTimeout = 5000
