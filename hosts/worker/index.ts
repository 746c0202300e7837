/** The delivery worker, with everything that it needs to send webhooks. */
import { Clock, Effect, FiberSet, Layer, type Redacted, Schedule } from "effect"
import * as NodeAdapter from "../../adapters/node/index.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { defaultSettings, type PlatformSettings } from "../../core/model/ingest/PlatformSettings.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { type HostPolicy, publicOnly } from "../../core/model/webhooks/HostPolicy.ts"
import type { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import type { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { EventStore } from "../../core/ports/EventStore.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { Notices } from "../../core/ports/Notices.ts"
import type { OrderStore } from "../../core/ports/OrderStore.ts"
import type { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { known, layerStoreClock } from "../../core/support/StoreClock.ts"
import { TraceReceivers } from "../../core/support/Tracing.ts"
import { endDrafts } from "../../core/usecases/catalog/Drafts.ts"
import { ServiceSettings } from "../../core/usecases/ingest/Connections.ts"
import { keepReconciling, type ReconcileOptions, reconcileDue } from "../../core/usecases/ingest/Reconcile.ts"
import { keepRemovedShopsEmpty } from "../../core/usecases/shops/ManageShops.ts"
import * as Dispatch from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { pruneDeliveries } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { makeNoticeWebhook } from "../../core/usecases/webhooks/NoticeWebhook.ts"
import { sendDueNotices, sendNotices } from "../../core/usecases/webhooks/SendNotices.ts"

/** The configuration of a worker. */
export interface WorkerConfig {
  readonly keyRing: KeyRing["Service"]
  /** The name in the `User-Agent` of deliveries. Default: `Designwire`. */
  readonly serviceName?: string
  /** The hosts that webhooks may be sent to. Default: the public internet over `https:`. */
  readonly webhookPolicy?: HostPolicy
  /**
   * The URL of an HTTP proxy through which webhooks are sent, but not notices: these go to the operator. Default: none.
   */
  readonly webhookProxy?: Redacted.Redacted<string> | undefined
  /** Concurrency, lease and retries. Default: {@link Dispatch.defaultWorker}. */
  readonly worker?: Dispatch.WorkerOptions
  /**
   * The URL that notices are sent to, signed (D42). Default: the service `Notices` of `designwire/ports`, which logs a
   * line for each unless it is provided.
   */
  readonly noticeUrl?: Redacted.Redacted<string> | undefined
  /** Whether receivers get `traceparent` and `tracestate`, if there is a tracer (D70). Default: true. */
  readonly traceReceivers?: boolean
  /** How orders are read that are found at the shops' platforms (D88): as those that come from them. */
  readonly found?: (ReconcileOptions & { readonly settings?: PlatformSettings | undefined }) | undefined
}

/** The services of a delivery other than the storage ports: Node's way to receivers, and the configuration. */
const surroundings = ({
  keyRing,
  noticeUrl,
  serviceName = Dispatch.ServiceName.defaultValue(),
  traceReceivers,
  webhookPolicy = publicOnly,
  webhookProxy: proxy,
}: WorkerConfig) => {
  const delivering = Layer.mergeAll(
    NodeAdapter.layer({ proxy }),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(Dispatch.ServiceName, serviceName),
    traceReceivers === undefined ? Layer.empty : Layer.succeed(TraceReceivers, traceReceivers),
    Layer.succeed(WebhookPolicy, NodeAdapter.withOwnNetworks(webhookPolicy)),
  )
  if (noticeUrl === undefined) return delivering
  const notices = Layer.effect(Notices, makeNoticeWebhook(noticeUrl))
  const sent = proxy === undefined ? notices : Layer.provide(notices, NodeAdapter.layerSender())
  return Layer.provideMerge(sent, delivering)
}

/** Clears the delivery log. If it fails, the next time clears the rest. */
const clearLog = ({ deliveryLog }: Dispatch.WorkerOptions, deadline?: Instant) =>
  pruneDeliveries(deadline, deliveryLog).pipe(
    Effect.catchDefect((defect) => Effect.fail(defect)),
    Effect.catch((error) =>
      Effect.logWarning("Could not clear the delivery log; trying again later", error).pipe(
        logged("deliveries.clear_failed"),
      ),
    ),
  )

/** Deletes drafts that nobody has saved again for long. If it fails, the next time deletes the rest. */
const clearDrafts = ({ drafts }: Dispatch.WorkerOptions, deadline?: Instant) =>
  drafts === undefined
    ? Effect.void
    : endDrafts(drafts, deadline).pipe(
        Effect.catchDefect((defect) => Effect.fail(defect)),
        Effect.catch((error) =>
          Effect.logWarning("Could not delete old drafts; trying again later", error).pipe(
            logged("drafts.clear_failed"),
          ),
        ),
      )

/** Found orders are placed as those that come. */
const asConfigured = ({ found }: WorkerConfig) =>
  Effect.provideService(ServiceSettings, found?.settings ?? defaultSettings)

/** The share of the time of a drain that the look for lost orders may take. The next drain continues it. */
const shareOfLook = 1 / 4

/** Looks for lost orders, so that their deliveries are made now. */
const lookForLost = (config: WorkerConfig, deadline: Instant) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const end = now + Math.max(0, deadline - now) * shareOfLook
    yield* Effect.timeoutOption(reconcileDue(config.found ?? {}, end), end - now)
  }).pipe(asConfigured(config))

/** The ports of the store that a worker uses. */
type WorkerPorts =
  | (CustomizerStore | DeliveryQueue | EventStore | KeptAnswers | NoticeStore | OrderStore | Upkeep)
  | (Inbox | ShopStore)

/**
 * Delivers over the provided storage ports until its scope closes; then it finishes the attempts under way. Sends
 * notices (D42), keeps removed shops empty (D43), looks for lost orders at platforms (D88), and clears the delivery log
 * now and then.
 */
export const layer = (config: WorkerConfig): Layer.Layer<never, never, WorkerPorts | DeliverySignal> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { worker = Dispatch.defaultWorker } = config
      // With a wrong time, deliveries would be signed, planned and dropped by it.
      // In one set, so that all are stopped at the same time: no attempt begins while another part still ends.
      const parts = yield* FiberSet.make()
      const begin = <A, R>(work: Effect.Effect<A, never, R>) =>
        FiberSet.run(parts, Effect.andThen(known, work), { startImmediately: false })
      yield* begin(Dispatch.work(worker))
      // Without spans: these look for work every few seconds and mostly find none.
      yield* begin(sendNotices(worker).pipe(Effect.withTracerEnabled(false)))
      yield* begin(keepRemovedShopsEmpty.pipe(Effect.withTracerEnabled(false)))
      yield* begin(keepReconciling(config.found ?? {}).pipe(asConfigured(config), Effect.withTracerEnabled(false)))
      const clear = Effect.andThen(clearLog(worker), clearDrafts(worker))
      yield* begin(clear.pipe(Effect.repeat(Schedule.spaced("10 minutes")), Effect.withTracerEnabled(false)))
    }),
  ).pipe(Layer.provide(surroundings(config)), Layer.provide(layerStoreClock))

/**
 * Delivers what is due over the provided storage ports and ends, for cron and serverless. It begins at most `max`
 * attempts, none at the instant `deadline` (milliseconds since 1970) or later, and finishes the attempts that it began.
 * Before that it looks for lost orders at platforms that are due (D88); in the time left it sends notices (D42) and
 * clears the delivery log.
 *
 * Fails if the store fails.
 */
export const drain = (
  config: WorkerConfig,
  limits: Dispatch.DrainLimits,
): Effect.Effect<Dispatch.Drained, StorageError, WorkerPorts> => {
  const { worker = Dispatch.defaultWorker } = config
  return lookForLost(config, limits.deadline).pipe(
    Effect.andThen(Dispatch.drain(worker, limits)),
    Effect.tap(() => sendDueNotices(worker, limits.deadline)),
    Effect.tap(() => clearLog(worker, limits.deadline)),
    Effect.tap(() => clearDrafts(worker, limits.deadline)),
    Effect.provide(surroundings(config)),
    Effect.provide(layerStoreClock),
  )
}
