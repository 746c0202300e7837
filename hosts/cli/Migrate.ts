import { Console, Effect } from "effect"
import { allSql, SchemaState } from "../../adapters/sql/index.ts"
import { readConfig } from "./ReadConfig.ts"
import { schemaState } from "./Stores.ts"

/**
 * `designwire migrate`: brings the database up to date, or with `--dry-run` prints the SQL that would. An embedded
 * database is not opened to print SQL: the output then has all SQL from the beginning.
 */
export const migrate = Effect.fn("migrate")(function* (options: { readonly dryRun: boolean }) {
  const config = yield* readConfig(process.env, [])
  if (options.dryRun && config.databaseUrl === undefined && config.buckets === undefined)
    return yield* Console.log(allSql(config.schema))
  yield* Effect.gen(function* () {
    const state = yield* SchemaState
    if (options.dryRun) return yield* Console.log(yield* state.pendingSql)
    if (yield* isUpgrade) yield* Console.log(stopOthers)
    const done = yield* state.migrate
    yield* Console.log(done.length === 0 ? "The database is up to date" : `Migrated: ${done.join(", ")}`)
  }).pipe(Effect.provide(schemaState(config)))
})

/** Whether an older version may be running: the tables are there, and lack migrations. */
const isUpgrade = SchemaState.use(({ pending }) => pending).pipe(
  Effect.map((missing) => missing.length > 0 && !missing.some((name) => name.endsWith("1_baseline"))),
  // The directory of buckets is still to be made.
  Effect.catchTag("SchemaNotCurrent", () => Effect.succeed(false)),
)

const stopOthers =
  "Before a migration, stop every serve, every worker and every program that embeds an older version of designwire. " +
  "Those that still run stop within ten seconds"
