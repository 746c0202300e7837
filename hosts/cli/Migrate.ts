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
    const warns = yield* warning
    if (options.dryRun) {
      return yield* Console.log(`${warns === undefined ? "" : `-- ${warns}\n`}${yield* state.pendingSql}`)
    }
    if (warns !== undefined) yield* Console.log(warns)
    const done = yield* state.migrate
    if (done.length > 0) return yield* Console.log(`Migrated: ${summary(done)}`)
    const { newer } = yield* state.compare
    yield* Console.log(newer.length === 0 ? "The database is up to date" : isNewer(newer))
  }).pipe(Effect.provide(schemaState(config)))
})

/** The migrations that ran. With buckets they come as `07: 5_name`: one that ran in several is named once. */
const summary = (done: ReadonlyArray<string>): string =>
  [...Map.groupBy(done, (each) => each.slice(each.indexOf(" ") + 1))]
    .map(([name, each]) => (each.length === 1 ? each[0] : `${name} in ${each.length} buckets`))
    .join(", ")

/** What to do before the migration, if hosts of older versions may be running that can't go on. */
const warning = SchemaState.use(({ compare }) => compare).pipe(
  Effect.map(({ stopsWithout }) =>
    stopsWithout === undefined
      ? undefined
      : "Before this migration, stop every serve, every worker and every program that embeds designwire, of versions " +
        `without ${stopsWithout}. Those that still run stop within ten seconds`,
  ),
  // The directory of buckets is still to be made.
  Effect.catchTag("SchemaNotCurrent", () => Effect.succeed(undefined)),
)

const isNewer = (newer: ReadonlyArray<string>): string =>
  `The database is newer than this version, which goes on with it: it has ${newer.join(", ")}`
