import { Clock, Effect, FiberSet, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../../model/Instant.ts"
import { type Claim, DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import type { Signal } from "../../ports/DeliverySignal.ts"
import { afterAttempt } from "../../rules/DeliveryState.ts"
import { heeding } from "../../rules/deliveries/RetryAfter.ts"
import type { RetrySchedule } from "../../rules/RetryPolicy.ts"
import { type Done, makeAttempts } from "./Attempt.ts"
import { ClaimLimits } from "./ClaimLimits.ts"
import { makeDeliverySpans } from "./DeliverySpans.ts"
import { Demand } from "./Demand.ts"
import { LongAttempts } from "./LongAttempts.ts"
import { makePacedSlots } from "./PacedSlots.ts"
import { makeSettling } from "./Settling.ts"
import { ShopTurns } from "./ShopTurns.ts"
import type { Slots } from "./Slots.ts"
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
 * Returns a function for when newcomers may lack room. While they do, the oldest attempts at newcomers leave their
 * slots, some after each pause.
 */
const makeLeaving = Effect.fnUntraced(function* (
  long: LongAttempts,
  limits: ClaimLimits,
  leave: (count: number) => void,
) {
  const run = yield* FiberSet.makeRuntime()
  let willLeave = false

  const leaveSoon = (): void => {
    if (willLeave || limits.room.newcomer > 0) return
    willLeave = true
    run(Effect.andThen(Effect.sleep(long.pause), Effect.sync(leaveNow)))
  }

  const leaveNow = (): void => {
    willLeave = false
    if (limits.room.newcomer === 0) {
      const left = long.leave()
      limits.leave(left)
      leave(left.length)
    }
    leaveSoon()
  }
  return leaveSoon
})

/**
 * Makes the end of the work, which comes with the scope at the latest: `release` gives the claims that wait for a slot
 * to other workers, and `idle` completes when no attempt is under way.
 */
const makeEnding = Effect.fnUntraced(function* (
  slots: Slots,
  limits: ClaimLimits,
  freed: Queue.Queue<void>,
  giveBack: (claims: ReadonlyArray<Claim>) => Effect.Effect<void>,
) {
  const release = Effect.suspend(() => {
    const claims = slots.clear()
    limits.remove(claims)
    return giveBack(claims)
  })
  const idle = Effect.suspend(() => (slots.isIdle ? Effect.void : Queue.take(freed))).pipe(
    Effect.repeat({ until: () => slots.isIdle }),
  )
  yield* Effect.addFinalizer(() => Effect.andThen(release, Effect.timeoutOption(idle, attemptTimeout + 500)))
  return { release, idle }
})

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
  const long = new LongAttempts(options.concurrency)
  const { awaitsPace, enqueue, ...paced } = yield* makePacedSlots({
    worker: options,
    deadline,
    begin: (claim) => {
      counts.attempts++
      long.begin(claim)
      attempts.begin(claim, (attempt) => end(claim, attempt))
    },
    givenBack: (claim) => goOn(limits.remove([claim])),
    again: (shop) => goOn([shop]),
  })
  const { slots } = paced
  const demand = new Demand(slots)
  const turns = new ShopTurns()
  const walk = new Walk(store, (shops) => turns.add(shops))
  const counts = { attempts: 0, succeeded: 0 }
  const freed = yield* Queue.sliding<void>(1)

  const leaveSoon = yield* makeLeaving(long, limits, (count) => {
    slots.leave(count)
    goOn([])
  })

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
    leaveSoon()
    return claims.length
  }, Effect.uninterruptible)

  const end = (claim: Claim, done: Done | undefined): void => {
    demand.attemptEnded()
    slots.free({ isSettled: done === undefined, hadLeft: long.end(claim) })
    if (done === undefined) goOn(limits.remove([claim]))
    else {
      const change = changeBy(claim, done, options.schedule)
      if (change.status === "succeeded") counts.succeeded++
      settle({ claim, attempt: done.attempt, ...change })
      goOn([])
    }
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

  const ending = yield* makeEnding(slots, limits, freed, paced.release)
  return {
    claim,
    /** How many deliveries to claim at an instant; 0 if enough claims wait. */
    claimSize: (now: Instant) => demand.sizeAt(now),
    /** Whether it is the turn of a shop that there is room for. */
    mayClaim: () => turns.isDue(limits.room),
    walk,
    hear: (signal: Signal) => {
      if (signal === null) walk.start()
      else turns.hear(signal)
      Queue.offerUnsafe(freed, undefined)
    },
    ...ending,
    isIdle: () => slots.isIdle,
    /** Whether more deliveries of an endpoint with a pace may be claimed soon. */
    awaitsPace,
    /** The attempts that began, and how many of them succeeded. */
    counts,
    /** Completes when there may be more to claim, or nothing is under way any more. */
    freed: Queue.take(freed),
  }
})
