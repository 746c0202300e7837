/** A deterministic host: its time stands still, and its ids are always the same. */
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Clock, Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import { publicOnly } from "../../../core/model/webhooks/HostPolicy.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../../core/ports/WebhookPolicy.ts"
import { receiveEvent } from "../../../core/usecases/ingest/ReceiveEvent.ts"
import { defaultWorker, drain } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import * as Server from "../../../hosts/server/index.ts"
import { shopifyEvent } from "../../testkit/hosts/PlatformEvents.ts"
import { answer, keyRing, manageKey, onTestClock, type Send } from "../../testkit/hosts/TestHost.ts"
import { random } from "../../testkit/requests/Draw.ts"
import { makeOutside } from "../../testkit/workers/Outside.ts"

/** The time of the sample. */
const sampleTime = Date.parse("2026-11-20T09:30:00Z")

/** Random bytes from a seed that restarts with every request, because background work has no fixed order. */
const seeded = (seed: number) => {
  let requests = 0
  let next = random(seed)
  return {
    service: SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(next() * 256))),
    request: () => {
      next = random(seed * 1_000_003 + ++requests)
    },
  }
}

/** Designs with these ids can't be read: the store is down, or the host has a defect. */
const failing = (orders: OrderStore["Service"]): OrderStore["Service"] => ({
  ...orders,
  readDesign: (shop, id) => {
    if (id === "unavailable") return new StorageError({ message: "down", cause: undefined, isRetryable: true })
    return id === "defect" ? Effect.die(new Error("A defect")) : orders.readDesign(shop, id)
  },
})

/** Options of a sample host. */
export interface SampleHostOptions {
  readonly seed?: number
  /** The store. Default: a new one in memory. */
  readonly ports?: Context.Context<StoragePorts>
}

/** Makes the host and a worker. */
export const sampleHost = Effect.fnUntraced(function* (options: SampleHostOptions = {}) {
  yield* TestClock.setTime(sampleTime)
  const { context: outside, outside: receivers } = yield* makeOutside
  const store = options.ports === undefined ? Memory.layer : Layer.succeedContext(options.ports)
  const ports: Context.Context<StoragePorts> = yield* Layer.build(onTestClock(store))
  const randomness = seeded(options.seed ?? 1)
  const built = yield* Layer.build(
    Layer.mergeAll(
      Layer.succeedContext(Context.add(ports, OrderStore, failing(Context.get(ports, OrderStore)))),
      NodeCrypto.layer,
      Layer.succeed(SecureRandom.SecureRandom, randomness.service),
      NodeHttpServer.layerHttpServices,
      Layer.succeedContext(outside),
      Layer.succeed(KeyRing, keyRing),
      Layer.succeed(WebhookPolicy, publicOnly),
    ),
  )
  const services = Context.merge(yield* Effect.context<never>(), built)
  type Services = typeof services extends Context.Context<infer S> ? S : never
  const app = yield* Effect.provideContext(Server.app({ manageKey: Redacted.make(manageKey) }), services)
  const handle = HttpEffect.toWebHandlerWith<Services, Services | Scope.Scope | HttpServerRequest.HttpServerRequest>(
    services,
  )(app)
  const send: Send = (method, path, { body, headers = {} } = {}) =>
    Effect.promise(async () => {
      randomness.request()
      const response = await handle(
        new Request(`http://host.test${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
        }),
      )
      return answer(response.status, Object.fromEntries(response.headers), await response.bytes())
    })
  return {
    send,
    receivers,
    /** Receives a Shopify order with designs, as a host of the shop's platform does; returns the event's id. */
    receive: Effect.fnUntraced(function* (...[shop, ...event]: [shop: string, ...Parameters<typeof shopifyEvent>]) {
      randomness.request()
      const kept = yield* Effect.orDie(Effect.provideContext(receiveEvent(shop, shopifyEvent(...event)), services))
      return kept?.id ?? ""
    }),
    /** Drops events without deliveries in a log, as upkeep does after 30 days. */
    forget: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const step = { keep: 50, eventsBefore: now + 1, now, limit: 1_000_000, after: null }
      yield* Effect.orDie(Context.get(ports, Upkeep).prune(step))
    }),
    /** Makes all due deliveries. */
    deliver: Effect.provideContext(
      drain(defaultWorker, { max: Number.MAX_SAFE_INTEGER, deadline: Number.MAX_SAFE_INTEGER }),
      services,
    ),
  }
})
