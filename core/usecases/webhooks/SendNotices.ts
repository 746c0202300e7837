import { Clock, Effect, Metric } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../../model/Instant.ts"
import { combinations, counters } from "../../model/log/Counters.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { noticeOf, sentenceOf } from "../../model/webhooks/Notice.ts"
import { type NoticeClaim, NoticeStore } from "../../ports/NoticeStore.ts"
import { NoticeNotSent, Notices } from "../../ports/Notices.ts"
import { nextAttempt, type RetrySchedule } from "../../rules/webhooks/RetryPolicy.ts"

/** How notices are sent. */
export interface SendNoticesOptions {
  /** The waits between attempts. */
  readonly schedule: RetrySchedule
  /** How long a worker holds the notices that it sends, in milliseconds. Sending one may take half as long. */
  readonly lease: number
}

/** How many notices are sent at the same time. */
const batch = 16

/** How often a worker looks for notices to send, in milliseconds. */
const interval = 5000

const counted = counters(
  "designwire_notices_total",
  "Attempts to send a notice, by outcome",
  combinations({ outcome: ["told", "failed"] }),
)

/** Sends a notice. Returns when to try again after a failure, which it logs with its reason; `null` for never. */
const sendOne = Effect.fnUntraced(function* (
  { attempt, notice }: NoticeClaim,
  { lease, schedule }: SendNoticesOptions,
) {
  const timeout = lease / 2
  const { send } = yield* Notices
  const failure = yield* send(notice).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => new NoticeNotSent({ message: `it took longer than ${timeout / 1000} seconds` }),
    }),
    Effect.catchDefect((defect) => new NoticeNotSent({ message: String(defect) })),
    Effect.as(undefined),
    Effect.catch((error) => Effect.succeed(error)),
  )
  yield* Metric.update(counted({ outcome: failure === undefined ? "told" : "failed" }), 1)
  if (failure === undefined) return null
  const next = nextAttempt(schedule, attempt, yield* Clock.currentTimeMillis)
  const then = next === null ? "It is not sent again" : "It is sent again later"
  yield* Effect.logWarning(
    `A notice could not be sent: ${failure.message}. ${then}. ${sentenceOf(noticeOf(notice))}`,
  ).pipe(logged("notices.send_failed", { shop: notice.shop, notice: notice.id }))
  return next
})

/**
 * Sends the notices that are due (D42), until none is left, and starts none from the instant `deadline` on. A notice
 * that cannot be sent is sent again on the schedule of deliveries. Fails if the store does.
 */
export const sendDueNotices = Effect.fn("SendNotices.due")(function* (
  options: SendNoticesOptions,
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
      (claim) => Effect.flatMap(sendOne(claim, options), (next) => store.settle(claim, next)),
      { concurrency: "unbounded", discard: true },
    )
    if (claims.length < batch) return
  }
})

/**
 * Sends notices as they become due, until it is interrupted; notices that are being sent then are sent again later.
 * Continues if the store fails.
 */
export const sendNotices = (
  options: SendNoticesOptions,
): Effect.Effect<never, never, NoticeStore | SecureRandom.SecureRandom> =>
  sendDueNotices(options).pipe(
    Effect.catchDefect((defect) => Effect.fail(defect)),
    Effect.catch((error) =>
      Effect.logWarning("The store of notices fails; trying again", error).pipe(logged("notices.store_failed")),
    ),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
  )
