/** Requests with an `Idempotency-Key` to a server that is killed (D49). */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { layerClient } from "../../adapters/postgres/index.ts"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, secrets, send, start } from "../../conformance/testkit/processes/Processes.ts"

const token = secrets.DESIGNWIRE_MANAGE_KEY

const post = (base: string, path: string, key: string, body: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${base}/manage/v1/shops/acme${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key, connection: "close" },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  })

/** Waits until a statement waits for a lock. */
const waiting = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    Effect.delay(
      sql<{ count: number }>`SELECT count(*)::int4 AS count FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      "10 millis",
    ),
    { until: ([row]) => row !== undefined && row.count > 0 },
  )

it.live(
  "a server killed at any step MUST leave both the change and its answer, or neither: it is carried out once (D49)",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const server = Effect.gen(function* () {
        const process = yield* start(["serve"], { ...secrets, DATABASE_URL: url })
        return { process, base: yield* address(process) }
      })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = sql`SELECT name FROM designwire.tokens UNION ALL SELECT url FROM designwire.endpoints
UNION ALL SELECT key FROM designwire.kept_answers`
        let next = yield* server
        yield* send("PUT", `${next.base}/manage/v1/shops/acme`, { token, body: shopInput })
        // Killed while it stores the change, and between the change and its answer.
        for (const [path, body, table] of [
          ["/tokens", { name: "ERP" }, "tokens"],
          ["/tokens", { name: "ERP" }, "kept_answers"],
          ["/webhooks", { url: "https://93.184.216.34/hook" }, "endpoints"],
          ["/webhooks", { url: "https://93.184.216.34/hook" }, "kept_answers"],
        ] as const) {
          const before = (yield* rows).length
          const { base, process } = next
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE ${sql.literal(`designwire.${table}`)} IN SHARE MODE`
              yield* Effect.forkScoped(Effect.exit(post(base, path, `${path} ${table}`, body)))
              yield* waiting(sql)
              process.child.kill("SIGKILL")
              yield* process.ended
            }),
          )
          next = yield* server
          expect((yield* rows).length).toBe(before)
          // It is under way until the database notices that its client is gone.
          const first = yield* Effect.repeat(post(next.base, path, `${path} ${table}`, body), {
            until: ({ status }) => status !== 409,
            schedule: Schedule.spaced("50 millis"),
          })
          expect([path, first.status]).toEqual([path, 201])
          // Killed after the answer: another server gives the same.
          next.process.child.kill("SIGKILL")
          next = yield* server
          expect(yield* post(next.base, path, `${path} ${table}`, body)).toEqual(first)
          expect((yield* rows).length).toBe(before + 2)
        }
      }).pipe(Effect.provide(layerClient({ url: Redacted.make(url), maxConnections: 3 })))
    }).pipe(Effect.scoped),
)
