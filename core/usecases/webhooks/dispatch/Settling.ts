import { type Context, Effect, Queue, Schedule } from "effect"
import type { Health } from "../../../model/Health.ts"
import { logged } from "../../../model/log/LogEvent.ts"
import { DeliveryQueue, type Settlement } from "../../../ports/DeliveryQueue.ts"
import { endedAt, isSuccess } from "../../../rules/webhooks/DeliveryState.ts"
import * as EndpointState from "../../../rules/webhooks/EndpointState.ts"
import { countFinished } from "./AttemptMetrics.ts"
import type { DeliverySpans } from "./DeliverySpans.ts"
import { timedSettle } from "./WorkerMetrics.ts"

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
    const settling = timedSettle(store.settle(batch, advance))
    return (spans === undefined ? settling : spans.settling(batch, settling)).pipe(
      Effect.tap((effects) => countAll(batch, effects)),
      // A connection that is lost in a transaction makes the rollback a defect. Settling must continue after any of
      // them.
      Effect.catchDefect((defect) => Effect.fail(defect)),
      Effect.tapError((error) =>
        Effect.logWarning("Could not settle deliveries; trying again", error).pipe(logged("deliveries.settle_failed")),
      ),
      Effect.retry({
        schedule: Schedule.spaced(retryInterval),
        times: Math.ceil(lease / retryInterval),
        while: () => !closing,
      }),
      Effect.catch((error) =>
        Effect.logError("Gave up settling deliveries: they are attempted again", error).pipe(
          logged("deliveries.settle_given_up"),
        ),
      ),
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

/** Counts the deliveries that are finished, once each: a settlement has no effect if its claim was outdated. */
const countAll = (batch: ReadonlyArray<Settlement>, effects: ReadonlyArray<boolean>) =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      for (const [index, settlement] of batch.entries()) if (effects[index] === true) countFinished(settlement, context)
    }),
  )

/** An endpoint's health after a settlement (§3, D27). */
const advance = (health: Health, { attempt, claim }: Settlement): Health =>
  EndpointState.afterAttempt(health, {
    test: claim.test,
    success: isSuccess(attempt),
    endedAt: endedAt(attempt),
    durationMs: attempt.durationMs,
  })
