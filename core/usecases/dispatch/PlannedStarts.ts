import { Clock, Effect, FiberSet } from "effect"
import type { Instant } from "../../model/Instant.ts"
import type { Claim } from "../../ports/DeliveryQueue.ts"
import { claimableAgain, tolerance } from "../../rules/deliveries/Pace.ts"

export interface PlannedStartsOptions {
  /** No attempt begins at this instant or later. */
  readonly deadline: Instant
  /** Begins the attempt of a claim, which has a slot. */
  readonly begin: (claim: Claim) => void
  /** Takes back a claim, which has a slot, because it can't begin at its planned start. */
  readonly giveBack: (claim: Claim) => void
  /** Called with a shop when more deliveries of an endpoint with a pace may be claimed. */
  readonly again: (shop: string) => void
}

/** Makes attempts begin when their claims planned it (D54), while the scope is open. */
export const makePlannedStarts = Effect.fnUntraced(function* ({
  again,
  begin,
  deadline,
  giveBack,
}: PlannedStartsOptions) {
  const run = yield* FiberSet.makeRuntime()
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let awaited = 0

  /** Timers may end a millisecond early. */
  const until = (instant: Instant) =>
    Effect.suspend(() => Effect.sleep(instant - now())).pipe(Effect.repeat({ until: () => now() >= instant }))

  const at = (instant: Instant, then: () => void): void => {
    run(Effect.andThen(until(instant), Effect.sync(then)))
  }

  const beginUnlessLate = (claim: Claim): void => {
    if (claim.startsAt !== null && now() > claim.startsAt + tolerance) giveBack(claim)
    else begin(claim)
  }

  return {
    /** Begins the attempt of a claim, which has a slot, at its planned start. */
    begin: (claim: Claim): void => {
      const startsAt = claim.startsAt ?? Number.NEGATIVE_INFINITY
      if (startsAt >= deadline) giveBack(claim)
      else if (startsAt > now()) at(startsAt, () => beginUnlessLate(claim))
      else beginUnlessLate(claim)
    },

    /** Notes new claims: more of an endpoint with a pace can be claimed shortly before its next start. */
    claimed: (claims: ReadonlyArray<Claim>): void => {
      const last = new Map(claims.flatMap((claim) => (claim.startsAt === null ? [] : [[claim.endpointId, claim]])))
      for (const { options, shop, startsAt } of last.values()) {
        if (startsAt === null || options.maxPerSecond === null) continue
        awaited++
        at(claimableAgain(startsAt, options.maxPerSecond), () => {
          awaited--
          again(shop)
        })
      }
    },

    /** Whether more deliveries of an endpoint with a pace may be claimed soon. */
    areAwaited: (): boolean => awaited > 0,
  }
})
