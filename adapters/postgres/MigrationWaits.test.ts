/** Migrations alongside transactions that keep a table in use. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { expanding, laterVersions } from "../../conformance/testkit/databases/LaterVersions.ts"
import { KnownMigrations } from "../sql/schema/KnownMigrations.ts"
import { MigrationPatience } from "../sql/schema/MigrationPatience.ts"
import { layerClient, migrate, pending } from "./index.ts"

/** A connection with an open transaction, which ends with the scope. */
const holding = (url: string, statement: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`BEGIN; ${statement}`)
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

const nextVersion = Effect.provideService(KnownMigrations, laterVersions.next)

/** A database, and the migration of the next version, which adds a column to orders. */
const newDatabase = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const onDatabase = Effect.provide(layerClient({ url: Redacted.make(url), maxConnections: 3 }))
  return { url, onDatabase }
})

it.live("a migration MUST let hosts continue while it waits for a table, say so, and run once it gets it", () =>
  Effect.gen(function* () {
    const { onDatabase, url } = yield* newDatabase
    const waits = yield* Deferred.make<string>()
    const logger = Logger.make(({ message }) => void Deferred.doneUnsafe(waits, Effect.succeed(String(message))))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* holding(url, "SELECT count(*) FROM designwire.orders")
      const migrating = yield* Effect.forkScoped(
        migrate.pipe(
          nextVersion,
          Effect.provideService(MigrationPatience, { lock: 200, pauses: Array.from({ length: 1_000 }, () => 0.1) }),
          Effect.provide(Logger.layer([logger])),
        ),
      )
      expect(yield* Deferred.await(waits)).toMatch(
        new RegExp(`^The migration ${expanding[0]} waits: other transactions keep a table in use .* again in 0.1 s$`),
      )
      // The account can be read, and so can the table that the migration wants.
      expect(yield* pending).toEqual([])
      expect(yield* sql`SELECT FROM designwire.orders`).toEqual([])
      expect(migrating.pollUnsafe()).toBeUndefined()
      yield* Effect.promise(() => held.query("COMMIT"))
      expect(yield* Fiber.join(migrating)).toEqual(expanding)
    }).pipe(onDatabase)
  }).pipe(Effect.scoped),
)

it.live("a migration that never gets a table MUST fail with a sentence, change nothing, and run the next time", () =>
  Effect.gen(function* () {
    const { onDatabase, url } = yield* newDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* holding(url, "SELECT count(*) FROM designwire.orders")
      const briefly = Effect.provideService(MigrationPatience, { lock: 50, pauses: [0, 0] })
      expect((yield* Effect.flip(briefly(nextVersion(migrate)))).message).toBe(
        `The migration ${expanding[0]} waits: other transactions keep a table in use that it changes, after 3 tries. It ` +
          "has changed nothing: end the transactions that stay open for long, which pg_stat_activity shows, and migrate " +
          "again",
      )
      const [found] = yield* sql<{ made: boolean }>`SELECT to_regclass('designwire.order_notes') IS NOT NULL AS made`
      expect(found).toEqual({ made: false })
      expect(yield* nextVersion(pending)).toEqual(expanding)
      yield* Effect.promise(() => held.query("COMMIT"))
      expect(yield* nextVersion(migrate)).toEqual(expanding)
    }).pipe(onDatabase)
  }).pipe(Effect.scoped),
)

it.live("hosts MUST be able to read which migrations have run while one runs for long", () =>
  Effect.gen(function* () {
    const { onDatabase } = yield* newDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = laterVersions.next
      const slow = { ...known.migrations, [expanding[0] ?? ""]: ["SELECT pg_sleep(3600)"] }
      const migrating = yield* Effect.forkScoped(
        Effect.provideService(migrate, KnownMigrations, { ...known, migrations: slow }),
      )
      const asleep = sql`SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND query = 'SELECT pg_sleep(3600)'`
      const [row] = yield* Effect.repeat(asleep, { until: (rows) => rows.length > 0 })
      expect(yield* pending).toEqual([])
      yield* sql`SELECT pg_terminate_backend(${row?.["pid"] as number}::int4)`
      expect((yield* Effect.exit(Fiber.join(migrating)))._tag).toBe("Failure")
      expect(yield* nextVersion(pending)).toEqual(expanding)
    }).pipe(onDatabase)
  }).pipe(Effect.scoped),
)

it.live("an index MUST be built while others write to its table, and again if the build was killed", () =>
  Effect.gen(function* () {
    const { onDatabase, url } = yield* newDatabase
    const [withColumn = "", withIndex = ""] = expanding
    const { compatibleWith, migrations } = laterVersions.next
    const { [withIndex]: _, ...before } = migrations
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = Effect.provideService(KnownMigrations, { compatibleWith, migrations: before })
      expect(yield* known(migrate)).toEqual([withColumn])
      const held = yield* holding(url, "LOCK TABLE designwire.orders IN ROW EXCLUSIVE MODE")
      const indexes = sql<{ valid: boolean }>`SELECT indisvalid AS valid FROM pg_index
WHERE indexrelid = to_regclass('designwire.orders_note')`
      const building = sql<{ pid: number }>`SELECT pid FROM pg_stat_progress_create_index
WHERE datname = current_database()`

      const killed = yield* Effect.forkScoped(nextVersion(migrate))
      const [row] = yield* Effect.repeat(building, { until: (rows) => rows.length > 0 })
      // Writers don't wait.
      yield* sql.withTransaction(sql`LOCK TABLE designwire.orders IN ROW EXCLUSIVE MODE NOWAIT`)
      yield* sql`SELECT pg_terminate_backend(${row?.pid ?? 0}::int4)`
      expect((yield* Effect.exit(Fiber.join(killed)))._tag).toBe("Failure")
      expect(yield* indexes).toEqual([{ valid: false }])
      expect(yield* nextVersion(pending)).toEqual([withIndex])

      yield* Effect.promise(() => held.query("COMMIT"))
      expect(yield* nextVersion(migrate)).toEqual([withIndex])
      expect(yield* indexes).toEqual([{ valid: true }])
    }).pipe(onDatabase)
  }).pipe(Effect.scoped),
)
