/** Traces of `serve` and `worker`, as a collector gets them, and as receivers see them. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { type ExportedSpan, type OtlpReceiver, otlpReceiver } from "../../conformance/testkit/hosts/OtlpReceiver.ts"
import {
  bodyOf,
  keptAlive,
  manage,
  manageKey,
  newDesign,
  newShop,
  read,
  sender,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { address, run, secrets, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

/** The checkout of a platform that traces: its trace, its span, and what another tracer has added. */
const checkout = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
const traceparent = `00-${checkout.traceId}-${checkout.spanId}-01`
const tracestate = "shop=t61rcWkgMzE"

/** Parts of keys, URLs and queries that no span may have. */
const unspoken = [manageKey, "receivers-password", "words-of-a-person", ...Object.values(secrets)]

/** Starts a host that exports, with a shop, an endpoint whose first attempt fails, and a design. */
const traced = Effect.fnUntraced(function* (collector: OtlpReceiver, variables: Readonly<Record<string, string>> = {}) {
  const database = { ...secrets, DESIGNWIRE_MANAGE_KEY: manageKey, DATABASE_URL: yield* migratedDatabase }
  const process = yield* start(["serve"], {
    ...database,
    ...{ DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8", DESIGNWIRE_ALLOW_HTTP: "true", DESIGNWIRE_RETRY_SCHEDULE: "1s,1s" },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100", OTEL_BLRP_SCHEDULE_DELAY: "100" },
    ...{ OTEL_METRIC_EXPORT_INTERVAL: "100" },
    ...variables,
  })
  const send = sender(Number(new URL(yield* address(process)).port), yield* keptAlive)
  const shop = yield* newShop(send)
  yield* newDesign(send, shop, "a")
  const receiver = yield* webhookReceiver(({ number }) => Effect.succeed(number === 1 ? 500 : 204))
  const hook = { url: `${receiver.url("/hook")}?key=receivers-password`, events: ["design.ordered"] }
  yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, hook))
  /** Orders the design, with these headers. */
  const order = (headers: Readonly<Record<string, string>>) =>
    Effect.flatMap(
      send("PUT", `/manage/v1/shops/${shop.id}/orders/1001`, {
        headers: { authorization: `Bearer ${manageKey}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({
          ...{ name: "#1001", orderedAt: "2026-10-05T14:48:00Z" },
          lines: [{ designId: "a", lineItemId: "1" }],
        }),
      }),
      (answer) => bodyOf(200, answer),
    )
  return { database: new URL(database.DATABASE_URL), order, process, receiver, send, shop }
})

const attempts = (spans: ReadonlyArray<ExportedSpan>) => spans.filter(({ name }) => name === "send design.ordered")

/** The names of a trace's spans from its first one to this one. */
const pathTo = (spans: ReadonlyArray<ExportedSpan>, span: ExportedSpan): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? [span.name] : [...pathTo(spans, parent), span.name]
}

it.live(
  "an order's trace MUST continue from the request through its event to every attempt and its receiver (D70)",
  () =>
    Effect.gen(function* () {
      const collector = yield* otlpReceiver
      const { database, order, process, receiver, send, shop } = yield* traced(collector)
      yield* order({ traceparent, tracestate })
      yield* read(send, shop.token, "/orders/1001?limit=words-of-a-person", { traceparent })
      yield* read(send, shop.token, "/designs/a", { traceparent: "00-not-a-trace-01" })
      yield* receiver.until(() => receiver.requests.length === 2 && receiver.open.size === 0)
      const { code } = yield* stop(process)
      expect(code).toBe(0)

      const all = collector.spans
      const spans = all.filter(({ traceId }) => traceId === checkout.traceId)
      const route = "/manage/v1/shops/:shop/orders/:id"
      const path = [`PUT ${route}`, "PlaceOrder.placeOrder", "create design.ordered"]
      const [failed, succeeded] = attempts(spans)
      for (const attempt of [failed, succeeded])
        expect(attempt && pathTo(spans, attempt)).toEqual([...path, "send design.ordered"])
      expect(spans.find(({ name }) => name === path[0])).toMatchObject({
        kind: 2,
        parentSpanId: checkout.spanId,
        attributes: { "http.request.method": "PUT", "http.response.status_code": 200, "http.route": route },
      })
      // Statements lie within their use cases, and settlements within attempts.
      const statements = spans.filter(({ attributes }) => attributes["db.system.name"] === "postgresql")
      expect(statements[0]).toMatchObject({
        attributes: {
          ...{ "server.address": database.hostname, "server.port": Number(database.port) },
          "db.namespace": database.pathname.slice(1),
        },
      })
      const within = new Set(statements.map((statement) => pathTo(spans, statement).slice(0, -1).join(" › ")))
      expect(within).toContain(`${path[0]} › ${path[1]}`)
      const settling = spans.filter(({ name }) => name === "settle deliveries").map((span) => pathTo(spans, span))
      expect(settling).toEqual([1, 2].map(() => [...path, "send design.ordered", "settle deliveries"]))
      expect(within).toContain("GET /api/v1/orders/:platformOrderId › Read /orders/:platformOrderId")

      expect(failed).toMatchObject({
        kind: 3,
        status: 2,
        attributes: {
          ...{ "http.request.method": "POST", "http.response.status_code": 500, "error.type": "500" },
          ...{ "server.address": "127.0.0.1", "messaging.system": "designwire", "messaging.operation.type": "send" },
          ...{ "messaging.message.id": receiver.requests[0]?.eventId, "designwire.shop.id": shop.id },
        },
      })
      expect(failed?.attributes).not.toHaveProperty("http.request.resend_count")
      expect(succeeded).toMatchObject({
        attributes: { "http.response.status_code": 204, "http.request.resend_count": 1 },
      })
      expect(succeeded?.status).not.toBe(2)
      // Each attempt links to the claim that took the delivery, which has a trace of its own.
      const claims = all.filter(({ name }) => name === "receive deliveries")
      for (const attempt of attempts(spans)) {
        const [link] = attempt.links
        expect(claims.find(({ spanId }) => spanId === link?.spanId)).toMatchObject({ parentSpanId: "" })
      }

      // The receiver's spans become children of the attempts.
      expect(receiver.requests.map(({ headers }) => [headers["traceparent"], headers["tracestate"]])).toEqual(
        [failed, succeeded].map((attempt) => [`00-${checkout.traceId}-${attempt?.spanId}-01`, tracestate]),
      )
      for (const { headers } of receiver.requests) expect(Object.keys(headers).join()).not.toMatch(/baggage|b3/)

      // A malformed traceparent begins a trace.
      expect(all.find(({ name }) => name === "GET /api/v1/designs/:id")).toMatchObject({ parentSpanId: "" })
      expect(collector.services).toEqual(new Set(["designwire"]))
      expect(collector.types).toEqual(new Set(["application/x-protobuf"]))
      expect(collector.metrics).toContain("designwire_delivery_attempts_total")
      expect(collector.logs.map(({ body }) => String(body)).join()).toMatch(/Designwire is ready at/)
      const exported = collector.all()
      for (const secret of [shop.token, ...unspoken]) expect(exported).not.toContain(secret)
      // Probes and the host's own looks for work have no spans.
      const first = all.filter(({ parentSpanId }) => parentSpanId === "").map(({ name }) => name)
      expect(first.filter((name) => !/^(?:GET|PUT|POST) |^receive deliveries$/.test(name))).toEqual([])
    }).pipe(Effect.scoped),
)

it.live("receivers MUST NOT get a trace if the host does not export, or if an option forbids it (D70)", () =>
  Effect.gen(function* () {
    const collector = yield* otlpReceiver
    const off = [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, { OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }]
    for (const variables of [...off, { DESIGNWIRE_TRACE_RECEIVERS: "false" }]) {
      const { order, process, receiver } = yield* traced(collector, variables)
      yield* order({ traceparent, tracestate, baggage: "a=1" })
      yield* receiver.until(() => receiver.requests.length === 2 && receiver.open.size === 0)
      yield* stop(process)
      for (const { headers } of receiver.requests) {
        expect(Object.keys(headers).filter((name) => /trace|baggage|b3/.test(name))).toEqual([])
      }
    }
    const traces = collector.spans.map(({ traceId }) => traceId)
    // Of the last host alone.
    expect(traces.filter((traceId) => traceId === checkout.traceId).length).toBeGreaterThan(4)
    expect(attempts(collector.spans)).toHaveLength(2)
  }).pipe(Effect.scoped),
)

it.live("a host MUST keep the traces that OTEL_TRACES_SAMPLER says, and those that callers keep", () =>
  Effect.gen(function* () {
    const collector = yield* otlpReceiver
    const { order, process, receiver, send, shop } = yield* traced(collector, {
      ...{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
      ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
    })
    yield* read(send, shop.token, "/designs/a")
    yield* order({})
    yield* receiver.until(() => receiver.requests.length === 2 && receiver.open.size === 0)
    // Receivers learn that the trace is not kept.
    expect(receiver.requests.map(({ headers }) => headers["traceparent"])).toEqual([
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    ])
    yield* read(send, shop.token, "/designs/a", { traceparent })
    expect((yield* stop(process)).code).toBe(0)
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([checkout.traceId]))
    expect(collector.types).toEqual(new Set(["application/json"]))
  }).pipe(Effect.scoped),
)

it.live("a worker MUST export, and a host start without its collector, whatever the variables say", () =>
  Effect.gen(function* () {
    const collector = yield* otlpReceiver
    const database = { ...secrets, DATABASE_URL: yield* migratedDatabase }
    const worker = yield* start(["worker"], {
      ...database,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs`,
    })
    yield* worker.line(/worker is ready/)
    expect((yield* stop(worker)).code).toBe(0)
    expect(collector.logs.map(({ body }) => String(body)).join()).toMatch(/worker is ready/)
    const host = yield* start(["serve"], {
      ...{ ...database, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      ...{ OTEL_TRACES_SAMPLER: "jaeger_remote", OTEL_TRACES_SAMPLER_ARG: "2" },
    })
    yield* address(host)
    const { code, stdout } = yield* stop(host)
    expect(code).toBe(0)
    expect(stdout).toMatch(/OTEL_TRACES_SAMPLER: is none of always_on, /)
    expect(stdout).toMatch(/OTEL_TRACES_SAMPLER_ARG: is not a number from 0 to 1/)
    expect(stdout).toMatch(/OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: is neither http\/protobuf nor http\/json/)
    const wrong = yield* run(["serve"], { ...database, OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })
    expect(wrong).toMatchObject({ code: 1, stderr: "OTEL_EXPORTER_OTLP_ENDPOINT: must be an http: or https: URL\n" })
  }).pipe(Effect.scoped),
)
