/** Changes that are answered with 503, because another session has locked a table (D49). */
import { once } from "node:events"
import { connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../adapters/postgres/index.ts"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { sender as answering, keptAlive, manageKey, serve } from "../../conformance/testkit/hosts/TestHost.ts"

interface Answer {
  readonly status: number
  readonly json: { readonly id?: string; readonly message?: string }
}

const sender =
  (port: number) =>
  (method: string, path: string, body?: unknown): Effect.Effect<Answer> =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/manage/v1/shops/acme${path}`, {
        method,
        headers: { authorization: `Bearer ${manageKey}`, connection: "close" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, json: text === "" ? {} : (JSON.parse(text) as Answer["json"]) }
    })

/** A shop with a customizer, a token and an endpoint; returns the ids of the last two. */
const setUp = Effect.fnUntraced(function* (send: ReturnType<typeof sender>) {
  expect((yield* send("PUT", "", shopInput)).status).toBe(200)
  expect((yield* send("PUT", "/customizers/101", customizer)).status).toBe(200)
  expect((yield* send("POST", "/customizers/101/publish", { definition })).status).toBe(200)
  expect((yield* send("PUT", "/designs/d0", ringInput)).status).toBe(201)
  const token = yield* send("POST", "/tokens", { name: "ERP" })
  const endpoint = yield* send("POST", "/webhooks", hook)
  return { token: String(token.json.id), endpoint: String(endpoint.json.id) }
})

const [{ definition, ...sample }] = customizers as unknown as readonly [(typeof customizers)[0]]
const customizer = { title: "Ring", platformProductId: sample.platformProductId, assetBase: sample.assetBase }
const order = {
  ...{ name: "#1", orderedAt: "2026-10-05T14:48:00Z" },
  lines: [{ designId: "d0", lineItemId: "1" }],
}
const hook = { url: "https://93.184.216.34/hook" }

const tables = [
  "designs",
  "orders",
  "unstored_orders",
  "shops",
  "customizers",
  "customizer_versions",
  "tokens",
  "endpoints",
  "deliveries",
] as const

/** Everything that the changes of this test may alter. */
const content = SqlClient.SqlClient.use((sql) =>
  Effect.forEach(tables, (table) =>
    sql<{ rows: string }>`SELECT coalesce(json_agg(t ORDER BY t::text), '[]')::text AS rows
FROM ${sql.literal(`designwire.${table}`)} t`.pipe(Effect.map(([row]) => `${table} ${row?.rows}`)),
  ),
)

/** Waits until no other session is carrying out anything. */
const calm = SqlClient.SqlClient.use((sql) =>
  Effect.repeat(
    Effect.delay(
      sql<{ busy: number }>`SELECT count(*)::int4 AS busy FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
      "10 millis",
    ),
    { until: ([row]) => row?.busy === 0 },
  ),
)

it.live("a change MUST NOT take effect after it was answered with 503: each kind, while a table is locked (D49)", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const ports = yield* Layer.build(Postgres.layer({ url, maxConnections: 4 }))
    const { endpoint, token } = yield* setUp(sender(yield* serve(ports)))
    const send = sender(yield* serve(ports, { limits: { longestRequest: 600 } }))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [table, method, path, body] of [
        ["tokens", "POST", "/tokens", { name: "WMS" }],
        ["tokens", "DELETE", `/tokens/${token}`],
        ["customizers", "PUT", "/customizers/101", { ...customizer, title: "Another" }],
        ["customizers", "PUT", "/customizers/102", customizer],
        ["customizers", "POST", "/customizers/101/publish", { definition }],
        ["customizer_versions", "POST", "/customizers/101/publish", { definition }],
        ["endpoints", "POST", "/webhooks", hook],
        ["endpoints", "PATCH", `/webhooks/${endpoint}`, { description: "Another" }],
        ["endpoints", "PATCH", `/webhooks/${endpoint}`, { events: ["order.cancelled"] }],
        ["endpoints", "POST", `/webhooks/${endpoint}/secret/rotate`],
        ["endpoints", "DELETE", `/webhooks/${endpoint}`],
        ["deliveries", "POST", `/webhooks/${endpoint}/test`],
        ["designs", "PUT", "/designs/d1", ringInput],
        ["orders", "PUT", "/orders/1", order],
        ["unstored_orders", "POST", "/orders/2/cancel"],
        ["deliveries", "POST", `/webhooks/${endpoint}/recover`, { since: "2020-01-01T00:00:00Z" }],
        ["shops", "PUT", "", { ...shopInput, domain: "another.example.com" }],
      ] as const) {
        const call = `${method} ${path}, ${table} locked`
        // Over a connection of its own and without a transaction: it may be stored before it can be cancelled.
        const isSingle = /^PUT .(designs|orders)|cancel$/.test(`${method} ${path}`)
        const said = isSingle ? "may or may not be stored" : "nothing was stored; try again"
        const before = yield* content
        const answer = yield* sql.withTransaction(
          Effect.andThen(sql`LOCK TABLE ${sql.literal(`designwire.${table}`)} IN SHARE MODE`, send(method, path, body)),
        )
        expect([call, answer]).toEqual([
          call,
          { status: 503, json: { message: expect.stringContaining(said), retryable: true } },
        ])
        yield* calm
        expect([call, yield* content]).toEqual([call, before])
      }
    }).pipe(Effect.provide(Postgres.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

it.live(
  "a form of the settings app that took too long MUST be answered with a page that says what was stored (D49)",
  () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* migratedDatabase)
      const ports = yield* Layer.build(Postgres.layer({ url, maxConnections: 4 }))
      yield* setUp(sender(yield* serve(ports)))
      const send = answering(yield* serve(ports, { limits: { longestRequest: 600 } }), yield* keptAlive)
      const browser = yield* signedIn(send, "acme")
      const page = yield* browser.open("/settings/tokens")
      const [form = ""] = page.forms.map(({ action }) => action).filter((action) => action.endsWith("tokens"))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const shown = yield* sql.withTransaction(
          Effect.andThen(sql`LOCK TABLE designwire.tokens IN SHARE MODE`, browser.submit(page, form, { name: "WMS" })),
        )
        expect([shown.status, shown.headers["content-type"], shown.read]).toEqual([
          503,
          expect.stringContaining("text/html"),
          expect.stringContaining("nothing was stored; try again."),
        ])
        yield* sql`CREATE FUNCTION public.lose() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`
        yield* sql`CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON designwire.tokens
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.lose()`
        const lost = yield* browser.submit(page, form, { name: "WMS" })
        expect([lost.status, lost.read]).toEqual([503, expect.stringContaining("may or may not be stored")])
      }).pipe(Effect.provide(Postgres.layerClient({ url, maxConnections: 1 })))
    }).pipe(Effect.scoped),
)

it.live("a change MUST have its whole time once its body has arrived", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const port = yield* serve(yield* Layer.build(Postgres.layer({ url, maxConnections: 4 })), {
      limits: { longestRequest: 4_000 },
    })
    yield* setUp(sender(port))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const body = JSON.stringify({ name: "WMS" })
      const late = connect(port, "127.0.0.1").setEncoding("utf8")
      late.write(`POST /manage/v1/shops/acme/tokens HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${manageKey}\r
Content-Length: ${body.length}\r\n\r\n`)
      yield* Effect.sleep("2.7 seconds")
      const answer = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE designwire.tokens IN SHARE MODE`
          late.write(body)
          yield* Effect.sleep("1 second")
          return Effect.promise(async () => String((await once(late, "data"))[0]))
        }),
      )
      expect(yield* answer).toMatch(/^HTTP\/1.1 201 /)
      late.destroy()
    }).pipe(Effect.provide(Postgres.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

it.live("a change that the database refuses MUST be answered with 503 that says that nothing was stored (D49)", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const send = sender(yield* serve(yield* Layer.build(Postgres.layer({ url, maxConnections: 4 }))))
    yield* setUp(send)
    const nothing = {
      status: 503,
      json: { message: expect.stringContaining("nothing was stored; try again"), retryable: true },
    }
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [table, method, path, body] of [
        ["designs", "PUT", "/designs/d1", ringInput],
        ["events", "PUT", "/orders/1", order],
        ["orders", "POST", "/orders/2/cancel"],
        ["tokens", "POST", "/tokens", { name: "WMS" }],
        ["shops", "PUT", "", shopInput],
      ] as const) {
        yield* sql`ALTER TABLE ${sql.literal(`designwire.${table}`)} RENAME TO elsewhere`
        expect([path, yield* send(method, path, body)]).toEqual([path, nothing])
        yield* sql`ALTER TABLE designwire.elsewhere RENAME TO ${sql.literal(table)}`
      }
    }).pipe(Effect.provide(Postgres.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

it.live("a change whose connection is lost MUST be answered with 503: not known from its COMMIT on (D49)", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const send = sender(yield* serve(yield* Layer.build(Postgres.layer({ url, maxConnections: 4 }))))
    yield* setUp(send)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE FUNCTION public.lose() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`
      for (const [table, when, path, body, said] of [
        ["tokens", "INITIALLY DEFERRED", "POST /tokens", { name: "WMS" }, "may or may not be stored"],
        ["tokens", "INITIALLY IMMEDIATE", "POST /tokens", { name: "WMS" }, "nothing was stored"],
        ["designs", "INITIALLY IMMEDIATE", "PUT /designs/d1", ringInput, "may or may not be stored"],
      ] as const) {
        yield* sql`CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON designwire.${sql.literal(table)}
DEFERRABLE ${sql.literal(when)} FOR EACH ROW EXECUTE FUNCTION public.lose()`
        const [method = "", address = ""] = path.split(" ")
        expect([path, when, yield* send(method, address, body)]).toEqual([
          path,
          when,
          { status: 503, json: { message: expect.stringContaining(said), retryable: true } },
        ])
        yield* sql`DROP TRIGGER lose ON designwire.${sql.literal(table)}`
      }
    }).pipe(Effect.provide(Postgres.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped),
)
