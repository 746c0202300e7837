import { Clock, Effect, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../../../model/Instant.ts"
import { type Claim, DeliveryQueue } from "../../../ports/DeliveryQueue.ts"
import type { Signal } from "../../../ports/DeliverySignal.ts"
import { afterAttempt } from "../../../rules/webhooks/DeliveryState.ts"
import { heeding } from "../../../rules/webhooks/RetryAfter.ts"
import type { RetrySchedule } from "../../../rules/webhooks/RetryPolicy.ts"
import { type Done, makeAttempts } from "./Attempt.ts"
import { ClaimLimits } from "./ClaimLimits.ts"
import { makeDeliverySpans } from "./DeliverySpans.ts"
import { Demand } from "./Demand.ts"
import { makePacedSlots } from "./PacedSlots.ts"
import { makeSettling } from "./Settling.ts"
import { ShopTurns } from "./ShopTurns.ts"
import { Walk } from "./Walk.ts"
import { timedClaim } from "./WorkerMetrics.ts"
import { attemptTimeout, type WorkerOptions } from "./WorkerOptions.ts"

/** The state of a delivery after an attempt. */
const changeBy = (claim: Claim, done: Done, schedule: RetrySchedule) => {
  const change = afterAttempt({ status: "pending", test: claim.test }, done.attempt, schedule)
  if (change === undefined) throw new Error("A claimed delivery is not pending")
  return heeding(change, { ...done, options: claim.options })
}

/**
 * Makes a worker that works while the scope is open: it claims deliveries within its {@link ClaimLimits}, attempts them
 * in its {@link Slots}, and settles the attempts. It claims more than it has slots for, so that a slot need not wait
 * for the store. No attempt begins at the instant `deadline` or later. When the scope closes, the worker releases the
 * claims that wait, and finishes and settles the attempts under way.
 */
export const makeWorker = Effect.fnUntraced(function* (options: WorkerOptions, deadline = Number.POSITIVE_INFINITY) {
  const store = yield* DeliveryQueue
  const random = yield* SecureRandom.SecureRandom
  const spans = yield* makeDeliverySpans
  const attempts = yield* makeAttempts(spans)
  const limits = new ClaimLimits(options)
  const { awaitsPace, enqueue, slots, ...paced } = yield* makePacedSlots({
    worker: options,
    deadline,
    begin: (claim) => {
      counts.attempts++
      attempts.begin(claim, (attempt) => end(claim, attempt))
    },
    givenBack: (claim) => goOn(limits.remove([claim])),
    again: (shop) => goOn([shop]),
    hasRoom: () => limits.room.newcomer > 0,
    left: (claims) => goOn(limits.leave(claims)),
  })
  const demand = new Demand(slots)
  const turns = new ShopTurns()
  const walk = new Walk(store, turns)
  const counts = { attempts: 0, succeeded: 0 }
  const freed = yield* Queue.sliding<void>(1)

  /**
   * Claims up to `size` deliveries of the shops whose turn it is, and fills the free slots. Succeeds with the number of
   * claims. If interrupted, it claims all or none.
   */
  const claim = Effect.fnUntraced(function* (size: number) {
    const now = yield* Clock.currentTimeMillis
    const leaseUntil = now + options.lease
    const token = Hex.encode(yield* random.randomBytes(16))
    const shops = turns.next(limits.room)
    const request = { now, limit: size, ...limits.begin(shops), shops, leaseUntil, token }
    const claiming = timedClaim(store.claim(request))
    const claims = yield* spans === undefined ? claiming : spans.claiming(claiming)
    turns.found(request, claims)
    limits.add(claims)
    enqueue(claims, leaseUntil)
    turns.add(limits.remove(slots.fill()))
    return claims.length
  }, Effect.uninterruptible)

  const end = (claim: Claim, done: Done | undefined) => {
    demand.attemptEnded()
    paced.free(claim, { isSettled: done === undefined })
    if (done === undefined) return goOn(limits.remove([claim]))
    const change = changeBy(claim, done, options.schedule)
    if (change.status === "succeeded") counts.succeeded++
    settle({ claim, attempt: done.attempt, ...change })
    goOn([])
  }

  const settle = yield* makeSettling(options.lease, spans, (batch) => {
    slots.settle(batch.length)
    for (const { nextAttemptAt } of batch) if (nextAttemptAt !== null) walk.expect(nextAttemptAt)
    goOn(limits.settle(batch))
  })

  /** Fills the free slots. Says so if few claims wait: there may be more to claim, of these shops or others. */
  const goOn = (shops: ReadonlyArray<string>): void => {
    turns.add(shops)
    turns.add(limits.remove(slots.fill()))
    if (demand.isLow || slots.isIdle) Queue.offerUnsafe(freed, undefined)
  }

  /** Releases the claims that wait for a slot, so that other workers can have them at once. */
  const release = Effect.suspend(() => {
    const claims = slots.clear()
    limits.remove(claims)
    return paced.release(claims)
  })

  const idle = Effect.suspend(() => (slots.isIdle ? Effect.void : Queue.take(freed))).pipe(
    Effect.repeat({ until: () => slots.isIdle }),
  )

  yield* Effect.addFinalizer(() => Effect.andThen(release, Effect.timeoutOption(idle, attemptTimeout + 500)))
  return {
    claim,
    /** How many deliveries to claim at an instant; 0 if enough claims wait. */
    claimSize: (now: Instant) => demand.sizeAt(now),
    /** Whether it is the turn of a shop that there is room for. */
    mayClaim: () => turns.isDue(limits.room),
    walk,
    hear: (signal: Signal) => {
      walk.hear(signal)
      Queue.offerUnsafe(freed, undefined)
    },
    release,
    idle,
    isIdle: () => slots.isIdle,
    /** Whether more deliveries of an endpoint with a pace may be claimed soon. */
    awaitsPace,
    /** The attempts that began, and how many of them succeeded. */
    counts,
    /** Completes when there may be more to claim, or nothing is under way any more. */
    freed: Queue.take(freed),
  }
})
