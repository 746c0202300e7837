/** Hosts to test through HTTP: servers over each kind of store, and one in process with a test clock. */
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { layer as testLayer, type Vitest } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted, Scope } from "effect"
import { HttpEffect, HttpServer, type HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Memory from "../../../adapters/memory/index.ts"
import * as NodeAdapter from "../../../adapters/node/index.ts"
import * as Pglite from "../../../adapters/pglite/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import * as Sql from "../../../adapters/sql/index.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { KeyLimit } from "../../../hosts/manage/index.ts"
import * as Server from "../../../hosts/server/index.ts"
import { undescribed } from "../../checks/openapi/Described.ts"
import { customizers, ringInput, shopInput } from "../../suites/service/Samples.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { migratedDatabase } from "../databases/Database.ts"

import { Troubles } from "./Troubled.ts"

/** The manage key of every test host. */
export const manageKey = "test-manage-key-0123456789"

/** The secret keys of every test host. */
export const keyRing: KeyRing["Service"] = { keys: [Redacted.make(new Uint8Array(32).fill(7))] }

// ---------------------------------------------------------------------------------------------------------------------
// Stores
// ---------------------------------------------------------------------------------------------------------------------

/** A store that hosts may share. */
export interface Store {
  /** A host's view of the store; built once per host. */
  readonly ports: Layer.Layer<StoragePorts, unknown>
  /** The whole content as text. */
  readonly dump: Effect.Effect<string>
}

/** A kind of store. */
export interface StoreKind {
  readonly name: string
  readonly open: Effect.Effect<Store, unknown, Scope.Scope>
  /** How requests reach the host, unless through the server alone; `server` sends to that. */
  readonly wayIn?: (ports: Context.Context<StoragePorts>, server: Send) => Effect.Effect<Send, never, Scope.Scope>
}

/** Converts maps and sets to lists, so that the text of a memory store is complete. */
const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value

export const memory: StoreKind = {
  name: "memory",
  open: Effect.sync(() => {
    const state = Memory.makeState()
    return { ports: Memory.layerShared(state), dump: Effect.sync(() => JSON.stringify(state, plain)) }
  }),
}

/** Every row of every table, except the migrations and the last use of tokens, which is stored with a delay. */
const dumpTables = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    const tables = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
WHERE table_schema = 'designwire' AND table_name <> 'migrations' ORDER BY 1`
    const parts = yield* Effect.forEach(
      tables,
      ({ name }) => sql<{ rows: string | null }>`SELECT string_agg(row::text, chr(10) ORDER BY row::text) AS rows
FROM ${sql(`designwire.${name}`)} t CROSS JOIN LATERAL (SELECT to_jsonb(t) - 'last_used_at' AS row) r`,
      { concurrency: "unbounded" },
    )
    return tables.map(({ name }, index) => `${name}\n${parts[index]?.[0]?.rows ?? ""}`).join("\n\n")
  }),
).pipe(Effect.orDie)

/** The number of hosts that hear of revocations by others. */
const listening = SqlClient.SqlClient.use(
  (sql) => sql<{ hosts: number }>`SELECT count(*)::int4 AS hosts FROM pg_stat_activity
WHERE datname = current_database() AND query ILIKE 'listen %'`,
).pipe(Effect.map(([row]) => row?.hosts ?? 0))

export const postgres: StoreKind = {
  name: "postgres",
  open: Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const client = yield* Layer.build(Postgres.layerClient({ url, maxConnections: 1 }))
    let hosts = 0
    // A host that starts to listen blocks other statements: unrelated tests wait until it listens.
    const channels = Object.keys(Sql).filter((name) => name.endsWith("Channel")).length
    const listens = Effect.suspend(() => {
      const expected = ++hosts * channels
      return Effect.repeat(listening, { until: (count) => count >= expected, times: 300 })
    })
    return {
      ports: Layer.tap(Postgres.layer({ url, maxConnections: 4 }), () => Effect.provideContext(listens, client)),
      dump: Effect.provideContext(dumpTables, client),
    }
  }),
}

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-host-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

export const pglite: StoreKind = {
  name: "pglite",
  open: Effect.gen(function* () {
    const client = yield* Layer.build(Pglite.layerClient({ directory: join(yield* temporaryDirectory, "data") }))
    yield* Effect.provideContext(Sql.migrate, client)
    return {
      ports: Layer.provide(Sql.layerSingleProcess, Layer.succeedContext(client)),
      dump: Effect.provideContext(dumpTables, client),
    }
  }),
}

/** A store that has the time of its caller: the clock of a database can't be moved, that of a test can. */
export const onTestClock = <E>(ports: Layer.Layer<StoragePorts, E>): Layer.Layer<StoragePorts, E> =>
  Layer.effectContext(
    Effect.map(Layer.build(ports), (context) =>
      Context.add(context, Upkeep, { ...Context.get(context, Upkeep), time: Clock.currentTimeMillis }),
    ),
  )

// ---------------------------------------------------------------------------------------------------------------------
// Hosts
// ---------------------------------------------------------------------------------------------------------------------

/** A response of a host. */
export interface Answer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The decoded body as text. */
  readonly text: string
  /** Received bytes of the body. */
  readonly length: number
  /** The body as JSON. */
  readonly json: unknown
}

/** A request without its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in pieces, without a Content-Length. */
  readonly chunked?: boolean
}

/** Sends a request with the path exactly as given, which a URL parser would change. */
export type Send = (method: string, path: string, sent?: Sent) => Effect.Effect<Answer>

/** The current host. */
export class TestHost extends Context.Service<
  TestHost,
  {
    readonly send: Send
    /** A second host that shares only the store with the first. */
    readonly other: Send
    readonly store: Store
    /** The first host's view of the store. */
    readonly ports: Context.Context<StoragePorts>
  }
>()("designwire/test/TestHost") {}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

/** The text of a body; a response to HEAD has none. */
const decoded = (coding: string | undefined, body: Uint8Array): string => {
  const bytes = coding === undefined || body.length === 0 ? body : decoders[coding]?.(body)
  if (bytes === undefined) throw new Error(`The body came in a coding that nobody asked for: ${coding}`)
  return Buffer.from(bytes).toString("utf8")
}

/** A response in the form for tests. */
export const answer = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array | string,
): Answer => ({
  status,
  headers,
  text: typeof body === "string" ? body : decoded(headers["content-encoding"], body),
  length: Buffer.byteLength(body),
  get json() {
    return JSON.parse(this.text) as unknown
  },
})

/** The same access to a host, but every response must match the OpenAPI documents. */
const described =
  (send: Send): Send =>
  (method, path, sent) =>
    Effect.tap(send(method, path, sent), (answered) => {
      const problems = undescribed(method, path, answered)
      return problems.length === 0
        ? Effect.void
        : Effect.die(
            new Error(`The OpenAPI document does not describe the answer to ${method} ${path}: ${problems.join("; ")}`),
          )
    })

const single = (headers: IncomingHttpHeaders): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  )

/** Sends to a port of this machine. */
export const sender =
  (port: number, agent: Agent): Send =>
  (method, path, { body, chunked = false, headers = {} } = {}) =>
    Effect.promise(
      () =>
        new Promise<Answer>((resolve, reject) => {
          const bytes = typeof body === "string" ? Buffer.from(body) : body
          const length = bytes === undefined || chunked ? {} : { "content-length": String(bytes.length) }
          const request = httpRequest(
            { agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...length } },
            (response) => {
              const parts: Array<Buffer> = []
              response.on("data", (part: Buffer) => parts.push(part))
              response.on("error", reject)
              response.on("end", () =>
                resolve(answer(response.statusCode ?? 0, single(response.headers), Buffer.concat(parts))),
              )
            },
          )
          // A host may answer and close the connection before it has read the whole body.
          request.on("error", reject)
          if (bytes !== undefined && chunked) {
            for (let at = 0; at < bytes.length; at += 65_536) request.write(bytes.subarray(at, at + 65_536))
          } else if (bytes !== undefined) request.write(bytes)
          request.end()
        }),
    )

/** Serves a store on a free port until the scope closes; returns the port. */
export const serve = Effect.fnUntraced(function* (
  ports: Context.Context<StoragePorts>,
  options: Partial<Server.ServerOptions> = {},
) {
  const scope = yield* Effect.scope
  const server = Server.layer({
    host: "127.0.0.1",
    port: 0,
    manageKey: Redacted.make(manageKey),
    keyRing,
    ...options,
  }).pipe(Layer.provide(Layer.succeedContext(ports)))
  const context = yield* Layer.buildWithMemoMap(server, yield* Layer.makeMemoMap, scope)
  const { address } = Context.get(context, HttpServer.HttpServer)
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server does not listen on a port"))
  return address.port
})

/** Connections that are reused until the scope closes. */
export const keptAlive = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 16 })),
  (agent) => Effect.sync(() => agent.destroy()),
)

/**
 * A way to hosts as the kind of the store wants requests to be carried out: to `send`'s host, or each to a host of its
 * own that `open` starts.
 */
const stepping = <E>(
  ports: Context.Context<never>,
  send: Send,
  open: Effect.Effect<Send, E, Scope.Scope>,
): Effect.Effect<Send> =>
  Effect.sync(() => {
    const { restarts, step } = Context.get(ports, Troubles)
    const sendTo: Send = restarts
      ? (...request) => Effect.scoped(Effect.flatMap(Effect.orDie(open), (started) => started(...request)))
      : send
    return (...request) => {
      const hasKey = request[2]?.headers?.["idempotency-key"] !== undefined
      return step(sendTo(...request), { hasKey })
    }
  })

/** A view of a store of its own until the scope closes. */
const viewOf = Effect.fnUntraced(function* (store: Store) {
  return yield* Layer.buildWithMemoMap(store.ports, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** Starts a host on a store until the scope closes, and returns a function that sends it requests. */
const listen = Effect.fnUntraced(function* (kind: StoreKind, store: Store, ports: Context.Context<StoragePorts>) {
  const agent = yield* keptAlive
  const open = Effect.fnUntraced(function* (view: Context.Context<StoragePorts>) {
    // Unrelated tests may try any number of wrong keys.
    return described(sender(yield* Effect.provideService(serve(view), KeyLimit, null), agent))
  })
  const send = yield* stepping(ports, yield* open(ports), Effect.flatMap(viewOf(store), open))
  return kind.wayIn === undefined ? send : yield* kind.wayIn(ports, send)
})

/** Two servers on one new store. */
const servers = (kind: StoreKind): Layer.Layer<TestHost, unknown> =>
  Layer.effect(
    TestHost,
    Effect.gen(function* () {
      const store = yield* kind.open
      const ports = yield* viewOf(store)
      const send = yield* listen(kind, store, ports)
      return { store, ports, send, other: yield* listen(kind, store, yield* viewOf(store)) }
    }),
  )

/** Registers the same tests for hosts on each kind of store. The clock is the real one. */
export const onHosts = (
  name: string,
  kinds: ReadonlyArray<StoreKind>,
  register: (it: Vitest.MethodsNonLive<TestHost>) => void,
): void => {
  for (const kind of kinds) {
    testLayer(servers(kind), { excludeTestServices: true })(`${name}, on ${kind.name}`, register)
  }
}

/** Options of an in-process host. */
export interface InProcessOptions {
  readonly manageKey?: Redacted.Redacted<string>
  readonly keyRing?: KeyRing["Service"]
  readonly ready?: Effect.Effect<void, { readonly message: string }>
  readonly serves?: Server.Served
  readonly docs?: boolean
  readonly apiUrl?: string
  readonly settings?: Server.SettingsAppOptions
}

/** An in-process host over a view of a store, with the clock and references of the current effect. */
export const inProcess = Effect.fnUntraced(function* (
  ports: Layer.Layer<StoragePorts, unknown>,
  options: InProcessOptions = {},
) {
  // A host that is started later has its own scope.
  const surroundings = Context.omit(Scope.Scope)(yield* Effect.context<Scope.Scope>())
  const open = Effect.provideContext(started(ports, options), surroundings)
  const { send, services } = yield* open
  return yield* stepping(
    services,
    send,
    Effect.map(open, (host) => host.send),
  )
})

const started = Effect.fnUntraced(function* (ports: Layer.Layer<StoragePorts, unknown>, options: InProcessOptions) {
  const surroundings = yield* Effect.context<never>()
  const services = yield* Layer.mergeAll(
    onTestClock(ports),
    NodeCrypto.layer,
    NodeHttpServer.layerHttpServices,
    NodeAdapter.layerLookup(),
    Layer.succeed(KeyRing, options.keyRing ?? keyRing),
  ).pipe(Layer.build)
  const context = Context.merge(surroundings, services)
  type Services = typeof context extends Context.Context<infer S> ? S : never
  const app = yield* Server.app({ manageKey: Redacted.make(manageKey), ...options }).pipe(
    Effect.provideContext(context),
  )
  const handle = HttpEffect.toWebHandlerWith<Services, Services | Scope.Scope | HttpServerRequest.HttpServerRequest>(
    context,
  )(app)
  const send: Send = (method, path, { body, headers = {} } = {}) =>
    Effect.promise(async () => {
      const request = new Request(`http://host.test${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
      })
      const response = await handle(request)
      const cookies = response.headers.getSetCookie().join(", ")
      const received = Object.fromEntries(response.headers)
      const all = cookies === "" ? received : { ...received, "set-cookie": cookies }
      return answer(response.status, all, await response.bytes())
    })
  // If a host serves only some addresses, the others belong to nobody.
  const isWhole = options.serves === undefined || options.serves === "all"
  return { services, send: isWhole ? described(send) : send }
})

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** Sends a request to the management API with its key; a body other than text is sent as JSON. */
export const manage = (send: Send, method: string, path: string, body?: unknown): Effect.Effect<Answer> =>
  send(method, `/manage/v1${path}`, {
    headers: { authorization: `Bearer ${manageKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })

/** Sends a GET request to the REST API with a token. */
export const read = (
  send: Send,
  token: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Effect.Effect<Answer> => send("GET", `/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })

/** An object in a response. */
export type Json = Readonly<Record<string, unknown>>

/** The body of a response; expects this status. */
export const bodyOf = (expected: number, answer: Answer): Effect.Effect<Json> =>
  answer.status === expected
    ? Effect.succeed(answer.json as Json)
    : Effect.die(new Error(`Expected ${expected}, got ${answer.status}: ${answer.text.slice(0, 500)}`))

// ---------------------------------------------------------------------------------------------------------------------
// Shops and what is in them
// ---------------------------------------------------------------------------------------------------------------------

/** A unique shop with customizer 101 published, and a token for it. */
export interface TestShop {
  readonly id: string
  readonly token: string
  readonly tokenId: string
}

/** Creates a shop through the management API. */
export const newShop = Effect.fnUntraced(function* (send: Send, fields: Partial<typeof shopInput> = {}) {
  const id = `t-${unique()}`
  yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${id}`, { ...shopInput, ...fields }))
  const shop: TestShop = { id, ...(yield* newToken(send, id)) }
  yield* publishVector(send, shop, 101)
  return shop
})

/** Creates a token. */
export const newToken = Effect.fnUntraced(function* (send: Send, shop: string) {
  const made = yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop}/tokens`, { name: "Test" }))
  return { token: made["token"] as string, tokenId: made["id"] as string }
})

/** Creates and publishes a customizer of the vectors. */
export const publishVector = Effect.fnUntraced(function* (send: Send, shop: TestShop, id: number) {
  const vector = customizers.find((customizer) => customizer.id === id)
  if (vector === undefined) return yield* Effect.die(new Error(`No vector ${id}`))
  const { definition, id: _, ...description } = vector
  const path = `/shops/${shop.id}/customizers/${id}`
  yield* bodyOf(200, yield* manage(send, "PUT", path, description))
  return yield* bodyOf(200, yield* manage(send, "POST", `${path}/publish`, { definition }))
})

/** Saves a design of customizer 101 as a draft, and returns its bytes. */
export const newDesign = Effect.fnUntraced(function* (send: Send, shop: TestShop, id: string, fields: Json = {}) {
  const path = `/shops/${shop.id}/designs/${encodeURIComponent(id)}`
  const saved = yield* manage(send, "PUT", path, { ...ringInput, ...fields })
  yield* bodyOf(201, saved)
  return saved.text
})

const atMost255 = (text: string): string => [...text].slice(0, 255).join("")

/** Places an order of existing designs, and returns its bytes. */
export const newOrder = Effect.fnUntraced(function* (
  send: Send,
  shop: TestShop,
  id: string,
  designs: ReadonlyArray<string>,
  orderedAt = "2026-10-05T14:48:00Z",
) {
  const placed = yield* manage(send, "PUT", `/shops/${shop.id}/orders/${encodeURIComponent(id)}`, {
    name: atMost255(`#${id}`),
    orderedAt,
    lines: designs.map((designId) => ({ designId, lineItemId: atMost255(`line-of-${designId}`) })),
  })
  yield* bodyOf(200, placed)
  return placed.text
})
