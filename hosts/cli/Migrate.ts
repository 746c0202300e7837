import { Console, Effect } from "effect"
import { allSql, migrate as migrateDatabase, migrations, pending, pendingSql } from "../../adapters/sql/index.ts"
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
    if (options.dryRun) return yield* Console.log(yield* pendingSql)
    const missing = yield* pending
    if (missing.length > 0 && missing.length < Object.keys(migrations).length) yield* Console.log(stopOthers)
    const done = yield* migrateDatabase
    yield* Console.log(done.length === 0 ? "The database is up to date" : `Migrated: ${done.join(", ")}`)
  }).pipe(Effect.provide(client(config)))
})

const stopOthers =
  "Before a migration, stop every serve, every worker and every program that embeds an older version of designwire. " +
  "Those that still run stop within ten seconds"
