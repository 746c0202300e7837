/**
 * Workers as processes, and their shops, endpoints and orders, created by the use cases on a separate Postgres
 * database.
 */
import { join } from "node:path"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted, Result } from "effect"
import * as NodeAdapter from "../../../adapters/node/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import type { Definition } from "../../../core/model/catalog/Definition.ts"
import type { EndpointInput } from "../../../core/model/webhooks/Endpoint.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../../core/ports/WebhookPolicy.ts"
import { parseNetworks } from "../../../core/rules/webhooks/PublicHost.ts"
import { publishCustomizer } from "../../../core/usecases/catalog/PublishCustomizer.ts"
import { putCustomizer } from "../../../core/usecases/catalog/PutCustomizer.ts"
import { saveDesign } from "../../../core/usecases/catalog/SaveDesign.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { putShop } from "../../../core/usecases/shops/ManageShops.ts"
import { defaultWorker, type WorkerOptions } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { createEndpoint } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { customizers, ringInput, shopInput } from "../../suites/service/Samples.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { type Process, secrets, start } from "../processes/Processes.ts"
import type { WebhookReceiver } from "./WebhookReceiver.ts"
import type { ChildOptions } from "./WorkerProcess.ts"

/** Configuration of a command that delivers to receivers on this machine. */
export const localReceivers = { DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8", DESIGNWIRE_ALLOW_HTTP: "true" }

/** The same as a policy. */
export const localPolicy = { allowNetworks: Result.getOrThrow(parseNetworks("127.0.0.0/8")), allowHttp: true }

/** The key ring of {@link secrets}. */
export const keyRing: KeyRing["Service"] = {
  keys: [Redacted.make(new Uint8Array(Buffer.from(secrets.DESIGNWIRE_ENCRYPTION_KEYS, "base64")))],
}

// ---------------------------------------------------------------------------------------------------------------------
// The store
// ---------------------------------------------------------------------------------------------------------------------

/** Brings the schema of a database up to date. */
export const migrate = (url: string) =>
  Effect.provide(Postgres.migrate, Postgres.layerClient({ url: Redacted.make(url), maxConnections: 1 }), {
    local: true,
  })

/** The services of these tests' use cases on a database. */
export const host = (url: string) =>
  Layer.mergeAll(
    Postgres.layer({ url: Redacted.make(url), maxConnections: 4 }),
    NodeCrypto.layer,
    NodeAdapter.layerLookup(),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(WebhookPolicy, localPolicy),
  )

// ---------------------------------------------------------------------------------------------------------------------
// Shops and orders
// ---------------------------------------------------------------------------------------------------------------------

/** Creates a shop that sells rings. */
export const newShop = Effect.gen(function* () {
  const id = `w-${unique(12)}`
  yield* putShop(id, shopInput)
  const [ring] = customizers
  if (ring === undefined) return yield* Effect.die(new Error("No customizer"))
  const { assetBase, definition, platformProductId, title } = ring
  yield* putCustomizer(id, ring.id, { title, platformProductId, assetBase })
  yield* publishCustomizer(id, ring.id, { definition: definition as unknown as Definition })
  return id
})

/** Adds an endpoint at a path of a receiver, which learns its secret. Returns its id. */
export const newEndpoint = Effect.fnUntraced(function* (
  shop: string,
  receiver: WebhookReceiver,
  path: string,
  input: Partial<EndpointInput> = {},
) {
  const { endpoint, secret } = yield* createEndpoint(shop, {
    url: receiver.url(path),
    events: ["design.ordered"],
    ...input,
  })
  receiver.trust(path, Redacted.value(secret))
  return endpoint.id
})

/** Saves a design and orders it: one `design.ordered`. Repeat it with the same id if the outcome is unknown. */
export const order = Effect.fnUntraced(function* (shop: string, id: string) {
  const designId = `dsn_${id}`
  yield* saveDesign(shop, designId, ringInput).pipe(Effect.catchTag("DesignFrozen", () => Effect.void))
  yield* placeOrder(shop, id, {
    name: `#${id}`,
    orderedAt: "2026-10-05T14:48:00Z",
    lines: [{ designId, lineItemId: `line-${id}` }],
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// Workers
// ---------------------------------------------------------------------------------------------------------------------

/** A worker's process. */
export interface WorkerProcess extends Process {
  readonly name: string
  /** Starts its work; until then it is on standby. */
  readonly begin: Effect.Effect<void>
}

let workers = 0

/** Starts a worker's process on standby, connected. Killed when the scope closes. */
export const standby = Effect.fnUntraced(function* (
  url: string,
  options: Partial<WorkerOptions> = {},
  more: Pick<ChildOptions, "noticeUrl"> = {},
) {
  const name = `worker${++workers}`
  const told: ChildOptions = {
    url,
    name,
    encryptionKey: secrets.DESIGNWIRE_ENCRYPTION_KEYS,
    worker: { ...defaultWorker, ...options },
    ...more,
  }
  const started = yield* start([JSON.stringify(told)], {}, { entry: join(import.meta.dirname, "WorkerProcess.ts") })
  yield* started.line(/^standby$/)
  const worker: WorkerProcess = { ...started, name, begin: Effect.sync(() => void started.child.kill("SIGUSR2")) }
  return worker
})

/** Starts workers and their work. */
export const startWorkers = Effect.fnUntraced(function* (
  count: number,
  url: string,
  options: Partial<WorkerOptions> = {},
) {
  const started = yield* Effect.all(
    Array.from({ length: count }, () => standby(url, options)),
    { concurrency: "unbounded" },
  )
  for (const worker of started) yield* worker.begin
  return started
})
