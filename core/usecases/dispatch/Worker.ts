import { Clock, Effect, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../../model/Instant.ts"
import { type Claim, DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { afterAttempt, isSuccess } from "../../rules/DeliveryState.ts"
import { proves } from "../../rules/EndpointState.ts"
import * as Prefetch from "../../rules/Prefetch.ts"
import { slotShare, unprovenSlots } from "../../rules/SlotShare.ts"
import { makeAttempts } from "./Attempt.ts"
import { BusyEndpoints } from "./BusyEndpoints.ts"
import { makeSettling } from "./Settling.ts"
import { attemptTimeout, type WorkerOptions } from "./WorkerOptions.ts"

/** A claim that waits for a slot. */
interface Waiting {
  readonly claim: Claim
  readonly leaseUntil: Instant
}

/**
 * Makes a worker, which works for as long as the scope is open: it claims deliveries, attempts them and settles the attempts. It begins none from the
 * instant `deadline` on. When the scope closes, claims that wait are released, and attempts under way are finished and settled.
 *
 * It works in slots, as many as its concurrency, and takes claims for them from those that wait, so that it need not wait for the store. A slot is free
 * when its attempt has ended, settled or not. At most twice as many attempts as there are slots are begun and not settled: so many a worker that dies
 * leaves to be made again.
 */
export const makeWorker = Effect.fnUntraced(function* (options: WorkerOptions, deadline = Number.POSITIVE_INFINITY) {
  const store = yield* DeliveryQueue
  const random = yield* SecureRandom.SecureRandom
  const clock = yield* Clock.Clock
  const busy = new BusyEndpoints()
  const share = slotShare(options.concurrency)
  const waiting: Array<Waiting> = []
  const counts = { attempts: 0, succeeded: 0 }
  /** Attempts that have ended and are not settled. */
  let unsettled = 0
  let pace = Prefetch.unmeasured
  /** The last claim found less than it asked for, and nothing has happened since: there is more only where a limit was reached. */
  let exhausted = false
  /** Something may be claimed that could not be before, or nothing is under way any more. */
  const freed = yield* Queue.sliding<void>(1)

  const isIdle = () => attempts.count() === 0 && unsettled === 0
  /** Slots that have an attempt under way, or stay empty until some that ended are settled. */
  const slotsInUse = () => attempts.count() + Math.max(0, unsettled - options.concurrency)

  /** A claim with less than this left of its lease is not attempted: another worker may have it before the attempt ends. */
  const leastLease = Math.min(attemptTimeout, options.lease / 2)

  /** Counts a claim no longer. Answers whether that makes room where a limit was reached, which is lower for an endpoint that is no longer proven. */
  const free = (claim: Claim, proven = claim.proven): boolean => {
    const wasAtLimit =
      busy.ofEndpoint(claim) >= (proven ? options.perEndpoint : unprovenSlots) || busy.ofShop(claim.shop) >= share
    busy.remove(claim)
    return wasAtLimit
  }

  let filling = false
  /** Begins what there are free slots for. Answers whether a claim that it did not begin made room where a limit was reached. */
  const fill = (): boolean => {
    // An attempt may end while it begins.
    if (filling) return false
    filling = true
    let madeRoom = false
    while (waiting.length > 0 && slotsInUse() < options.concurrency) {
      const now = clock.currentTimeMillisUnsafe()
      if (now >= deadline) break
      const { claim, leaseUntil } = waiting.shift() as Waiting
      if (leaseUntil - now < leastLease) madeRoom = free(claim) || madeRoom
      else begin(claim)
    }
    filling = false
    return madeRoom
  }

  /** Goes on after something has ended, and says so where there may be more to claim. */
  const goOn = (madeRoom: boolean): void => {
    const isLow = () => !exhausted && waiting.length <= pace.ahead / 2
    if (fill() || madeRoom || isIdle() || isLow()) Queue.offerUnsafe(freed, undefined)
  }

  const begin = (claim: Claim) => {
    counts.attempts++
    attempts.begin(claim, (attempt) => {
      pace = Prefetch.attemptEnded(pace)
      if (attempt === undefined) return goOn(free(claim))
      const change = afterAttempt({ status: "pending", test: claim.test }, attempt, options.schedule)
      if (change === undefined) throw new Error("A claimed delivery is not pending")
      if (change.status === "succeeded") counts.succeeded++
      unsettled++
      settle({ claim, attempt, ...change })
      goOn(false)
    })
  }

  const attempts = yield* makeAttempts
  const settle = yield* makeSettling(options.lease, (batch) => {
    unsettled -= batch.length
    let madeRoom = false
    for (const { attempt, claim } of batch) {
      const proven = claim.proven && proves({ success: isSuccess(attempt), durationMs: attempt.durationMs })
      madeRoom = free(claim, proven) || madeRoom
    }
    goOn(madeRoom)
  })

  /** Releases the claims that wait for a slot: other workers can have them at once. */
  const release = Effect.suspend(() => {
    const claims = waiting.splice(0).map(({ claim }) => claim)
    for (const claim of claims) free(claim)
    return store.release(claims)
  }).pipe(Effect.catch((error) => Effect.logWarning("Could not release deliveries; their leases run out", error)))

  /** Completes when nothing is under way. */
  const idle = Effect.suspend(() => (isIdle() ? Effect.void : Queue.take(freed))).pipe(Effect.repeat({ until: isIdle }))

  yield* Effect.addFinalizer(() => Effect.andThen(release, Effect.timeoutOption(idle, attemptTimeout + 500)))

  /** How many to claim at `now`; 0 while there is enough. */
  const claimSize = (now: Instant): number => {
    pace = Prefetch.measure(pace, options.concurrency, now)
    const size = Prefetch.claimSize({
      slots: options.concurrency,
      slotsInUse: slotsInUse(),
      waiting: waiting.length,
      ahead: pace.ahead,
    })
    // Whoever asks has reason to, and must be told when there is room.
    if (size === 0) exhausted = false
    return size
  }

  /** Claims up to `limit` deliveries, and begins what there are free slots for. Succeeds with how many; where it is interrupted, it claims all or none. */
  const claim = Effect.fnUntraced(function* (limit: number) {
    const now = yield* Clock.currentTimeMillis
    const leaseUntil = now + options.lease
    const claims = yield* store.claim({
      now,
      limit,
      perShop: share,
      perEndpoint: options.perEndpoint,
      unproven: { limit: Math.max(0, share - busy.unproven), perEndpoint: unprovenSlots },
      busy: busy.list(),
      leaseUntil,
      token: Hex.encode(yield* random.randomBytes(16)),
    })
    for (const claim of claims) {
      busy.add(claim)
      waiting.push({ claim, leaseUntil })
    }
    exhausted = claims.length < limit
    fill()
    return claims.length
  }, Effect.uninterruptible)

  return {
    claim,
    claimSize,
    release,
    idle,
    isIdle,
    /** Attempts that it began, and those of them that succeeded. */
    counts,
    /** Completes when something may be claimed that could not be before, or nothing is under way any more. */
    freed: Queue.take(freed),
  }
})
