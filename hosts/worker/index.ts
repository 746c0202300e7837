/** The delivery worker: what sends webhooks, put together. */
import { Effect, Layer, Schedule } from "effect"
import * as NodeAdapter from "../../adapters/node/index.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import * as Dispatch from "../../core/usecases/dispatch/Dispatch.ts"
import { pruneDeliveries } from "../../core/usecases/ManageDeliveries.ts"

/** What a worker is told. */
export interface WorkerSettings {
  readonly keyRing: KeyRing["Service"]
  /** The name in the `User-Agent` of deliveries. Default: `Designwire`. */
  readonly serviceName?: string
  /** Where webhooks may be sent to. Default: the public internet over `https:`. */
  readonly webhookPolicy?: HostPolicy
  /** How much is done at the same time. Default: {@link Dispatch.defaultWorker}. */
  readonly worker?: Dispatch.WorkerOptions
}

/** What delivering takes beside the storage ports: the way to receivers, from Node, and the settings. */
const surroundings = ({ keyRing, serviceName = "Designwire", webhookPolicy = publicOnly }: WorkerSettings) =>
  Layer.mergeAll(
    NodeAdapter.layer(),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(Dispatch.ServiceName, serviceName),
    Layer.succeed(WebhookPolicy, NodeAdapter.withOwnNetworks(webhookPolicy)),
  )

/** Clears the delivery log; what can't be cleared now is later. */
const clearLog = (deadline?: Instant) =>
  Effect.catch(pruneDeliveries(deadline), (error) =>
    Effect.logWarning("Could not clear the delivery log; trying again later", error),
  )

/** Delivers over the storage ports at hand until its scope closes; then it finishes the attempts under way. Clears the delivery log now and then. */
export const layer = (settings: WorkerSettings): Layer.Layer<never, never, DeliveryQueue | DeliverySignal | Upkeep> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.forkScoped(Dispatch.work(settings.worker ?? Dispatch.defaultWorker))
      yield* clearLog().pipe(Effect.repeat(Schedule.spaced("10 minutes")), Effect.forkScoped)
    }),
  ).pipe(Layer.provide(surroundings(settings)))

/**
 * Delivers what is due over the storage ports at hand, and ends: for cron and serverless. It begins at most `max` attempts, none from the instant
 * `deadline` (milliseconds since 1970) on, and finishes those it began. In what time is left it clears the delivery log.
 *
 * Fails where the store does.
 */
export const drain = (
  settings: WorkerSettings,
  limits: Dispatch.DrainLimits,
): Effect.Effect<Dispatch.Drained, StorageError, DeliveryQueue | Upkeep> =>
  Dispatch.drain(settings.worker ?? Dispatch.defaultWorker, limits).pipe(
    Effect.tap(() => clearLog(limits.deadline)),
    Effect.provide(surroundings(settings)),
  )
