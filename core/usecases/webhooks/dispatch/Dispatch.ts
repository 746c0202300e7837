import { Clock, Effect, Queue } from "effect"
import type { Aead, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { Instant } from "../../../model/Instant.ts"
import { logged } from "../../../model/log/LogEvent.ts"
import type { DeliveryQueue } from "../../../ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../../ports/DeliverySignal.ts"
import type { HostLookup } from "../../../ports/HostLookup.ts"
import type { KeyRing } from "../../../ports/KeyRing.ts"
import type { StorageError } from "../../../ports/StorageError.ts"
import type { WebhookSender } from "../../../ports/WebhookSender.ts"
import { makeWorker } from "./Worker.ts"
import type { WorkerOptions } from "./WorkerOptions.ts"

export { ServiceName } from "../../../support/DeliveryHeaders.ts"
export { attemptTimeout, connectTimeout, defaultWorker, type WorkerOptions } from "./WorkerOptions.ts"

/** The services of a delivery: the queue, the way to receivers, and cryptography to sign. */
type DispatchServices =
  | DeliveryQueue
  | HostLookup
  | WebhookSender
  | KeyRing
  | Mac.Mac
  | Aead.Aead
  | Kdf.Kdf
  | SecureRandom.SecureRandom

/**
 * Delivers what is due (§6) until it is interrupted: claims, attempts, settles. Then it finishes and settles the
 * attempts under way. If the store fails, it tries again every second.
 *
 * Any number of workers may run on one store. A worker that dies loses nothing: its claims are claimed again when their
 * leases end.
 */
export const work = (options: WorkerOptions): Effect.Effect<never, never, DispatchServices | DeliverySignal> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { subscribe } = yield* DeliverySignal
      const signals = yield* subscribe
      const worker = yield* makeWorker(options)
      yield* Queue.take(signals).pipe(Effect.map(worker.hear), Effect.forever, Effect.forkScoped)

      // A step finds what may wait longest, but many steps in a row must not keep claims waiting.
      let isClaimNext = false

      /** Takes a step of the walk, claims as many deliveries as there is room for, or waits until there may be more. */
      const round = Effect.gen(function* () {
        const { walk } = worker
        const now = yield* Clock.currentTimeMillis
        const size = worker.claimSize(now)
        // Without a time limit, which would cost a turn of the event loop: claims wait already.
        if (size === 0) return yield* worker.freed
        const mayClaim = worker.mayClaim()
        const isStepDue = now >= walk.dueAt || (walk.isWhole && !mayClaim)
        if (isStepDue && !(isClaimNext && mayClaim)) {
          isClaimNext = true
          yield* quietly(walk.step)
        } else if (mayClaim) {
          isClaimNext = false
          yield* worker.claim(size)
        } else yield* Effect.timeoutOption(worker.freed, walk.dueAt - now)
      })

      return yield* round.pipe(
        Effect.catchDefect((defect) => Effect.fail(defect)),
        Effect.catch((error) =>
          Effect.andThen(
            Effect.logWarning("The store of deliveries fails; trying again", error).pipe(
              logged("deliveries.store_failed"),
            ),
            Effect.sleep("1 second"),
          ),
        ),
        Effect.forever,
      )
    }),
  )

/** Without spans: a step mostly finds nothing, and another follows every second. */
const quietly = Effect.withTracerEnabled(false)

/** When {@link drain} ends at the latest. */
export interface DrainLimits {
  /** The most attempts that it begins. */
  readonly max: number
  /** It begins no attempt at this instant or later. */
  readonly deadline: Instant
}

/** The attempts that {@link drain} made. */
export interface Drained {
  readonly attempts: number
  readonly succeeded: number
}

/**
 * Delivers what is due and ends, for cron and serverless: when nothing is due any more or a limit is reached, and every
 * attempt that it began is settled.
 *
 * Fails if the store fails.
 */
export const drain: (
  options: WorkerOptions,
  limits: DrainLimits,
) => Effect.Effect<Drained, StorageError, DispatchServices> = Effect.fnUntraced(function* (options, limits) {
  const worker = yield* makeWorker(options, limits.deadline)
  const { walk } = worker
  let claimed = 0
  /** Claims since the walk began: what they left, and what has become due meanwhile, the next walk finds. */
  let found = 0
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    if (now >= limits.deadline || claimed >= limits.max) break
    const size = Math.min(worker.claimSize(now), limits.max - claimed)
    if (size > 0 && worker.mayClaim()) {
      const claims = yield* worker.claim(size)
      claimed += claims
      found += claims
    } else if (!worker.isIdle()) yield* worker.freed
    else if (worker.awaitsPace()) yield* Effect.timeoutOption(worker.freed, limits.deadline - now)
    else if (walk.isWhole) yield* quietly(walk.step)
    else if (found === 0) break
    else {
      found = 0
      walk.start()
    }
  }
  yield* worker.release
  yield* worker.idle
  return worker.counts
}, Effect.scoped)
