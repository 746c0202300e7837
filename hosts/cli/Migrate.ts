import { Console, Effect } from "effect"
import { allSql, migrate as migrateDatabase, pendingSql } from "../../adapters/sql/index.ts"
import { compare } from "../../adapters/sql/schema/Migrations.ts"
import { readConfig } from "./ReadConfig.ts"
import { client } from "./Stores.ts"

/**
 * `designwire migrate`: brings the database up to date, or with `--dry-run` prints the SQL that would. An embedded
 * database is not opened to print SQL: the output then has all SQL from the beginning.
 */
export const migrate = Effect.fn("migrate")(function* (options: { readonly dryRun: boolean }) {
  const config = yield* readConfig(process.env, [])
  if (options.dryRun && config.databaseUrl === undefined) return yield* Console.log(allSql(config.schema))
  yield* Effect.gen(function* () {
    const warns = yield* warning
    if (options.dryRun) {
      return yield* Console.log(`${warns === undefined ? "" : `-- ${warns}\n`}${yield* pendingSql}`)
    }
    if (warns !== undefined) yield* Console.log(warns)
    const done = yield* migrateDatabase
    if (done.length > 0) return yield* Console.log(`Migrated: ${done.join(", ")}`)
    const { newer } = yield* compare
    yield* Console.log(newer.length === 0 ? "The database is up to date" : isNewer(newer))
  }).pipe(Effect.provide(client(config)))
})

/** What to do before the migration, if hosts of older versions may be running that can't continue. */
const warning = Effect.map(compare, ({ stopsWithout }) =>
  stopsWithout === undefined
    ? undefined
    : "Before this migration, stop every serve, every worker and every program that embeds designwire, of versions " +
      `without ${stopsWithout}. Those that still run stop within ten seconds`,
)

const isNewer = (newer: ReadonlyArray<string>): string =>
  `The database is newer than this version, which works with it: it has ${newer.join(", ")}`
