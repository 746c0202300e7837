import { Effect, Queue, Schedule } from "effect"
import type { Health } from "../../model/Health.ts"
import { DeliveryQueue, type Settlement } from "../../ports/DeliveryQueue.ts"
import { endedAt, isSuccess } from "../../rules/DeliveryState.ts"
import * as EndpointState from "../../rules/EndpointState.ts"
import type { DeliverySpans } from "./DeliverySpans.ts"

/** Milliseconds between tries to settle a batch. */
const retryInterval = 500

/**
 * Makes a function that takes attempts that ended, and settles them while the scope is open. `settled` is called with
 * each batch that is settled or given up.
 *
 * Attempts that end while the store is busy are settled together, in the order in which they ended. A batch that the
 * store refuses is tried again for `lease` milliseconds, as long as a claim lasts; then another worker may have the
 * delivery. When the scope closes, nothing is tried again.
 */
export const makeSettling = Effect.fnUntraced(function* (
  lease: number,
  spans: DeliverySpans | undefined,
  settled: (batch: ReadonlyArray<Settlement>) => void,
) {
  const store = yield* DeliveryQueue
  const ended = yield* Queue.unbounded<Settlement>()
  let closing = false

  const settleAll = (batch: ReadonlyArray<Settlement>) => {
    const settling = store.settle(batch, advance)
    return (spans === undefined ? settling : spans.settling(batch, settling)).pipe(
      // A connection that is lost in a transaction makes the rollback a defect. Settling must go on after any of them.
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
  }

  yield* Queue.takeAll(ended).pipe(Effect.flatMap(settleAll), Effect.forever, Effect.forkScoped)
  // Runs before the loop above is interrupted. The interruption waits for the current batch.
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
