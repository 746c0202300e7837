/** How the schema compares with what this version knows, and migration to the latest. */
import { Data, Effect } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import { inLane } from "../statements/Transaction.ts"
import { buildIndexes, makesIndexes } from "./IndexBuilds.ts"
import { KnownMigrations, latestOf, leastFor, type MigrationList, numberOf } from "./KnownMigrations.ts"
import { lockedBriefly, patiently } from "./MigrationLocks.ts"
import { failed, runMigrations } from "./RunMigrations.ts"
import { clientIn, lockIn, SchemaName } from "./Schema.ts"

/** Lock number, so that hosts that start at the same time migrate one after the other. */
export const lock = 7_361_950_021

/** The current client, and the schema of the tables. */
const connection = Effect.gen(function* () {
  const schema = yield* SchemaName
  return { schema, sql: clientIn(yield* SqlClient.SqlClient, schema) }
})

/**
 * The database has migrations alongside which this version can't run, made by a newer one. Nothing
 * may be read or written.
 */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{ readonly message: string }> {}

/** The database lacks migrations of this version. Nothing can be read or written before they run. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

/** How a schema compares with the migrations that this version knows. */
export interface Comparison {
  /** Names of the missing migrations, in order. */
  readonly missing: ReadonlyArray<string>
  /** Names of migrations of a newer version, alongside which this one runs. */
  readonly newer: ReadonlyArray<string>
  /** The migration without which hosts stop that serve the schema as it is, once the missing ones have run. */
  readonly stopsWithout: string | undefined
}

/** Compares the schema with the migrations that this version knows. */
export const compare: Effect.Effect<Comparison, NewerSchema | SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  connection,
  ({ sql }) =>
    Effect.gen(function* () {
      const list = yield* KnownMigrations
      const [found] = yield* sql<{ found: boolean }>`SELECT to_regclass('designwire.migrations') IS NOT NULL AS found`
      // As JSON, the account may lack the column.
      const done =
        found?.found === true
          ? yield* sql<{ id: number; name: string; least: number }>`SELECT migration_id AS id, name,
  coalesce((to_jsonb(m) ->> 'compatible_with')::int4, migration_id) AS least FROM designwire.migrations m ORDER BY 1`
          : []
      const [known, latest] = [Object.keys(list.migrations), latestOf(list)]
      const newer = done.filter(({ id }) => id > latest)
      const stopping = newer.filter(({ least }) => least > latest)
      if (stopping.length > 0) {
        return yield* new NewerSchema({
          message: [
            `The database was migrated by a newer version of designwire: it has ${stopping.map(nameOf).join(", ")};`,
            `the latest that this version knows is ${known.at(-1)}. Use that version`,
          ].join(" "),
        })
      }
      const ids = new Set(done.map(({ id }) => id))
      const missing = known.filter((name) => !ids.has(numberOf(name)))
      const least = leastFor(list, missing)
      const stops = done.length > 0 && done.every((each) => each.least < least)
      const stopsWithout = stops ? known.find((name) => numberOf(name) === least) : undefined
      return { missing, newer: newer.map(nameOf), stopsWithout }
    }),
)

const nameOf = ({ id, name }: { readonly id: number; readonly name: string }) => `${id}_${name}`

/** Whether these migrations, which come next, stop hosts that know all before them. */
const stopsLatest = (list: MigrationList, names: ReadonlyArray<string>): boolean => {
  const [first] = names
  return first !== undefined && leastFor(list, names) >= numberOf(first)
}

/** Names of the missing migrations, in order. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.map(compare, ({ missing }) => missing)

/**
 * Migrates the database, alongside hosts that serve it. Returns the names of the migrations that it ran. Each is a
 * transaction, which holds no lock while another migration runs; those that stop hosts, and those before them, are one,
 * so that a failure leaves hosts a schema that they can continue with.
 */
export const migrate: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(connection, ({ schema, sql }) => {
  const ahead = Effect.gen(function* () {
    const list = yield* KnownMigrations
    const [name, ...more] = nextOf(list, (yield* compare).missing)
    if (name === undefined || more.length > 0) return
    const statements = list.migrations[name] ?? []
    if (makesIndexes(statements)) yield* Effect.mapError(buildIndexes(sql, statements), failed(name))
  })
  const next = sql.withTransaction(
    Effect.gen(function* () {
      yield* lockedBriefly(sql, lockIn(schema, lock))
      const { missing } = yield* compare
      if (missing.length === 0) return { ran: [], isLast: true }
      const list = yield* KnownMigrations
      const names = nextOf(list, missing)
      yield* sql.unsafe(createSchema(schema))
      const step = Object.fromEntries(names.map((name) => [name, list.migrations[name] ?? []]))
      const ran = yield* Effect.provideService(runMigrations(step, list.compatibleWith), SqlClient.SqlClient, sql)
      return { ran, isLast: names.length === missing.length }
    }),
  )
  return Effect.gen(function* () {
    const done: Array<string> = []
    for (;;) {
      const { isLast, ran } = yield* patiently(Effect.andThen(ahead, next))
      done.push(...ran)
      if (isLast) return done
    }
  })
})

/** The migrations of the next transaction. */
const nextOf = (list: MigrationList, missing: ReadonlyArray<string>): ReadonlyArray<string> => {
  const steps = missing.map((_, index) => missing.slice(0, index + 1))
  return steps.findLast((names) => stopsLatest(list, names)) ?? steps[0] ?? []
}

/** Fails while the database lacks a migration, can't be reached, or has one alongside which this version can't run. */
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
 * Fails once a newer version has run a migration alongside which this one can't run, within ten seconds; never ends
 * before. Calls of a running host may then fail, or store data that the newer version does not expect.
 */
export const untilNewer: Effect.Effect<never, NewerSchema, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => inLane(sql, "upkeep")(compare),
).pipe(
  // Every other call says that the database can't be reached.
  Effect.catchTag("SqlError", () => Effect.void),
  Effect.withTracerEnabled(false),
  Effect.andThen(Effect.sleep("10 seconds")),
  Effect.forever,
)

/** `inSchema` puts names in only before a dot. */
export const createSchema = (schema: string): string => `CREATE SCHEMA IF NOT EXISTS "${schema}"`
