import { Clock, Effect, Metric } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../model/Instant.ts"
import { noticeOf, sentenceOf } from "../model/Notice.ts"
import { type NoticeClaim, NoticeStore } from "../ports/NoticeStore.ts"
import { NoticeNotTold, Notices } from "../ports/Notices.ts"
import { nextAttempt, type RetrySchedule } from "../rules/RetryPolicy.ts"

/** How notices are told. */
export interface TellOptions {
  /** The waits between attempts. */
  readonly schedule: RetrySchedule
  /** Milliseconds that a worker holds what it tells. Telling may take half of them. */
  readonly lease: number
}

/** How many notices are told at the same time. */
const batch = 16

/** How often a worker looks for notices to tell, in milliseconds. */
const interval = 5000

const told = (outcome: "told" | "failed") =>
  Metric.counter("designwire_notices_total", {
    description: "Attempts to tell a notice, by outcome",
    incremental: true,
    attributes: { outcome },
  })

/** Tells a notice, and says in the log why it could not be. */
const tell = Effect.fnUntraced(function* ({ attempt, notice }: NoticeClaim, { lease, schedule }: TellOptions) {
  const timeout = lease / 2
  const { tell } = yield* Notices
  const failure = yield* tell(notice).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => new NoticeNotTold({ message: `it took longer than ${timeout / 1000} seconds` }),
    }),
    Effect.catchDefect((defect) => new NoticeNotTold({ message: String(defect) })),
    Effect.as(undefined),
    Effect.catch((error) => Effect.succeed(error)),
  )
  yield* Metric.update(told(failure === undefined ? "told" : "failed"), 1)
  if (failure === undefined) return null
  const next = nextAttempt(schedule, attempt, yield* Clock.currentTimeMillis)
  const then = next === null ? "It is not told again" : "It is told again later"
  yield* Effect.logWarning(`A notice could not be told: ${failure.message}. ${then}. ${sentenceOf(noticeOf(notice))}`)
  return next
})

/**
 * Tells the notices that are due (D42), until none is left; from the instant `deadline` on it begins none. What can't be told is told again by the schedule of
 * deliveries. Fails where the store does.
 */
export const tellDueNotices = Effect.fn("TellNotices.due")(function* (
  options: TellOptions,
  deadline: Instant = Number.POSITIVE_INFINITY,
) {
  const store = yield* NoticeStore
  const random = yield* SecureRandom.SecureRandom
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    if (now >= deadline) return
    const token = Hex.encode(yield* random.randomBytes(16))
    const claims = yield* store.claim({ now, limit: batch, leaseUntil: now + options.lease, token })
    yield* Effect.forEach(
      claims,
      (claim) => Effect.flatMap(tell(claim, options), (next) => store.settle(claim, next)),
      { concurrency: "unbounded", discard: true },
    )
    if (claims.length < batch) return
  }
})

/** Tells notices as they become due, until it is interrupted; what is being told then is told again later. A store that fails is tried again. */
export const tellNotices = (
  options: TellOptions,
): Effect.Effect<never, never, NoticeStore | SecureRandom.SecureRandom> =>
  tellDueNotices(options).pipe(
    Effect.catchDefect((defect) => Effect.fail(defect)),
    Effect.catch((error) => Effect.logWarning("The store of notices fails; trying again", error)),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
  )
