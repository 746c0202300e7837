/** `/readyz` while the store takes no changes (D33b). */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../adapters/postgres/index.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { keptAlive, pglite, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"

/** Asks until a status is answered: an answer is good for a second. */
const becomes = (send: ReturnType<typeof sender>, status: number) =>
  Effect.repeat(send("GET", "/readyz"), { until: (answer) => answer.status === status })

/** A disk that takes nothing of this process, which the embedded database runs in. */
const fullDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const { writeSync } = fs
    fs.writeSync = () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28 })
    }
    syncBuiltinESMExports()
    return writeSync
  }),
  (writeSync) =>
    Effect.sync(() => {
      fs.writeSync = writeSync
      syncBuiltinESMExports()
    }),
)

it.live("MUST not be ready while the disk of the embedded database is full, and ready once it has room (D33b)", () =>
  Effect.gen(function* () {
    const { ports } = yield* pglite.open
    const send = sender(yield* serve(yield* Layer.build(ports)), yield* keptAlive)
    expect((yield* send("GET", "/readyz")).status).toBe(200)
    yield* Effect.scoped(Effect.andThen(fullDisk, becomes(send, 503)))
    yield* becomes(send, 200)
  }).pipe(Effect.scoped),
)

it.live("MUST not be ready while the database is read-only, or reads wait for a lock, and ready afterwards", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const client = yield* Layer.build(Postgres.layerClient({ url, maxConnections: 1 }))
    const run = (statement: string) =>
      Effect.provideContext(
        SqlClient.SqlClient.use((sql) => sql.unsafe(statement)),
        client,
      )
    const log: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])
    const port = yield* Effect.provide(Effect.flatMap(Layer.build(Postgres.layer({ url })), serve), logger)
    const send = sender(port, yield* keptAlive)
    yield* becomes(send, 200)
    const locked = SqlClient.SqlClient.use((sql) =>
      sql.withTransaction(Effect.andThen(sql`LOCK TABLE designwire.orders`, becomes(send, 503))),
    )
    yield* Effect.provideContext(locked, client)
    yield* becomes(send, 200)
    yield* run(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
    )
    // Connections that are open keep the setting of their beginning.
    yield* run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    yield* Effect.repeat(becomes(send, 503), {
      until: () => log.at(-1)?.includes("The database is read-only") === true,
    })
  }).pipe(Effect.scoped),
)
