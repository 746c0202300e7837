/** The delivery worker: what sends webhooks, put together. */
import { Effect, Layer, type Redacted, Schedule } from "effect"
import * as NodeAdapter from "../../adapters/node/index.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { Notices } from "../../core/ports/Notices.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import * as Dispatch from "../../core/usecases/dispatch/Dispatch.ts"
import { pruneDeliveries } from "../../core/usecases/ManageDeliveries.ts"
import { makeNoticeWebhook } from "../../core/usecases/NoticeWebhook.ts"
import { tellDueNotices, tellNotices } from "../../core/usecases/TellNotices.ts"

/** What a worker is told. */
export interface WorkerSettings {
  readonly keyRing: KeyRing["Service"]
  /** The name in the `User-Agent` of deliveries. Default: `Designwire`. */
  readonly serviceName?: string
  /** Where webhooks may be sent to. Default: the public internet over `https:`. */
  readonly webhookPolicy?: HostPolicy
  /** How much is done at the same time. Default: {@link Dispatch.defaultWorker}. */
  readonly worker?: Dispatch.WorkerOptions
  /**
   * Where notices are sent, signed (D42). Default: what `Notices` of `designwire/ports` does, which is a line of the log each unless it is provided.
   */
  readonly noticeUrl?: Redacted.Redacted<string> | undefined
}

/** What delivering takes beside the storage ports: the way to receivers, from Node, and the settings. */
const surroundings = ({
  keyRing,
  noticeUrl,
  serviceName = "Designwire",
  webhookPolicy = publicOnly,
}: WorkerSettings) => {
  const delivering = Layer.mergeAll(
    NodeAdapter.layer(),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(Dispatch.ServiceName, serviceName),
    Layer.succeed(WebhookPolicy, NodeAdapter.withOwnNetworks(webhookPolicy)),
  )
  return noticeUrl === undefined
    ? delivering
    : Layer.provideMerge(Layer.effect(Notices, makeNoticeWebhook(noticeUrl)), delivering)
}

/** Clears the delivery log; what can't be cleared now is later. */
const clearLog = (deadline?: Instant) =>
  Effect.catch(pruneDeliveries(deadline), (error) =>
    Effect.logWarning("Could not clear the delivery log; trying again later", error),
  )

/** Delivers over the storage ports at hand until its scope closes; then it finishes the attempts under way. Tells notices (D42), and clears the delivery log now and then. */
export const layer = (
  settings: WorkerSettings,
): Layer.Layer<never, never, DeliveryQueue | DeliverySignal | NoticeStore | Upkeep> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { worker = Dispatch.defaultWorker } = settings
      yield* Effect.forkScoped(Dispatch.work(worker))
      yield* Effect.forkScoped(tellNotices(worker))
      yield* clearLog().pipe(Effect.repeat(Schedule.spaced("10 minutes")), Effect.forkScoped)
    }),
  ).pipe(Layer.provide(surroundings(settings)))

/**
 * Delivers what is due over the storage ports at hand, and ends: for cron and serverless. It begins at most `max` attempts, none from the instant
 * `deadline` (milliseconds since 1970) on, and finishes those it began. In what time is left it tells notices (D42) and clears the delivery log.
 *
 * Fails where the store does.
 */
export const drain = (
  settings: WorkerSettings,
  limits: Dispatch.DrainLimits,
): Effect.Effect<Dispatch.Drained, StorageError, DeliveryQueue | NoticeStore | Upkeep> => {
  const { worker = Dispatch.defaultWorker } = settings
  return Dispatch.drain(worker, limits).pipe(
    Effect.tap(() => tellDueNotices(worker, limits.deadline)),
    Effect.tap(() => clearLog(limits.deadline)),
    Effect.provide(surroundings(settings)),
  )
}
