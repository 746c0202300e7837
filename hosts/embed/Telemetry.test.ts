/** The spans of an embedded service in the traces of its application, by OpenTelemetry's own packages. */
import pg from "pg"
import { expect, it, onTestFinished, vi } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, emptyDatabase, fill, opened, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { otlpReceiver } from "../../conformance/testkit/hosts/OtlpReceiver.ts"
import { install } from "../../conformance/testkit/processes/Install.ts"
import { type DesignwireOptions, fromPg, fromPgPool } from "./index.ts"

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: ReadonlyArray<string>
}

interface Sdk {
  readonly telemetry: NonNullable<DesignwireOptions["telemetry"]>
  readonly register: () => {
    readonly spans: () => ReadonlyArray<Span>
    readonly unregister: () => void
    readonly within: <A>(name: string, traceId: string, state: string, use: () => Promise<A>) => Promise<A>
  }
}

const directory = await install(new URL("../../conformance/checks/libraries/", import.meta.url))
const { register, telemetry }: Sdk = await import(`${directory}/OpenTelemetry.ts`)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

/** A service on Postgres with a receiver. */
const world = async (options: Partial<DesignwireOptions>) => {
  const hooks = await receiver()
  const url = await emptyDatabase()
  const pool = new pg.Pool({ connectionString: url })
  // The database is dropped while connections are idle.
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  const designwire = await embed({ database: fromPgPool(pool), ...options })
  await designwire.migrate()
  await fill(designwire)
  await designwire.designs.save("acme", "a", ringInput)
  await designwire.webhooks.create("acme", { url: hooks.url("/hook"), events: ["design.ordered"] })
  await designwire.start()
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  const get = (path: string) =>
    designwire.handler(new Request(`http://a/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } }))
  /** Orders the design in a transaction of the application's. */
  const order = async () => {
    const client = await pool.connect()
    await client.query("BEGIN")
    await designwire.orders.place("acme", "1", orderOf("a"), { tx: fromPg(client) })
    await client.query("COMMIT")
    client.release()
  }
  const delivered = () => hooks.until(() => hooks.requests.length === 1 && hooks.open.size === 0)
  return { delivered, designwire, get, hooks, order }
}

it("MUST make no trace without a provider, and send receivers none", async () => {
  const { delivered, hooks, order } = await world({ telemetry })
  await order()
  await delivered()
  expect(hooks.requests[0]?.headers).not.toHaveProperty("traceparent")
})

it("MUST continue the application's active span through its transaction to the receiver (D70)", async () => {
  const { spans, unregister, within } = register()
  onTestFinished(unregister)
  const { delivered, designwire, get, hooks, order } = await world({ telemetry })
  await within("checkout", traceId, "vendor=value", async () => {
    await order()
    expect((await get("/designs/a")).status).toBe(200)
  })
  await delivered()
  expect((await get("/designs/a?limit=a-persons-words")).status).toBe(200)
  await designwire.stop()

  const all = spans()
  const of = (name: string) => all.filter((span) => span.name === name && span.traceId === traceId)
  const pathTo = (span: Span | undefined): ReadonlyArray<string> =>
    span === undefined ? [] : [...pathTo(all.find(({ spanId }) => spanId === span.parentSpanId)), span.name]
  const [checkout] = of("checkout")
  const [send] = of("send design.ordered")
  const path = ["checkout", "sql.transaction", "PlaceOrder.placeOrder", "create design.ordered", "send design.ordered"]
  expect(pathTo(send)).toEqual(path)
  expect(of("create design.ordered")).toMatchObject([{ kind: 3 }])
  expect(send).toMatchObject({ kind: 2, attributes: { "http.response.status_code": 200 } })
  expect(all.find(({ spanId }) => spanId === send?.links[0])).toMatchObject({ name: "receive deliveries" })
  const statements = all.filter(({ attributes }) => attributes["db.query.text"] !== undefined)
  expect(statements.map((span) => pathTo(span).slice(0, -1))).toContainEqual(path.slice(0, 3))
  expect(of("Read /designs/:id")).toEqual([expect.objectContaining({ parentSpanId: checkout?.spanId })])
  const { headers } = hooks.requests[0] ?? {}
  expect([headers?.["traceparent"], headers?.["tracestate"]]).toEqual([
    `00-${traceId}-${send?.spanId}-01`,
    "vendor=value",
  ])
  expect(headers).not.toHaveProperty("baggage")

  const first = all.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)
  expect(first.filter((name) => /sql|postgres/.test(name))).toEqual([])

  // A request without an active span has one of its own.
  const [own, ...others] = all.filter(({ name }) => name === "GET /api/v1/designs/:id")
  expect(others).toEqual([])
  expect(own).toMatchObject({ kind: 1, parentSpanId: undefined, attributes: { "http.response.status_code": 200 } })
  expect(JSON.stringify(all)).not.toContain("a-persons-words")
})

it("MUST NOT send receivers a trace if traceReceivers is false (D70)", async () => {
  const { delivered, hooks, order } = await world({ telemetry, traceReceivers: false })
  await order()
  await delivered()
  expect(hooks.requests[0]?.headers).not.toHaveProperty("traceparent")
})

it("MUST export as the variables OTEL_* say, if telemetry is `environment`", async () => {
  const collector = await opened(otlpReceiver)
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
  vi.stubEnv("OTEL_SERVICE_NAME", "shop")
  onTestFinished(() => void vi.unstubAllEnvs())
  const { delivered, designwire, hooks, order } = await world({ telemetry: "environment" })
  await order()
  await delivered()
  await designwire.stop()
  const send = collector.spans.find(({ name }) => name === "send design.ordered")
  expect(hooks.requests[0]?.headers["traceparent"]).toBe(`00-${send?.traceId}-${send?.spanId}-01`)
  expect(collector.types).toEqual(new Set(["application/json"]))
  expect(collector.services).toEqual(new Set(["shop"]))
})

it.each([[{}], ["otlp"], [null], [{ trace: {}, context: {} }]])("MUST refuse %j as telemetry", async (value) => {
  await expect(embed({ telemetry: value as never })).rejects.toMatchObject({
    problems: [{ path: "telemetry", message: 'must be the module @opentelemetry/api, or "environment"' }],
  })
})
