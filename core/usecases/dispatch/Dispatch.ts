import { Clock, Effect, Option, Queue } from "effect"
import type { Aead, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { Instant } from "../../model/Instant.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../ports/DeliverySignal.ts"
import type { HostLookup } from "../../ports/HostLookup.ts"
import type { KeyRing } from "../../ports/KeyRing.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import type { WebhookSender } from "../../ports/WebhookSender.ts"
import { makeWorker } from "./Worker.ts"
import type { WorkerOptions } from "./WorkerOptions.ts"

export { ServiceName } from "../../support/DeliveryHeaders.ts"
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

/** Milliseconds after which a worker looks for due deliveries at the latest: a signal may be lost. */
const longestWait = 5000

/**
 * Milliseconds until a worker looks again if a delivery is due but not available: its endpoint is at its limit, or
 * another worker has it.
 */
const shortestWait = 250

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
      const store = yield* DeliveryQueue
      const signal = yield* DeliverySignal
      const signals = yield* signal.subscribe
      const worker = yield* makeWorker(options)
      const change = Effect.race(Queue.take(signals), worker.freed)

      /** Claims as many deliveries as there is room for, and waits until there may be more. */
      const round = Effect.gen(function* () {
        const limit = worker.claimSize(yield* Clock.currentTimeMillis)
        if (limit === 0) return yield* worker.freed
        if ((yield* worker.claim(limit)) === limit) return
        const now = yield* Clock.currentTimeMillis
        const due = yield* store.nextDue(now)
        const wait = Option.match(due, {
          onNone: () => longestWait,
          onSome: (due) => (due > now ? due - now : shortestWait),
        })
        yield* Effect.timeoutOption(change, Math.min(longestWait, wait))
      })

      return yield* round.pipe(
        Effect.catchDefect((defect) => Effect.fail(defect)),
        Effect.catch((error) =>
          Effect.andThen(
            Effect.logWarning("The store of deliveries fails; trying again", error),
            Effect.sleep("1 second"),
          ),
        ),
        Effect.forever,
      )
    }),
  )

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
  let claimed = 0
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    if (now >= limits.deadline) break
    // An attempt that ends during the claim may make room: nothing is left only if nothing was under way before.
    const wasIdle = worker.isIdle()
    const limit = Math.min(worker.claimSize(now), limits.max - claimed)
    const found = limit > 0 ? yield* worker.claim(limit) : 0
    claimed += found
    if (found === 0 && wasIdle) break
    if (!worker.isIdle()) yield* worker.freed
  }
  yield* worker.release
  yield* worker.idle
  return worker.counts
}, Effect.scoped)
