import { Clock, Effect, FiberSet, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { Instant } from "../../model/Instant.ts"
import { type Claim, DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import * as Prefetch from "../../rules/Prefetch.ts"
import { slotShare, unprovenSlots } from "../../rules/SlotShare.ts"
import { BusyEndpoints } from "./BusyEndpoints.ts"
import { attemptTimeout, type WorkerOptions } from "./WorkerOptions.ts"

/** A claim that waits for a slot. */
interface Waiting {
  readonly claim: Claim
  readonly leaseUntil: Instant
}

/**
 * Makes a worker, which works for as long as the scope is open: it holds claims and calls `deliver` with each, which must not fail and completes when the
 * delivery is settled. When the scope closes, claims that wait are released, and those under way are finished.
 *
 * It works in slots, as many as its concurrency. A slot delivers one claim after the other and takes them from those that wait, so that it need not wait
 * for the store. It takes the next only when the last is settled: a worker that dies leaves at most one unsettled attempt per slot.
 */
export const makeWorker = Effect.fnUntraced(function* (
  options: WorkerOptions,
  deliver: (claim: Claim) => Effect.Effect<void>,
) {
  const store = yield* DeliveryQueue
  const random = yield* SecureRandom.SecureRandom
  const slots = yield* FiberSet.make()
  const busy = new BusyEndpoints()
  const share = slotShare(options.concurrency)
  const waiting: Array<Waiting> = []
  /** Slots that have a claim, or are about to take one. */
  let slotsInUse = 0
  let pace = Prefetch.unmeasured
  /** The last claim found less than it asked for, and nothing has happened since: there is more only where a limit was reached. */
  let exhausted = false
  /** Something may be claimed that could not be before. */
  const freed = yield* Queue.sliding<void>(1)

  const signalFreed = () => {
    Queue.offerUnsafe(freed, undefined)
  }

  const free = (claim: Claim) => {
    // The end of one of an endpoint that is not proven always makes room: for the next of it, or of another such endpoint.
    const wasAtLimit =
      busy.ofEndpoint(claim) >= (claim.proven ? options.perEndpoint : unprovenSlots) || busy.ofShop(claim.shop) >= share
    busy.remove(claim)
    if (wasAtLimit || !exhausted) signalFreed()
  }

  /** A claim with less than this left of its lease is not attempted: another worker may have it before the attempt ends. */
  const leastLease = Math.min(attemptTimeout, options.lease / 2)

  const slot = Effect.gen(function* () {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (next.leaseUntil - (yield* Clock.currentTimeMillis) >= leastLease) yield* deliver(next.claim)
      pace = Prefetch.attemptEnded(pace)
      free(next.claim)
    }
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        slotsInUse--
        if (!exhausted || slotsInUse === 0) signalFreed()
      }),
    ),
  )

  /** Completes when no attempt is under way. */
  const idle = FiberSet.awaitEmpty(slots)

  /** Releases the claims that wait for a slot: other workers can have them at once. */
  const release = Effect.suspend(() => {
    const claims = waiting.splice(0).map(({ claim }) => claim)
    for (const claim of claims) free(claim)
    return store.release(claims)
  }).pipe(Effect.catch((error) => Effect.logWarning("Could not release deliveries; their leases run out", error)))

  yield* Effect.addFinalizer(() => Effect.andThen(release, Effect.timeoutOption(idle, attemptTimeout + 500)))

  /** How many to claim at `now`; 0 while there is enough. */
  const claimSize = (now: Instant): number => {
    pace = Prefetch.measure(pace, options.concurrency, now)
    const size = Prefetch.claimSize({
      slots: options.concurrency,
      slotsInUse,
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
    for (let begin = Math.min(waiting.length, options.concurrency - slotsInUse); begin > 0; begin--) {
      slotsInUse++
      yield* FiberSet.run(slots, slot)
    }
    return claims.length
  }, Effect.uninterruptible)

  return {
    claim,
    claimSize,
    release,
    idle,
    isIdle: () => slotsInUse === 0,
    /** Completes when something may be claimed that could not be before. */
    freed: Queue.take(freed),
  }
})
