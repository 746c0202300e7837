import { Clock, Effect, FiberSet } from "effect"
import type { Instant } from "../../../model/Instant.ts"
import { logged } from "../../../model/log/LogEvent.ts"
import { type Claim, DeliveryQueue } from "../../../ports/DeliveryQueue.ts"
import type { StorageError } from "../../../ports/StorageError.ts"
import { claimableAgain, tolerance } from "../../../rules/webhooks/Pace.ts"
import { LongAttempts } from "./LongAttempts.ts"
import { Slots } from "./Slots.ts"
import { showSlots } from "./WorkerMetrics.ts"
import { attemptTimeout, type WorkerOptions } from "./WorkerOptions.ts"

export interface PacedSlotsOptions {
  readonly worker: WorkerOptions
  /** No attempt begins at this instant or later. */
  readonly deadline: Instant
  /** Begins the attempt of a claim. The attempt may end before this returns. */
  readonly begin: (claim: Claim) => void
  /** Called when a claim was released because it could not begin at its planned start. Its slot is free. */
  readonly givenBack: (claim: Claim) => void
  /** Whether another newcomer may be claimed. Until then the oldest attempts at newcomers leave their slots (D45). */
  readonly hasRoom: () => boolean
  /** Called with claims whose attempts have left their slots, which are free. */
  readonly left: (claims: ReadonlyArray<Claim>) => void
  /** Called with a shop when more deliveries of an endpoint with a pace may be claimed. */
  readonly again: (shop: string) => void
}

const notReleased = (error: StorageError) =>
  Effect.logWarning("Could not release deliveries; their leases run out", error).pipe(
    logged("deliveries.release_failed"),
  )

/** Makes the slots of a worker, in which attempts begin when their claims planned it (D54), while the scope is open. */
export const makePacedSlots = Effect.fnUntraced(function* ({
  again,
  begin,
  deadline,
  givenBack,
  hasRoom,
  left,
  worker: { concurrency, lease },
}: PacedSlotsOptions) {
  const store = yield* DeliveryQueue
  const run = yield* FiberSet.makeRuntime()
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const long = new LongAttempts(concurrency)
  let awaited = 0
  /** Whether attempts leave their slots after a pause. */
  let willLeave = false

  const release = (claims: ReadonlyArray<Claim>) => Effect.catch(store.release(claims), notReleased)

  /** Timers may end a millisecond early. */
  const until = (instant: Instant) =>
    Effect.suspend(() => Effect.sleep(instant - now())).pipe(Effect.repeat({ until: () => now() >= instant }))

  const at = (instant: Instant, then: () => void): void => {
    run(Effect.andThen(until(instant), Effect.sync(then)))
  }

  const giveBack = (claim: Claim): void => {
    const freed = Effect.sync(() => {
      slots.free({ isSettled: true })
      givenBack(claim)
    })
    run(Effect.andThen(release([claim]), freed))
  }

  const beginUnlessLate = (claim: Claim) => {
    if (claim.startsAt !== null && now() > claim.startsAt + tolerance) return giveBack(claim)
    long.begin(claim)
    begin(claim)
  }

  const slots = new Slots({
    count: concurrency,
    now,
    deadline,
    leastLease: Math.min(attemptTimeout, lease / 2),
    begin: (claim) => {
      const startsAt = claim.startsAt ?? Number.NEGATIVE_INFINITY
      if (startsAt >= deadline) giveBack(claim)
      else if (startsAt > now()) at(startsAt, () => beginUnlessLate(claim))
      else beginUnlessLate(claim)
    },
  })
  yield* showSlots(slots)

  /** Notes new claims: more of an endpoint with a pace can be claimed shortly before its next start. */
  const expectMore = (claims: ReadonlyArray<Claim>): void => {
    const last = new Map(claims.flatMap((claim) => (claim.startsAt === null ? [] : [[claim.endpointId, claim]])))
    for (const { options, shop, startsAt } of last.values()) {
      if (startsAt === null || options.maxPerSecond === null) continue
      awaited++
      at(claimableAgain(startsAt, options.maxPerSecond), () => {
        awaited--
        again(shop)
      })
    }
  }

  const leaveSoon = (): void => {
    if (willLeave || hasRoom()) return
    willLeave = true
    run(Effect.andThen(Effect.sleep(long.pause), Effect.sync(leave)))
  }

  const leave = (): void => {
    willLeave = false
    const leaving = hasRoom() ? [] : long.leave()
    slots.leave(leaving.length)
    left(leaving)
    leaveSoon()
  }

  return {
    slots,
    /** Adds claims behind those that wait for a slot. */
    enqueue: (claims: ReadonlyArray<Claim>, leaseUntil: Instant): void => {
      expectMore(claims)
      slots.enqueue(claims, leaseUntil)
      leaveSoon()
    },
    /** Notes that an attempt ended. */
    free: (claim: Claim, { isSettled }: { readonly isSettled: boolean }): void =>
      slots.free({ isSettled, hadLeft: long.end(claim) }),
    /** Ends claims without attempts. */
    release,
    /** Whether more deliveries of an endpoint with a pace may be claimed soon. */
    awaitsPace: (): boolean => awaited > 0,
  }
})
