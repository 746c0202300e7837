/** A shop, its events and a worker over any store, with scripted receivers. */

import { NodeCrypto } from "@effect/platform-node"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import type { CustomizerInput } from "../../../core/model/catalog/Customizer.ts"
import type { Definition } from "../../../core/model/catalog/Definition.ts"
import type { EndpointKind, EventRecord } from "../../../core/model/events/Event.ts"
import type { Standing } from "../../../core/model/Health.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import { WireForm } from "../../../core/model/WireForm.ts"
import type { AttemptError } from "../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { type HostPolicy, publicOnly } from "../../../core/model/webhooks/HostPolicy.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue, type Settlement } from "../../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import type { HostLookup } from "../../../core/ports/HostLookup.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { WebhookPolicy } from "../../../core/ports/WebhookPolicy.ts"
import type { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { publishCustomizer } from "../../../core/usecases/catalog/PublishCustomizer.ts"
import { putCustomizer } from "../../../core/usecases/catalog/PutCustomizer.ts"
import { saveDesign } from "../../../core/usecases/catalog/SaveDesign.ts"
import { cancelOrder } from "../../../core/usecases/orders/CancelOrder.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { putShop } from "../../../core/usecases/shops/ManageShops.ts"
import {
  type DrainLimits,
  defaultWorker,
  drain,
  ServiceName,
  type WorkerOptions,
  work,
} from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { createEndpoint } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { ringInput, shopInput } from "../../suites/service/Samples.ts"
import { someTime, unique } from "../../suites/storage/support/Fixtures.ts"
import customizers from "../../suites/vectors/customizers.json" with { type: "json" }
import { onTestClock, type StoreKind } from "../hosts/TestHost.ts"
import { makeOutside } from "./Outside.ts"

/** A key of 32 equal bytes. */
export const keyOf = (byte: number): Redacted.Redacted<Uint8Array> => Redacted.make(new Uint8Array(32).fill(byte))

/** Options of a test's environment. */
export interface WorkerWorldOptions {
  /** Default: a new memory store. */
  readonly ports?: Context.Context<StoragePorts>
  readonly keyRing?: KeyRing["Service"]
  readonly policy?: HostPolicy
  readonly worker?: Partial<WorkerOptions>
  readonly plan?: "free" | "pro" | "plus"
  /** The standing of endpoints from the start. Default: proven. */
  readonly standing?: Standing
  /** The worker's delivery signal. Default: the store's. */
  readonly signal?: DeliverySignal["Service"]
  /** Wraps the worker's queue. */
  readonly deliveries?: (store: DeliveryQueue["Service"]) => Partial<DeliveryQueue["Service"]>
}

/** Settlements, and which took effect. */
export interface Settled {
  readonly settlements: ReadonlyArray<Settlement>
  readonly effects: ReadonlyArray<boolean>
}

const whole = (
  surroundings: Context.Context<StoragePorts | HostLookup | WebhookSender>,
  { keyRing = { keys: [keyOf(1)] }, policy = publicOnly, signal }: WorkerWorldOptions,
) =>
  Layer.mergeAll(
    Layer.succeedContext(signal === undefined ? surroundings : Context.add(surroundings, DeliverySignal, signal)),
    NodeCrypto.layer,
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(WebhookPolicy, policy),
    Layer.succeed(ServiceName, "Acme Prints"),
  )

type Services = Layer.Success<ReturnType<typeof whole>>

/** A worker over these services. */
const workerOf = (services: Context.Context<Services>, options: Partial<WorkerOptions> = {}) => {
  const worker = { ...defaultWorker, ...options }
  const run = <A, E, R extends Services>(effect: Effect.Effect<A, E, R>) => Effect.provideContext(effect, services)
  const drainWithin = (limits: DrainLimits) => run(drain(worker, limits))
  return {
    run,
    /** Works until it is interrupted. */
    work: run(work(worker)),
    drainWithin,
    /** Processes everything due now, and everything that becomes due by that. */
    drain: drainWithin({ max: Number.MAX_SAFE_INTEGER, deadline: Number.MAX_SAFE_INTEGER }),
  }
}

/** The stores as the worker and the use cases see them, and what they do there. */
const watched = Effect.fnUntraced(function* (ports: Context.Context<StoragePorts>, options: WorkerWorldOptions) {
  const store = Context.get(ports, DeliveryQueue)
  const settled = yield* Queue.unbounded<Settled>()
  const settlements: Array<Settled> = []
  const claims = yield* Queue.unbounded<number>()
  const steps = yield* Queue.unbounded<void>()
  const changed = { ...store, ...options.deliveries?.(store) }
  const seen = DeliveryQueue.of({
    ...changed,
    claim: (request) => Effect.tap(changed.claim(request), (claimed) => Queue.offer(claims, claimed.length)),
    walk: (step) => Effect.tap(changed.walk(step), () => Queue.offer(steps, undefined)),
    settle: (batch, advance) =>
      Effect.tap(changed.settle(batch, advance), (effects) => {
        const one = { settlements: batch, effects }
        settlements.push(one)
        return Queue.offer(settled, one)
      }),
  })
  const events: Array<EventRecord> = []
  const resources = Context.get(ports, OrderStore)
  const recorded = OrderStore.of({
    ...resources,
    commit: (change) => Effect.tap(resources.commit(change), () => Effect.sync(() => events.push(...change.events))),
    commitOrders: (shop, changes) =>
      Effect.tap(resources.commitOrders(shop, changes), () =>
        Effect.sync(() => events.push(...changes.flatMap((change) => change.events))),
      ),
  })
  const endpoints = Context.get(ports, EndpointStore)
  const standing = { proven: (options.standing ?? "proven") === "proven", troubled: options.standing === "troubled" }
  const proving = EndpointStore.of({
    ...endpoints,
    add: (endpoint, maximum, audited) => endpoints.add({ ...endpoint, ...standing }, maximum, audited),
  })
  const stores = Context.make(EndpointStore, proving).pipe(
    Context.add(DeliveryQueue, seen),
    Context.add(OrderStore, recorded),
  )
  return { claims, events, settled, settlements, steps, stores }
})

/** A new shop with a worker at {@link someTime}, which does nothing until the test starts it. */
export const makeWorld = Effect.fnUntraced(function* (options: WorkerWorldOptions = {}) {
  const { context, outside } = yield* makeOutside
  const ports: Context.Context<StoragePorts> = options.ports ?? (yield* Layer.build(Memory.layer))
  const { claims, events, settled, settlements, steps, stores } = yield* watched(ports, options)
  const surroundings = Context.merge(Context.merge(ports, context), stores)
  const services: Context.Context<Services> = yield* Layer.build(whole(surroundings, options))
  const worker = workerOf(services, options.worker)
  const { run } = worker

  /** Another worker on the same store with other options, e.g. other keys. */
  const another = (other: WorkerWorldOptions) => {
    const its = { ...options, ...other }
    return Effect.map(Layer.build(whole(surroundings, its)), (context) => workerOf(context, its.worker))
  }

  const shop = `w-${unique()}`
  yield* TestClock.setTime(someTime)
  yield* run(putShop(shop, { ...shopInput, plan: options.plan ?? "pro" }))
  const [{ definition, id: customizer, ...description }] = customizers as unknown as readonly [
    CustomizerInput & { readonly id: number; readonly definition: Definition },
  ]
  yield* run(putCustomizer(shop, customizer, description))
  yield* run(publishCustomizer(shop, customizer, { definition }))

  const endpoints = Context.get(ports, EndpointStore)
  const log = Context.get(ports, DeliveryLog)
  const save = (id: string) => run(saveDesign(shop, id, ringInput))

  const kept = ({ id }: Pick<EndpointRecord, "id">) => Effect.flatMap(endpoints.find(shop, id), Effect.fromOption)

  return {
    ...worker,
    shop,
    ports,
    store: Context.get(ports, DeliveryQueue),
    outside,
    another,
    /** Every committed event of the shop, oldest first, without tests. */
    events,
    /** Everything that the worker settled, oldest first. */
    settlements,
    /** The next settlements. */
    settled: Queue.take(settled),
    /** The size of the next claim. */
    claimed: Queue.take(claims),
    /** Completes after the next step of the walk. */
    walked: Queue.take(steps),
    save,
    /** Places an order of designs, and saves missing designs first. */
    order: Effect.fnUntraced(function* (
      id: string,
      designs: ReadonlyArray<string>,
      orderedAt = "2026-10-05T14:48:00Z",
    ) {
      for (const design of designs) yield* save(design)
      return yield* run(
        placeOrder(shop, id, {
          name: `#${id}`,
          orderedAt,
          lines: designs.map((designId) => ({ designId, lineItemId: `line-of-${designId}` })),
        }),
      )
    }),
    /** Cancels an order that was placed. */
    cancel: (id: string) =>
      Effect.flatMap(run(cancelOrder(shop, id)), (order) =>
        order instanceof WireForm ? Effect.succeed(order) : Effect.die(new Error("The order is not stored")),
      ),
    /** Adds an endpoint. */
    endpoint: (
      fields: {
        readonly url?: string
        readonly events?: ReadonlyArray<EndpointKind>
        readonly ordering?: "none" | "object"
      } = {},
    ) =>
      Effect.gen(function* () {
        const { endpoint, secret } = yield* run(
          createEndpoint(shop, { url: `https://${unique(12)}.example.com/hook`, ...fields }),
        )
        return { ...(yield* kept(endpoint)), shown: Redacted.value(secret) }
      }),
    /** An endpoint as currently stored. */
    endpointNow: kept,
    /** All of an endpoint's deliveries, newest first. */
    log: ({ id }: Pick<EndpointRecord, "id">) => log.list(shop, id, 10_000),
    /** Changes the shop's plan. */
    plan: (plan: "free" | "pro" | "plus") => run(putShop(shop, { ...shopInput, plan })),
  }
})

/** The world of {@link makeWorld}. */
export type World = Effect.Success<ReturnType<typeof makeWorld>>

/** An attempt as in the log. */
export const attempt = (
  number: number,
  at: Instant,
  statusCode: number | null,
  error: AttemptError | null = null,
  durationMs = 0,
) => ({ number, at, statusCode, error, durationMs, responseStart: statusCode === null ? null : "" })

/** A store that many tests share, one after the other. */
export class SharedStore extends Context.Service<SharedStore, Context.Context<StoragePorts>>()(
  "designwire/test/SharedStore",
) {}

/** Opens a store of a kind, which needs the live clock; its tests provide their own clock. */
export const sharedStore = (kind: StoreKind): Layer.Layer<SharedStore, unknown> =>
  Layer.effect(
    SharedStore,
    Effect.flatMap(kind.open, ({ ports }) => Layer.build(onTestClock(ports))),
  )
