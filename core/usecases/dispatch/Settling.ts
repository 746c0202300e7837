import { Effect, Queue, Schedule } from "effect"
import type { Health } from "../../model/Health.ts"
import { DeliveryQueue, type Settlement } from "../../ports/DeliveryQueue.ts"
import { endedAt, isSuccess } from "../../rules/DeliveryState.ts"
import * as EndpointState from "../../rules/EndpointState.ts"

/** Milliseconds between tries to settle a batch. */
const retryInterval = 500

/**
 * Makes what settles attempts, for as long as the scope is open: a function that takes one that ended. `settled` is called with each batch that is
 * settled, or whose settling was given up.
 *
 * Attempts that end while the store is at work are settled together, in the order in which they ended. What the store does not take is tried again for as
 * long as a claim lasts, `lease` in milliseconds; then another worker may have the delivery. When the scope closes, nothing is tried again.
 */
export const makeSettling = Effect.fnUntraced(function* (
  lease: number,
  settled: (batch: ReadonlyArray<Settlement>) => void,
) {
  const store = yield* DeliveryQueue
  const ended = yield* Queue.unbounded<Settlement>()
  let closing = false

  const settleAll = (batch: ReadonlyArray<Settlement>) =>
    store.settle(batch, advance).pipe(
      // A connection that is lost within a transaction is a defect of the rollback. Whatever it is, settling must go on.
      Effect.catchDefect((defect) => Effect.fail(defect)),
      Effect.tapError((error) => Effect.logWarning("Could not settle deliveries; trying again", error)),
      Effect.retry({
        schedule: Schedule.spaced(retryInterval),
        times: Math.ceil(lease / retryInterval),
        while: () => !closing,
      }),
      Effect.catch((error) => Effect.logError("Gave up settling deliveries: they are attempted again", error)),
      Effect.andThen(Effect.sync(() => settled(batch))),
      Effect.uninterruptible,
    )

  yield* Queue.takeAll(ended).pipe(Effect.flatMap(settleAll), Effect.forever, Effect.forkScoped)
  // Runs before the loop above is interrupted, which waits for the batch at hand.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closing = true
    }),
  )

  return (settlement: Settlement): void => {
    Queue.offerUnsafe(ended, settlement)
  }
})

/** An endpoint's health after a settlement (§3, D27). */
const advance = (health: Health, { attempt, claim }: Settlement): Health =>
  EndpointState.afterAttempt(health, {
    test: claim.test,
    success: isSuccess(attempt),
    endedAt: endedAt(attempt),
    durationMs: attempt.durationMs,
  })
