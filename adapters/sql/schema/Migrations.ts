/** The versions of the schema, and migration to the latest. */
import { Data, Effect } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import { attemptCounts } from "./AttemptCounts.ts"
import { auditEntries } from "./AuditEntries.ts"
import { baseline } from "./Baseline.ts"
import { endpointOptions } from "./EndpointOptions.ts"
import { eventTraces } from "./EventTraces.ts"
import { keptAnswers } from "./KeptAnswers.ts"
import { oneDueQueue } from "./OneDueQueue.ts"
import { orderSearch } from "./OrderSearch.ts"
import { runMigrations } from "./RunMigrations.ts"
import { clientIn, inSchema, lockIn, SchemaName } from "./Schema.ts"
import { settingsMarks } from "./SettingsMarks.ts"
import { shopDomains } from "./ShopDomains.ts"
import { subjects } from "./Subjects.ts"
import { tokenScopes } from "./TokenScopes.ts"
import { unstoredOrders } from "./UnstoredOrders.ts"

/**
 * The SQL of each version of the schema, in order: `<number>_<name>`. Databases keep account of the names, so a
 * migration is never edited or renamed once it was released; what changes is added at the end.
 */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1_baseline": baseline,
  "2_unstored_orders": unstoredOrders,
  "3_kept_answers": keptAnswers,
  "4_one_due_queue": oneDueQueue,
  "5_attempt_counts": attemptCounts,
  "6_subjects": subjects,
  "7_audit_entries": auditEntries,
  "8_settings_marks": settingsMarks,
  "9_order_search": orderSearch,
  "10_shop_domains": shopDomains,
  "11_event_traces": eventTraces,
  "12_endpoint_options": endpointOptions,
  "13_token_scopes": tokenScopes,
}

/** Lock number, so that hosts that start at the same time migrate one after the other. */
const lock = 7_361_950_021

/** The current client, and the schema of the tables. */
const connection = Effect.gen(function* () {
  const schema = yield* SchemaName
  return { schema, sql: clientIn(yield* SqlClient.SqlClient, schema) }
})

/**
 * The database has migrations unknown to this version, made by a newer one, or its shops are spread over buckets.
 * Nothing may be read or written.
 */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{ readonly message: string }> {}

/** The database lacks migrations of this version. Nothing can be read or written before they run. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

/** Migrates the database in one transaction. Returns the names of the migrations that it ran. */
export const migrate: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(connection, ({ schema, sql }) =>
  sql.withTransaction(
    Effect.gen(function* () {
      // Another process may migrate for long.
      yield* sql`SELECT set_config('lock_timeout', '0', true) AS waits`
      yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${lockIn(schema, lock)}) IS NULL AS locked`)
      yield* pending
      yield* sql.unsafe(createSchema(schema))
      const done = yield* Effect.provideService(
        runMigrations(migrations, `${schema}.migrations`),
        SqlClient.SqlClient,
        sql,
      )
      return done.map(([id, name]) => `${id}_${name}`)
    }),
  ),
)

/** Names of the missing migrations, in order. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(connection, ({ sql }) =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ found: boolean; spread: boolean }>`SELECT
  to_regclass('designwire.migrations') IS NOT NULL AS found,
  to_regclass('designwire_directory.buckets') IS NOT NULL AS spread`
    if (found?.found !== true && found?.spread === true) return yield* spreadOverBuckets
    const done =
      found?.found === true
        ? yield* sql<{
            id: number
            name: string
          }>`SELECT migration_id AS id, name FROM designwire.migrations ORDER BY 1`
        : []
    const known = Object.keys(migrations)
    const latest = Math.max(...known.map(idOf))
    const newer = done.filter(({ id }) => id > latest).map(({ id, name }) => `${id}_${name}`)
    if (newer.length > 0) {
      return yield* new NewerSchema({
        message: [
          `The database was migrated by a newer version of designwire: it has ${newer.join(", ")};`,
          `the latest that this version knows is ${known.at(-1)}. Use that version`,
        ].join(" "),
      })
    }
    const ids = new Set(done.map(({ id }) => id))
    return known.filter((name) => !ids.has(idOf(name)))
  }),
)

const spreadOverBuckets = new NewerSchema({
  message:
    "The shops of this database are spread over buckets: set DESIGNWIRE_BUCKETS and DESIGNWIRE_DATABASES, " +
    "as `designwire bucket adopt` had them",
})

/** Fails while the database lacks a migration, can't be reached, or has one that this version does not know. */
export const requireCurrent: Effect.Effect<
  void,
  SchemaNotCurrent | NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(pending, (missing) =>
  missing.length === 0
    ? Effect.void
    : new SchemaNotCurrent({
        message: `The database's schema is not current: it lacks ${missing.join(", ")}. Run "designwire migrate"`,
      }),
)

/**
 * Fails once a newer version has migrated the database, within ten seconds; never ends before. What a running host
 * does then may fail, or store what the newer version does not expect.
 */
export const untilNewer: Effect.Effect<never, NewerSchema, SqlClient.SqlClient> = pending.pipe(
  // Every other call says that the database can't be reached.
  Effect.catchTag("SqlError", () => Effect.void),
  Effect.withTracerEnabled(false),
  Effect.andThen(Effect.sleep("10 seconds")),
  Effect.forever,
)

/** {@link inSchema} puts names in before a dot alone. */
const createSchema = (schema: string): string => `CREATE SCHEMA IF NOT EXISTS "${schema}"`

const idOf = (name: string): number => Number.parseInt(name, 10)

/** A migration, for external migration tools. */
export interface MigrationScript {
  /** Its number, from 1. */
  readonly id: number
  readonly name: string
  /**
   * Statements, each with a semicolon at its end, to run in one transaction. Functions contain semicolons within their
   * `$$`. The statements also record the migration as done.
   */
  readonly sql: string
}

/** All migrations, in order. Released ones never change; new versions of this package append. */
export const migrationScripts = (schema = "designwire"): ReadonlyArray<MigrationScript> =>
  Object.entries(migrations).map(([key, statements]) => {
    const [id, name = ""] = key.split(/_(.*)/s)
    const account = `INSERT INTO designwire.migrations (migration_id, name) VALUES (${id}, '${name}')`
    const script = [...(id === "1" ? beginning(schema) : []), account, ...statements]
    return { id: Number(id), name, sql: inSchema(schema)(script.map(ended).join("")) }
  })

/** Prerequisites of every migration, with the bookkeeping table of Migrator. */
const beginning = (schema: string) => [
  createSchema(schema),
  `CREATE TABLE IF NOT EXISTS designwire.migrations (
  migration_id integer PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL
)`,
]

const ended = (statement: string): string => `${statement};\n`

/** The script that {@link migrate} would run, for running SQL by hand. Empty if nothing is pending. */
export const pendingSql: Effect.Effect<string, NewerSchema | SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const missing = yield* pending
    return script(yield* SchemaName, missing)
  },
)

/** A script that runs and records migrations in one transaction. */
const script = (schema: string, names: ReadonlyArray<string>): string => {
  const scripts = migrationScripts(schema).filter(({ id, name }) => names.includes(`${id}_${name}`))
  if (scripts.length === 0) return ""
  return [
    ended("BEGIN"),
    ended(`SELECT pg_advisory_xact_lock(${lockIn(schema, lock)})`),
    ...scripts.map(({ id, name, sql }) => `-- ${id}_${name}\n${sql}`),
    ended("COMMIT"),
  ].join("")
}

/** The script of all migrations, for an empty database. */
export const allSql = (schema = "designwire"): string => script(schema, Object.keys(migrations))
