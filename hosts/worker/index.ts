/** The delivery worker: what sends webhooks, put together. */
import { Effect, Layer, Schedule } from "effect"
import * as NodeAdapter from "../../adapters/node/index.ts"
import type { HostPolicy } from "../../core/model/HostPolicy.ts"
import type { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { Dispatch, ServiceName, type WorkerOptions } from "../../core/usecases/Dispatch.ts"
import { pruneDeliveries } from "../../core/usecases/ManageDeliveries.ts"

/** What a worker is told. */
export interface WorkerSettings {
  readonly keyRing: KeyRing["Service"]
  readonly serviceName: string
  readonly webhookPolicy: HostPolicy
  readonly worker: WorkerOptions
}

/** Makes deliveries over the storage ports at hand, when its `work` or `drain` is run. */
export const layerDispatch = (settings: WorkerSettings): Layer.Layer<Dispatch, never, DeliveryQueue | DeliverySignal> =>
  Dispatch.layer(settings.worker).pipe(
    Layer.provide(NodeAdapter.layer()),
    Layer.provide(Layer.succeed(KeyRing, settings.keyRing)),
    Layer.provide(Layer.succeed(ServiceName, settings.serviceName)),
    Layer.provide(Layer.succeed(WebhookPolicy, settings.webhookPolicy)),
  )

/** Works over the storage ports at hand until its scope closes; then it finishes the attempts under way. */
export const layer = (settings: WorkerSettings): Layer.Layer<never, never, DeliveryQueue | DeliverySignal | Upkeep> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { work } = yield* Dispatch
      yield* Effect.forkScoped(work)
      yield* pruneDeliveries().pipe(
        Effect.catch((error) => Effect.logWarning("Could not clear the delivery log; trying again later", error)),
        Effect.repeat(Schedule.spaced("10 minutes")),
        Effect.forkScoped,
      )
    }),
  ).pipe(Layer.provide(layerDispatch(settings)))
