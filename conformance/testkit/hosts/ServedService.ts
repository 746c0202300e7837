/** Services of this package, checked like any other: by their responses and deliveries. */
import { Context, Effect, Exit, Layer, Redacted, Result, Scope, Tracer } from "effect"
import express from "express"
import { afterAll } from "vitest"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { parseNetworks } from "../../../core/rules/webhooks/PublicHost.ts"
import { defaultWorker } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { createDesignwire } from "../../../hosts/embed/index.ts"
import { toNodeHandler } from "../../../hosts/embed/mount/index.ts"
import * as Worker from "../../../hosts/worker/index.ts"
import { undescribed } from "../../checks/openapi/Described.ts"
import { managementDriver } from "../../suites/service/ManagementDriver.ts"
import type { ServiceHarness } from "../../suites/service/service.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { embedDriver } from "./EmbedDriver.ts"
import { listening, prefix, webHandler } from "./Embedded.ts"
import { encryptionKeys } from "./EmbedWorld.ts"
import { keyRing, manageKey, memory, type StoreKind, serve } from "./TestHost.ts"
import { type Trouble, Troubles } from "./Troubled.ts"

/** Waits between attempts of these services in milliseconds. */
const schedule = [100, 200, 150, 50]

/** The secret of a shop's platform. */
const platformSecret = "shpss_0123456789abcdef"

const receive = { host: "127.0.0.1", port: 0 }

/** Options that allow the services to send to the cases' receivers. */
const webhookPolicy = { allowNetworks: Result.getOrThrow(parseNetworks("127.0.0.0/8")), allowHttp: true }

/** Opens a resource for the tests of the file. */
const opened = async <A>(effect: Effect.Effect<A, unknown, Scope.Scope>): Promise<A> => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Scope.provide(effect, scope))
}

/** Expects every response to match the OpenAPI documents. */
const request = async (asked: Request): Promise<Response> => {
  const { method, url } = asked
  const answer = await fetch(asked)
  const { pathname, search } = new URL(url)
  const headers = Object.fromEntries(answer.headers)
  const problems = undescribed(method, pathname + search, {
    status: answer.status,
    headers,
    text: await answer.clone().text(),
  })
  if (problems.length === 0) return answer
  throw new Error(`The OpenAPI document does not describe the answer to ${method} ${url}: ${problems.join("; ")}`)
}

const managing = (origin: string, ask = request) =>
  managementDriver({ url: `${origin}/manage/v1`, key: manageKey, request: ask })

const ingest = { shopify: [Redacted.make(platformSecret)] }

/** A request with a key, as clients send it that may have to repeat it (D49). */
const withKey = (asked: Request): Request => {
  const isKeyed = asked.method === "POST" && new URL(asked.url).pathname.startsWith("/manage/")
  if (!isKeyed) return asked
  const headers = new Headers(asked.headers)
  headers.set("idempotency-key", unique())
  return new Request(asked, { headers })
}

/** Carries out requests as a kind of store wants it. */
const troubledRequests =
  ({ step }: Trouble): typeof request =>
  (asked) => {
    const keyed = withKey(asked)
    const hasKey = keyed.headers.has("idempotency-key")
    return Effect.runPromise(
      step(
        Effect.promise(() => request(keyed.clone())),
        { hasKey },
      ),
    )
  }

/** The Node server and a worker over a kind of store, changed through the management API. */
export const served = Effect.fnUntraced(function* (kind: StoreKind) {
  const store = yield* kind.open
  const ports = yield* Layer.build(store.ports)
  const origin = `http://127.0.0.1:${yield* serve(ports, { webhookPolicy, ingest })}`
  const trouble = Context.get(ports, Troubles)
  const { calm } = trouble
  const worker = Worker.layer({ keyRing, webhookPolicy, worker: { ...defaultWorker, schedule } })
  yield* Layer.build(Layer.provide(worker, Layer.succeedContext(calm ?? ports)))
  const name = `The service on ${kind.name}`
  const asking = calm === undefined ? request : troubledRequests(trouble)
  const driver = { ...managing(origin, asking), dropEvents: () => Effect.runPromise(dropEvents(ports)) }
  const platform = {
    url: (shop: string) => `${origin}/ingest/shopify/${shop}`,
    secret: platformSecret,
    addresses: { one: "127.0.0.2", others: Array.from({ length: 50 }, (_, index) => `127.0.0.${index + 10}`) },
  }
  const url = `${origin}/api/v1`
  const harness: ServiceHarness = { name, url, request: asking, driver, platform, receive, schedule }
  return harness
})

export const serverOn = (kind: StoreKind): Promise<ServiceHarness> => opened(served(kind))

/** {@link serverOn} with a tracer, which keeps spans for nobody. */
export const tracedOn = async (kind: StoreKind): Promise<ServiceHarness> => {
  const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
  const harness = await opened(Effect.provideService(served(kind), Tracer.Tracer, tracer))
  return { ...harness, name: `${harness.name}, traced` }
}

/** Prunes the store as if the retention of events had ended. */
const dropEvents = Effect.fnUntraced(function* (ports: Context.Context<Upkeep>) {
  const upkeep = Context.get(ports, Upkeep)
  for (let after: string | null = null; ; ) {
    after = yield* upkeep.prune({ keep: 50, eventsBefore: Date.UTC(2200, 0), now: 0, limit: 1_000, after })
    if (after === null) return
  }
})

/** The REST API mounted in an Express application at its own path, without a worker. */
export const mountedInExpress: () => Promise<ServiceHarness> = () =>
  opened(
    Effect.gen(function* () {
      const store = yield* memory.open
      const ports = yield* Layer.build(store.ports)
      const application = express().use(express.json(), toNodeHandler(yield* webHandler(ports)))
      const url = `http://127.0.0.1:${yield* listening(application)}${prefix}`
      const driver = managing(`http://127.0.0.1:${yield* serve(ports)}`)
      return { name: "The service mounted in Express", url, driver }
    }),
  )

/** The embedder's interface without a server: `handler(Request)`, changed through the facade. */
export const embeddedService = async (): Promise<ServiceHarness> => {
  const designwire = await createDesignwire({
    database: { memory: true },
    encryptionKeys,
    allowNetworks: "127.0.0.0/8",
    allowHttp: true,
    retrySchedule: schedule.map((wait) => `${wait}ms`).join(","),
  })
  afterAll(() => designwire.stop())
  await designwire.start()
  return {
    name: "The service as it is embedded",
    url: "http://service.test/api/v1",
    request: designwire.handler,
    driver: embedDriver(designwire),
    receive,
    schedule,
  }
}
