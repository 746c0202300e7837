import { createServer } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import type { Json } from "../../conformance/testkit/hosts/TestHost.ts"
import {
  address,
  keptManageKey,
  secrets,
  send,
  start,
  stop,
  temporaryDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import {
  host,
  localReceivers,
  newEndpoint,
  newShop,
  order,
  startWorkers,
} from "../../conformance/testkit/workers/Fleet.ts"
import {
  decided,
  type Received,
  type WebhookReceiver,
  webhookReceiver,
} from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { changing } from "../../core/rules/webhooks/EndpointUpdates.ts"

const withKeys = { ...secrets, ...localReceivers }

/** The management API of a host, with a shop that sells rings. */
const managed = Effect.fnUntraced(function* (base: string, token: string) {
  const call = Effect.fnUntraced(function* (method: string, path: string, expected: number, body?: unknown) {
    const answer = yield* send(method, `${base}/manage/v1/shops/ring${path}`, { token, body })
    expect(answer.status, answer.text).toBe(expected)
    return answer.json() as Json
  })
  const [ring] = customizers
  yield* call("PUT", "", 200, shopInput)
  const { assetBase, definition, platformProductId, title } = ring as (typeof customizers)[number]
  yield* call("PUT", "/customizers/101", 200, { title, platformProductId, assetBase })
  yield* call("POST", "/customizers/101/publish", 200, { definition })
  return {
    call,
    add: Effect.fnUntraced(function* (receiver: WebhookReceiver, path: string) {
      const { id, secret } = yield* call("POST", "/webhooks", 201, {
        url: receiver.url(path),
        events: ["design.ordered"],
      })
      receiver.trust(path, String(secret))
      return String(id)
    }),
    order: Effect.fnUntraced(function* (id: string) {
      yield* call("PUT", `/designs/dsn_${id}`, 201, ringInput)
      yield* call("PUT", `/orders/${id}`, 200, {
        name: `#${id}`,
        orderedAt: "2026-10-05T14:48:00Z",
        lines: [{ designId: `dsn_${id}`, lineItemId: "1" }],
      })
    }),
  }
})

it.live("serve MUST deliver on its own, from the embedded database", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(({ number }) => Effect.succeed(number === 1 ? 500 : 204))
    const directory = yield* temporaryDirectory
    const serve = yield* start(["serve"], {
      DESIGNWIRE_DATA_DIR: `${directory}/data`,
      DESIGNWIRE_RETRY_SCHEDULE: "100ms",
      ...localReceivers,
    })
    const base = yield* address(serve)
    const api = yield* managed(base, keptManageKey(`${directory}/data`))
    const endpointId = yield* api.add(receiver, "/hook")
    yield* api.order("1001")
    yield* receiver.until(() => receiver.requests.length === 2 && receiver.open.size === 0)
    expect(receiver.requests.map(({ signed, status, worker }) => [signed, status, worker])).toEqual([
      [true, 500, "Designwire"],
      [true, 204, "Designwire"],
    ])
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body)
    expect(receiver.requests[1]?.deliveryId).toBe(receiver.requests[0]?.deliveryId)
    expect((yield* stop(serve)).code).toBe(0)

    // Its data is there after a restart.
    const again = yield* start(["serve"], { DESIGNWIRE_DATA_DIR: `${directory}/data`, ...localReceivers })
    const log = yield* send("GET", `${yield* address(again)}/manage/v1/shops/ring/webhooks/${endpointId}/deliveries`, {
      token: keptManageKey(`${directory}/data`),
    })
    expect(log.json()).toMatchObject({
      data: [{ status: "succeeded", attempts: [{ statusCode: 500 }, { statusCode: 204 }] }],
    })
  }),
)

it.live("a worker process MUST deliver what a busy serve process adds to the same database", () =>
  Effect.gen(function* () {
    const { answering, decide } = decided()
    const receiver = yield* webhookReceiver(answering)
    const url = yield* migratedDatabase
    const one = { DATABASE_URL: url, DESIGNWIRE_CONCURRENCY: "1", ...withKeys }
    const serve = yield* start(["serve"], { ...one, DESIGNWIRE_SERVICE_NAME: "Serve" })
    const worker = yield* start(["worker"], { ...one, DESIGNWIRE_SERVICE_NAME: "Worker" })
    yield* worker.line(/worker is ready$/)
    const api = yield* managed(yield* address(serve), secrets.DESIGNWIRE_MANAGE_KEY)
    yield* api.add(receiver, "/hook")
    const seen = new Set<Received>()
    let orders = 0
    /** Places one more order, and returns the next request. */
    const next = Effect.gen(function* () {
      yield* api.order(`${++orders}`)
      yield* receiver.until(() => [...receiver.open].some((request) => !seen.has(request)))
      const request = [...receiver.open].find((open) => !seen.has(open)) as Received
      seen.add(request)
      return request
    })
    // One of the two takes the first delivery in its only slot, so that the other takes the second.
    const first = yield* next
    const second = yield* next
    expect(new Set([first.worker, second.worker])).toEqual(new Set(["Serve", "Worker"]))
    decide(first, 204)
    decide(second, 204)
    yield* receiver.until(() => receiver.open.size === 0)
    for (const process of [serve, worker]) expect((yield* stop(process)).code).toBe(0)
    expect(receiver.requests.map(({ abandoned, signed, status }) => [abandoned, signed, status])).toEqual([
      [false, true, 204],
      [false, true, 204],
    ])
  }),
)

it.live(
  "a worker MUST be woken by another process's commits: fifteen deliveries, each added when the last arrived",
  () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver(() => Effect.succeed(204))
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        yield* newEndpoint(shop, receiver, "/hook")
        yield* startWorkers(1, url)
        // Without a signal, an idle worker looks every 5 s: this test would take more than a minute, and has half of
        // one.
        for (let count = 1; count <= 15; count++) {
          yield* order(shop, `${count}`)
          yield* receiver.until(() => receiver.requests.length === count && receiver.open.size === 0)
        }
        expect(receiver.requests.every(({ signed }) => signed)).toBe(true)
      }).pipe(Effect.provide(host(url)))
    }),
)

/** Listens at 127.0.0.1 and counts connections. */
const listener = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly connections: () => number; readonly close: () => void }>(
    (resume) => {
      let connections = 0
      const server = createServer((socket) => {
        connections++
        socket.destroy()
      })
      server.listen(0, "127.0.0.1", () => {
        const bound = server.address()
        const port = typeof bound === "object" && bound !== null ? bound.port : 0
        resume(Effect.succeed({ port, connections: () => connections, close: () => server.close() }))
      })
    },
  ),
  ({ close }) => Effect.sync(close),
)

it.live("serve MUST by default refuse private addresses, when an endpoint is added and at each attempt", () =>
  Effect.gen(function* () {
    const { connections, port } = yield* listener
    const url = yield* migratedDatabase
    const serve = yield* start(["serve"], { DATABASE_URL: url, ...secrets })
    const api = yield* managed(yield* address(serve), secrets.DESIGNWIRE_MANAGE_KEY)
    for (const refused of [
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      `https://hooks.localhost:${port}/`,
      `https://2130706433:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      "https://10.0.0.1/",
      "https://192.168.1.1/",
      "https://169.254.169.254/latest/meta-data/",
      `http://127.0.0.1:${port}/`,
    ]) {
      const answer = yield* api.call("POST", "/webhooks", 422, { url: refused })
      expect(answer).toMatchObject({ problems: [{ path: "url" }] })
    }
    expect(connections()).toBe(0)

    const { endpointId } = yield* Effect.gen(function* () {
      const receiver = yield* webhookReceiver(() => Effect.succeed(204))
      const endpointId = yield* newEndpoint("ring", receiver, "/")
      // As if its name led elsewhere now.
      yield* EndpointStore.use((store) =>
        store.update("ring", endpointId, changing({ url: `https://127.0.0.1:${port}/` })),
      )
      return { endpointId }
    }).pipe(Effect.provide(host(url), { local: true }))
    yield* api.order("1001")
    const log = api.call("GET", `/webhooks/${endpointId}/deliveries`, 200) as Effect.Effect<{
      readonly data: ReadonlyArray<{ readonly attempts: ReadonlyArray<Json> }>
    }>
    const { data } = yield* Effect.repeat(Effect.delay(log, 50), {
      until: ({ data }) => data[0]?.attempts.length === 1,
    })
    expect(data[0]).toMatchObject({ status: "pending", attempts: [{ statusCode: null, error: "address_refused" }] })
    expect(yield* api.call("GET", `/webhooks/${endpointId}`, 200)).toMatchObject({ consecutiveFailures: 1 })
    expect(connections()).toBe(0)
  }),
)
