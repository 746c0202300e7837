/**
 * Turns a deployment without buckets into one with buckets. One transaction makes its schema bucket 0, with a directory
 * that says so of every shop: before it hosts without buckets serve, after it hosts with buckets. Then the shops move
 * to the buckets of their hashes, one after the other.
 */
import { Effect } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { compare } from "../sql/schema/Migrations.ts"
import { bucketSchema, hashOf } from "./BucketMap.ts"
import * as Deployment from "./Deployment.ts"
import { directorySchema, migrateDirectory } from "./DirectorySchema.ts"
import { type MoveShopsOptions, moveShops } from "./MoveShop.ts"
import { withoutWaiting } from "./move/Fence.ts"
import { MoveError, quoted } from "./move/Places.ts"
import { ofNewer } from "./move/Preconditions.ts"
import { durably, hasSchema, lockTables } from "./move/Tables.ts"
import type { Journey } from "./shop/ShopMoveRows.ts"

/** A deployment that gets buckets. So far, everything is in the first of its databases. */
export interface AdoptOptions extends Omit<MoveShopsOptions, "onProgress"> {
  /** How many buckets it gets. */
  readonly buckets: number
  /** Called once hosts without buckets are refused. */
  readonly onAdopted?: Effect.Effect<void> | undefined
  /** Called after each shop with the number of those that are done, and of all that this call moves. */
  readonly onProgress?: ((done: number, all: number) => Effect.Effect<void>) | undefined
}

type Failure = MoveError | Sql.SchemaNotCurrent | Sql.NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** Milliseconds that hosts may take to end their transactions. */
const patience = 5_000

/** Shops that are entered at once. */
const enteredAtOnce = 10_000

/**
 * Adopts a deployment, or goes on with it after it was broken off. Returns the number of shops that it has moved. Fails
 * with a sentence that says what to do.
 */
export const adopt = Effect.fn("Buckets.adopt")(function* (options: AdoptOptions): Effect.fn.Return<number, Failure> {
  const { buckets, databases, directory, onProgress = () => Effect.void, schema } = options
  const deployment: Deployment.Deployment = {
    buckets,
    schema,
    databases: Object.fromEntries(Object.entries(databases).map(([name, { sql }]) => [name, sql])),
  }
  if (!(yield* hasSchema(directory, directorySchema(schema)))) {
    yield* takeOver(options)
    yield* options.onAdopted ?? Effect.void
  }
  yield* Deployment.readBuckets(deployment)
  const step = (name: string) => options.onStep?.(name) ?? Effect.void
  yield* step("make the buckets")
  // A shop moves between buckets that are made already.
  if ((yield* movesIn(directory, schema)) === 0) yield* Deployment.migrate(deployment)
  const journeys = yield* journeysIn(directory, schema, buckets)
  let done = 0
  yield* moveShops({ ...options, onProgress: undefined }, journeys, () =>
    Effect.suspend(() => onProgress(++done, journeys.length)),
  )
  return journeys.length
})

const movesIn = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.map(Sql.clientIn(sql, directorySchema(schema))`SELECT shop FROM designwire.shop_moves`, (rows) => rows.length)

/** The shops that have not left the schema yet, or are on their way. */
const journeysIn = (
  sql: SqlClient.SqlClient,
  schema: string,
  buckets: number,
): Effect.Effect<ReadonlyArray<Journey>, SqlError.SqlError> =>
  Effect.map(
    Sql.clientIn(sql, directorySchema(schema))<{ shop: string }>`SELECT shop FROM designwire.shops WHERE adopted
UNION SELECT shop FROM designwire.shop_moves ORDER BY 1`,
    (rows) => rows.map(({ shop }) => ({ shop, to: hashOf(shop) % buckets })),
  )

/** Makes the schema bucket 0, in one transaction. */
const takeOver = Effect.fnUntraced(function* (options: AdoptOptions): Effect.fn.Return<void, Failure> {
  const { directory: sql, onStep, schema } = options
  yield* requireAdoptable(options)
  yield* onStep?.("take over") ?? Effect.void
  yield* durably(
    sql,
    Effect.gen(function* () {
      yield* lockTables(sql, schema, "EXCLUSIVE", patience)
      yield* enterAll(options)
      yield* renameSchema(sql, schema, bucketSchema(schema, 0, options.buckets))
    }),
  ).pipe(
    withoutWaiting(`transactions that write to the schema ${schema} stay open for over ${patience / 1_000} s`),
    Effect.catchTag("NotYet", ({ message }) =>
      Effect.fail(new MoveError({ message: `${message}. Stop the hosts and workers, then run the command again` })),
    ),
  )
})

/** Fails unless the first database has a deployment of this version without buckets. */
const requireAdoptable = Effect.fnUntraced(function* ({
  databases,
  directory: sql,
  schema,
}: AdoptOptions): Effect.fn.Return<void, Failure> {
  const [found] = yield* sql<{ found: boolean }>`SELECT to_regclass(${`${schema}.migrations`}) IS NOT NULL AS found`
  if (found?.found !== true) {
    return yield* new MoveError({
      message:
        `The database ${Object.keys(databases)[0]} has no deployment in the schema ${schema}. ` +
        'For a new one with buckets, run "designwire migrate"',
    })
  }
  const { missing, newer } = yield* compare.pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.provideService(Sql.SchemaName, schema),
  )
  if (newer.length > 0) return yield* new MoveError({ message: `The schema ${schema} ${ofNewer(newer)}` })
  if (missing.length === 0) return
  return yield* new MoveError({
    message:
      `The schema ${schema} lacks ${missing.join(", ")}: first run "designwire migrate" with DATABASE_URL, ` +
      "and without DESIGNWIRE_BUCKETS",
  })
})

/** Makes the directory, with all tokens and with every shop that is not in the bucket of its hash. */
const enterAll = Effect.fnUntraced(function* ({ buckets, databases, directory: sql, schema }: AdoptOptions) {
  const directory = Sql.clientIn(sql, directorySchema(schema))
  const store = Sql.clientIn(sql, schema)
  yield* migrateDirectory(sql, schema)
  yield* Deployment.enterBuckets(directory, buckets, Object.keys(databases))
  yield* sql.unsafe(`INSERT INTO ${quoted(directorySchema(schema), "tokens")} (digest, shop)
SELECT digest, shop FROM ${quoted(schema, "tokens")}`)
  for (let after = ""; ; ) {
    const found: ReadonlyArray<{ id: string }> = yield* store<{ id: string }>`SELECT id FROM designwire.shops
WHERE id > ${after} ORDER BY id LIMIT ${enteredAtOnce}`
    const elsewhere = found.map(({ id }) => id).filter((id) => hashOf(id) % buckets !== 0)
    yield* directory`INSERT INTO designwire.shops (shop, bucket, adopted)
SELECT shop, 0, true FROM unnest(${elsewhere}::text[]) s (shop)`
    if (found.length < enteredAtOnce) return
    after = found.at(-1)?.id ?? ""
  }
})

/** Gives a schema another name, which its functions name in their texts. */
const renameSchema = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, from: string, to: string) {
  yield* sql.unsafe(`ALTER SCHEMA ${quoted(from)} RENAME TO ${quoted(to)}`)
  const renamed = Sql.clientIn(sql, to)
  const create = "CREATE FUNCTION"
  const functions = Object.values(Sql.migrations)
    .flat()
    .filter((statement) => statement.startsWith(create))
  for (const statement of functions) {
    yield* renamed.unsafe(statement.replace(create, "CREATE OR REPLACE FUNCTION"))
  }
})
