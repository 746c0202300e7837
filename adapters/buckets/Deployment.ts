/** The state of a deployment's schemas: the directory, and the migrations of every bucket. */
import { Deferred, Effect, Layer } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { KnownMigrations, latestOf, leastFor } from "../sql/schema/KnownMigrations.ts"
import { lockedBriefly, patiently } from "../sql/schema/MigrationLocks.ts"
import { type Comparison, compare } from "../sql/schema/Migrations.ts"
import { type Bucket, bucketName, bucketSchema } from "./BucketMap.ts"
import { directorySchema, migrateDirectory } from "./DirectorySchema.ts"

/** The databases of a deployment by name, the first one first. */
export interface Deployment {
  readonly databases: Readonly<Record<string, SqlClient.SqlClient>>
  /** How many buckets it has: fixed at the first migration. */
  readonly buckets: number
  /** The beginning of the names of schemas. */
  readonly schema: string
}

type Failure = Sql.SchemaNotCurrent | Sql.NewerSchema | SqlError.SqlError

/** How many buckets of a database are migrated, or looked at, at the same time. */
const atOnce = 4

/** Lock number, so that commands that begin at the same time make one directory. */
const lock = 7_361_950_023

/**
 * Makes the directory and the buckets' schemas, spread over the databases, or brings them up to date: each bucket in
 * transactions of its own, several at the same time. Run again after a failure, it goes on. Returns what it did, such
 * as `07: 5_name`.
 */
export const migrate = Effect.fn("Buckets.migrate")(function* (
  deployment: Deployment,
): Effect.fn.Return<ReadonlyArray<string>, Failure | Migrator.MigrationError> {
  const directory = yield* directoryOf(deployment)
  yield* patiently(directory.withTransaction(makeDirectory(deployment, directory)))
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* holdMoves(deployment, directory)
      const buckets = yield* readBuckets(deployment)
      const list = yield* KnownMigrations
      const least = leastFor(list, Object.keys(list.migrations))
      yield* directory`UPDATE designwire.stores SET migration = greatest(migration, ${least}::int4)`
      const done = yield* eachBucket(deployment, buckets, Sql.migrate)
      return done.flatMap(([name, names]) => names.map((each) => `${name}: ${each}`))
    }),
  )
})

/**
 * Keeps buckets and shops from being moved until the scope closes. Fails if one is: a bucket's schema has another name
 * meanwhile, and a migration would make a second one; a shop's rows are copied between schemas that are alike.
 */
const holdMoves = Effect.fnUntraced(function* ({ buckets }: Deployment, directory: SqlClient.SqlClient) {
  const held = yield* Deferred.make<void, SqlError.SqlError>()
  // In a transaction of its own: the migrations of the first database have others. It reads nothing: a snapshot that it
  // keeps would hold up builds of indexes.
  const hold = directory`LOCK TABLE designwire.moves, designwire.shop_moves IN SHARE MODE`.pipe(
    Effect.andThen(Deferred.succeed(held, undefined)),
    Effect.andThen(Effect.never),
  )
  yield* directory.withTransaction(hold).pipe(
    Effect.catch((error) => Deferred.fail(held, error)),
    Effect.forkScoped,
  )
  yield* Deferred.await(held)
  const [moving] = yield* directory<{ bucket: number }>`SELECT bucket FROM designwire.moves ORDER BY 1 LIMIT 1`
  if (moving !== undefined) {
    return yield* new Sql.SchemaNotCurrent({
      message: `Bucket ${bucketName(moving.bucket, buckets)} is being moved: let its move end, then migrate`,
    })
  }
  const [shop] = yield* directory<{ shop: string }>`SELECT shop FROM designwire.shop_moves ORDER BY 1 LIMIT 1`
  if (shop !== undefined) {
    return yield* new Sql.SchemaNotCurrent({
      message: `The shop ${shop.shop} is being moved: let its move end, then migrate`,
    })
  }
})

/** Compares the buckets with the migrations that this version knows. Fails before the directory is made. */
const compareBuckets = Effect.fnUntraced(function* (deployment: Deployment): Effect.fn.Return<Comparison, Failure> {
  const compared = yield* eachBucket(deployment, yield* readBuckets(deployment), compare)
  return {
    missing: compared.flatMap(([name, { missing }]) => missing.map((each) => `${name}: ${each}`)),
    newer: [...new Set(compared.flatMap(([, { newer }]) => newer))],
    stopsWithout: compared.map(([, { stopsWithout }]) => stopsWithout).find((name) => name !== undefined),
  }
})

/** The migrations that buckets lack, as {@link migrate} names them. Fails before the directory is made. */
export const pending = (deployment: Deployment): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.map(compareBuckets(deployment), ({ missing }) => missing)

/** Fails while the directory or a bucket lacks a migration, or is not as it is configured. */
export const requireCurrent = Effect.fnUntraced(function* (deployment: Deployment): Effect.fn.Return<void, Failure> {
  const missing = yield* pending(deployment)
  if (missing.length === 0) return
  const some =
    missing.length > 3 ? `${missing.slice(0, 3).join(", ")} and ${missing.length - 3} more` : missing.join(", ")
  return yield* new Sql.SchemaNotCurrent({ message: `Buckets are not current: they lack ${some}. ${toMigrate}` })
})

/**
 * Fails once a newer version has begun to migrate so that this one can't go on, within ten seconds; never ends before.
 */
export const untilNewer = Effect.fnUntraced(function* (
  deployment: Deployment,
): Effect.fn.Return<never, Sql.NewerSchema> {
  const directory = yield* directoryOf(deployment)
  const latest = latestOf(yield* KnownMigrations)
  while (true) {
    const [row] = yield* directory<{ migration: number }>`SELECT migration FROM designwire.stores`.pipe(
      // Every other call says that the database can't be reached.
      Effect.catchTag("SqlError", () => Effect.succeed([])),
    )
    if (row !== undefined && row.migration > latest) {
      return yield* new Sql.NewerSchema({
        message:
          `The buckets are migrated by a newer version of designwire: hosts must know migration ${row.migration}, and ` +
          `the latest that this version knows is ${latest}. Use that version`,
      })
    }
    yield* Effect.sleep("10 seconds")
  }
})

/** A script that does what {@link migrate} would do. The first migration has none: it makes the directory. */
const pendingSql = Effect.fnUntraced(function* (deployment: Deployment): Effect.fn.Return<string, Failure> {
  const buckets = yield* readBuckets(deployment)
  const scripts = yield* eachBucket(deployment, buckets, Sql.pendingSql)
  return scripts
    .map(([name, script], index) =>
      script === "" ? "" : `-- Bucket ${name}, in ${buckets[index]?.database}\n${script}`,
    )
    .join("")
})

/** The state of a deployment's schemas. */
export const layerState = (deployment: Deployment): Layer.Layer<Sql.SchemaState> =>
  Layer.effect(
    Sql.SchemaState,
    Effect.map(KnownMigrations, (list) => {
      const here = Effect.provideService(KnownMigrations, list)
      return {
        compare: here(compareBuckets(deployment)),
        requireCurrent: here(requireCurrent(deployment)),
        // A host serves the other buckets while a database is down.
        ready: Effect.asVoid(readBuckets(deployment)),
        migrate: here(migrate(deployment)),
        pendingSql: here(pendingSql(deployment)),
        untilNewer: here(untilNewer(deployment)),
      }
    }),
  )

/** The buckets as the directory has them, if they agree with the configuration. */
export const readBuckets = Effect.fnUntraced(function* (
  deployment: Deployment,
): Effect.fn.Return<ReadonlyArray<Bucket>, Sql.SchemaNotCurrent | SqlError.SqlError> {
  const directory = yield* directoryOf(deployment)
  const [found] = yield* directory<{
    found: boolean
  }>`SELECT to_regclass('designwire.shop_moves') IS NOT NULL AS found`
  if (found?.found !== true) {
    return yield* new Sql.SchemaNotCurrent({
      message: `The database ${firstOf(deployment)} has no directory of buckets. ${toMigrate}`,
    })
  }
  const buckets = yield* directory<Bucket>`SELECT bucket AS number, database, epoch FROM designwire.buckets ORDER BY 1`
  if (buckets.length !== deployment.buckets) {
    return yield* new Sql.SchemaNotCurrent({
      message:
        `The deployment has ${buckets.length} buckets, fixed at its first migration, and DESIGNWIRE_BUCKETS says ` +
        `${deployment.buckets}: set it to ${buckets.length}`,
    })
  }
  const unknown = buckets.map(({ database }) => database).filter((name) => !(name in deployment.databases))
  if (unknown.length > 0) {
    return yield* new Sql.SchemaNotCurrent({
      message: `Buckets are in ${[...new Set(unknown)].join(", ")}, which DESIGNWIRE_DATABASES does not name`,
    })
  }
  return buckets
})

const toMigrate = 'Run "designwire migrate"'

const firstOf = ({ databases }: Deployment) => Object.keys(databases)[0] ?? ""

/** The client of the directory. */
export const directoryOf = ({ databases, schema }: Deployment): Effect.Effect<SqlClient.SqlClient> => {
  const [first] = Object.values(databases)
  return first === undefined
    ? Effect.die(new Error("A deployment has at least one database"))
    : Effect.succeed(Sql.clientIn(first, directorySchema(schema)))
}

/** Makes the directory if there is none, with the buckets spread over the databases in turn. */
const makeDirectory = Effect.fnUntraced(function* (deployment: Deployment, directory: SqlClient.SqlClient) {
  const { buckets, databases, schema } = deployment
  const first = Object.values(databases)[0] as SqlClient.SqlClient
  yield* lockedBriefly(directory, `hashtextextended('designwire_', ${lock})`)
  yield* migrateDirectory(first, schema)
  const known = yield* directory`SELECT 1 AS known FROM designwire.buckets LIMIT 1`
  if (known.length > 0) return
  const [unbucketed] = yield* first<{
    found: boolean
  }>`SELECT to_regclass(${`${schema}.migrations`}) IS NOT NULL AS found`
  if (unbucketed?.found === true) {
    return yield* new Sql.SchemaNotCurrent({
      message:
        `The schema ${schema} has a deployment without buckets, whose shops would not be found. Spread them over ` +
        'buckets by "designwire bucket adopt", or take another DESIGNWIRE_SCHEMA for a new deployment',
    })
  }
  yield* enterBuckets(directory, buckets, Object.keys(databases))
})

/** Enters the buckets of a new directory, spread over the databases in turn. */
export const enterBuckets = Effect.fnUntraced(function* (
  directory: SqlClient.SqlClient,
  buckets: number,
  databases: ReadonlyArray<string>,
): Effect.fn.Return<void, SqlError.SqlError> {
  const places = Array.from({ length: buckets }, (_, bucket) => databases[bucket % databases.length] ?? "")
  yield* directory`INSERT INTO designwire.buckets (bucket, database)
SELECT number - 1, name FROM unnest(${places}::text[]) WITH ORDINALITY p (name, number)`
  yield* directory`INSERT INTO designwire.stores (migration) VALUES (0)`
})

/** Runs an effect with the schema of each bucket, all databases at once. Returns the results by the buckets' names. */
const eachBucket = <A, E>(
  { databases, schema }: Deployment,
  buckets: ReadonlyArray<Bucket>,
  effect: Effect.Effect<A, E, SqlClient.SqlClient>,
): Effect.Effect<ReadonlyArray<readonly [bucket: string, A]>, E> =>
  Effect.map(
    Effect.forEach(
      Object.entries(databases),
      ([database, sql]) =>
        Effect.forEach(
          buckets.filter((bucket) => bucket.database === database),
          ({ number }) =>
            effect.pipe(
              Effect.map((result) => [number, result] as const),
              Effect.provideService(SqlClient.SqlClient, sql),
              Effect.provideService(Sql.SchemaName, bucketSchema(schema, number, buckets.length)),
            ),
          { concurrency: atOnce },
        ),
      { concurrency: "unbounded" },
    ),
    (all) =>
      all
        .flat()
        .toSorted(([one], [other]) => one - other)
        .map(([number, result]) => [bucketName(number, buckets.length), result] as const),
  )
