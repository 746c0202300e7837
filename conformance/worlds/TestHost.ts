/** Hosts to test through HTTP: servers over each kind of store, and one in process whose clock the test moves. */
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { layer as testLayer, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, type Scope, Tracer } from "effect"
import { HttpEffect, HttpServer, type HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Memory from "../../adapters/memory/index.ts"
import * as NodeAdapter from "../../adapters/node/index.ts"
import * as Pglite from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import * as Sql from "../../adapters/sql/index.ts"
import type { ShopInput } from "../../core/model/Shop.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { KeyLimit } from "../../hosts/manage/index.ts"
import * as Server from "../../hosts/server/index.ts"
import { undescribed } from "../openapi/Described.ts"
import { unique } from "../storage/Fixtures.ts"
import customizerVectors from "../vectors/customizers.json" with { type: "json" }
import { freshDatabase } from "./Database.ts"

/** The manage key of every test host. */
export const manageKey = "test-manage-key-0123456789"

/** The secret keys of every test host. */
export const keyRing: KeyRing["Service"] = { keys: [Redacted.make(new Uint8Array(32).fill(7))] }

// ---------------------------------------------------------------------------------------------------------------------
// Stores
// ---------------------------------------------------------------------------------------------------------------------

/** A store that hosts may share. */
export interface Store {
  /** A host's view of it; built once for each host. */
  readonly ports: Layer.Layer<StoragePorts, unknown>
  /** Everything that it keeps, as text. */
  readonly dump: Effect.Effect<string>
}

/** A kind of store. */
export interface StoreKind {
  readonly name: string
  readonly open: Effect.Effect<Store, unknown, Scope.Scope>
  /** Whether requests are traced: then every one goes through Effect's router. */
  readonly isTraced?: boolean
  /** How requests come in where it is not through the server alone; `server` sends to that. */
  readonly wayIn?: (ports: Context.Context<StoragePorts>, server: Send) => Effect.Effect<Send, never, Scope.Scope>
}

/** Maps and sets as lists, so that nothing of a memory store is left out of its text. */
const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value

export const memory: StoreKind = {
  name: "memory",
  open: Effect.sync(() => {
    const state = Memory.makeState()
    return { ports: Memory.layerShared(state), dump: Effect.sync(() => JSON.stringify(state, plain)) }
  }),
}

export const routed: StoreKind = { ...memory, name: "memory, all through the router", isTraced: true }

/** Has every request within an effect traced, with spans that nobody sees. */
export const traced = Effect.provideService(
  Tracer.Tracer,
  Tracer.make({ span: (options) => new Tracer.NativeSpan(options) }),
)

/** Every row of every table, but the list of the migrations and when tokens were last used: that is noted a little later, not by who asks. */
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

/** How many hosts hear of what others revoke. */
const listening = SqlClient.SqlClient.use(
  (sql) => sql<{ hosts: number }>`SELECT count(*)::int4 AS hosts FROM pg_stat_activity
WHERE datname = current_database() AND query ILIKE 'listen %'`,
).pipe(Effect.map(([row]) => row?.hosts ?? 0))

export const postgres: StoreKind = {
  name: "postgres",
  open: Effect.gen(function* () {
    const url = Redacted.make(yield* freshDatabase)
    const client = yield* Layer.build(Postgres.layerClient({ url, maxConnections: 1 }))
    yield* Effect.provideContext(Postgres.migrate, client)
    let hosts = 0
    // A host that begins to listen blocks statements that come meanwhile: tests of other things wait until it does.
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

// ---------------------------------------------------------------------------------------------------------------------
// Hosts
// ---------------------------------------------------------------------------------------------------------------------

/** What a host answered. */
export interface Answer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as text, whatever coding it came in. */
  readonly text: string
  /** How many bytes of body came. */
  readonly length: number
  /** The body as JSON. */
  readonly json: unknown
}

/** A request, but for its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in pieces, without telling its length beforehand. */
  readonly chunked?: boolean
}

/** Sends a request; the path goes out to the letter, as no URL parser would leave it. */
export type Send = (method: string, path: string, sent?: Sent) => Effect.Effect<Answer>

/** The host at hand. */
export class TestHost extends Context.Service<
  TestHost,
  {
    readonly send: Send
    /** A second host on the same store, which shares nothing else with the first. */
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

/** The text of a body; the answer to HEAD has none. */
const decoded = (coding: string | undefined, body: Uint8Array): string => {
  const bytes = coding === undefined || body.length === 0 ? body : decoders[coding]?.(body)
  if (bytes === undefined) throw new Error(`The body came in a coding that nobody asked for: ${coding}`)
  return Buffer.from(bytes).toString("utf8")
}

/** An answer, as tests look at it. */
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

/** The same way to a host, on which every answer must be one that the OpenAPI documents describe. */
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
          // A host may answer and hang up before it has read the whole body.
          request.on("error", reject)
          if (bytes !== undefined && chunked) {
            for (let at = 0; at < bytes.length; at += 65_536) request.write(bytes.subarray(at, at + 65_536))
          } else if (bytes !== undefined) request.write(bytes)
          request.end()
        }),
    )

/** Serves a store on a free port until the scope closes; answers the port. */
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

/** Connections that are used again until the scope closes. */
export const keptAlive = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 16 })),
  (agent) => Effect.sync(() => agent.destroy()),
)

/** What sends requests to a host that serves a store until the scope closes. */
const listen = Effect.fnUntraced(function* (kind: StoreKind, ports: Context.Context<StoragePorts>) {
  // Tests of other things may try wrong keys as often as they like.
  const serving = Effect.provideService(serve(ports), KeyLimit, null)
  const port = yield* kind.isTraced ? traced(serving) : serving
  const send = described(sender(port, yield* keptAlive))
  return kind.wayIn === undefined ? send : yield* kind.wayIn(ports, send)
})

/** Two servers on one new store. */
const servers = (kind: StoreKind): Layer.Layer<TestHost, unknown> =>
  Layer.effect(
    TestHost,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const store = yield* kind.open
      const build = Effect.flatMap(Layer.makeMemoMap, (memo) => Layer.buildWithMemoMap(store.ports, memo, scope))
      const ports = yield* build
      return { store, ports, send: yield* listen(kind, ports), other: yield* listen(kind, yield* build) }
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

/** What a host in process is made with. */
export interface InProcessOptions {
  readonly keyRing?: KeyRing["Service"]
  readonly ready?: Effect.Effect<void, { readonly message: string }>
  readonly serves?: Server.Served
  readonly docs?: boolean
  readonly settings?: Server.SettingsAppOptions
}

/** A host in process over a view of a store; its clock and its references are those of the effect at hand. */
export const inProcess = Effect.fnUntraced(function* (
  ports: Layer.Layer<StoragePorts, unknown>,
  options: InProcessOptions = {},
) {
  const surroundings = yield* Effect.context<never>()
  const services = yield* Layer.mergeAll(
    ports,
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
      return answer(response.status, Object.fromEntries(response.headers), await response.bytes())
    })
  // Where a host has a part of the addresses alone, the others are nobody's.
  return options.serves === undefined || options.serves === "all" ? described(send) : send
})

/** Makes a host in process. */
export type Host = typeof inProcess

/** Makes hosts in process whose reads are answered directly, and such whose reads all go through the router: for `describe.each`. */
export const waysIn: ReadonlyArray<readonly [name: string, host: Host]> = [
  ["", inProcess],
  [", all through the router", (ports, options) => traced(inProcess(ports, options))],
]

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** Sends a request to the management API with its key; a body that is no text goes out as JSON. */
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

/** An object of an answer. */
export type Json = Readonly<Record<string, unknown>>

/** An answer's body, which must have come with this status. */
export const bodyOf = (expected: number, answer: Answer): Effect.Effect<Json> =>
  answer.status === expected
    ? Effect.succeed(answer.json as Json)
    : Effect.die(new Error(`Expected ${expected}, got ${answer.status}: ${answer.text.slice(0, 500)}`))

// ---------------------------------------------------------------------------------------------------------------------
// Shops and what is in them
// ---------------------------------------------------------------------------------------------------------------------

/** Settings that are fine for a shop. */
export const shopSettings: Required<ShopInput> = {
  domain: "shop.example.com",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://images.example.com/i",
}

/** The customizers of the vectors, with ids 101, 102 and 103. */
export const customizers: ReadonlyArray<{
  readonly id: number
  readonly title: string
  readonly platformProductId: string
  readonly assetBase: string
  readonly definition: Json
}> = customizerVectors

/** A selection of customizer 101 that is allowed. */
export const ring = { metal: "silver", size: "s54", engrave: "no" }

/** What saves a design of customizer 101. */
export const ringInput = { customizerId: 101, selection: ring, basePrice: 12_900 }

/** A shop that nothing else has, with customizer 101 published, and a token for it. */
export interface TestShop {
  readonly id: string
  readonly token: string
  readonly tokenId: string
}

/** Makes a shop, through the management API. */
export const newShop = Effect.fnUntraced(function* (send: Send, fields: Partial<typeof shopSettings> = {}) {
  const id = `t-${unique()}`
  yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${id}`, { ...shopSettings, ...fields }))
  const shop: TestShop = { id, ...(yield* newToken(send, id)) }
  yield* publishVector(send, shop, 101)
  return shop
})

/** Makes a token. */
export const newToken = Effect.fnUntraced(function* (send: Send, shop: string) {
  const made = yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop}/tokens`, { name: "Test" }))
  return { token: made["token"] as string, tokenId: made["id"] as string }
})

/** Makes a customizer of the vectors and publishes it. */
export const publishVector = Effect.fnUntraced(function* (send: Send, shop: TestShop, id: number) {
  const vector = customizers.find((customizer) => customizer.id === id)
  if (vector === undefined) return yield* Effect.die(new Error(`No vector ${id}`))
  const { definition, id: _, ...description } = vector
  const path = `/shops/${shop.id}/customizers/${id}`
  yield* bodyOf(200, yield* manage(send, "PUT", path, description))
  return yield* bodyOf(200, yield* manage(send, "POST", `${path}/publish`, { definition }))
})

/** Saves a design of customizer 101 as a draft, and answers its bytes. */
export const newDesign = Effect.fnUntraced(function* (send: Send, shop: TestShop, id: string, fields: Json = {}) {
  const path = `/shops/${shop.id}/designs/${encodeURIComponent(id)}`
  const saved = yield* manage(send, "PUT", path, { ...ringInput, ...fields })
  yield* bodyOf(201, saved)
  return saved.text
})

const atMost255 = (text: string): string => [...text].slice(0, 255).join("")

/** Places an order of designs that are there, and answers its bytes. */
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
