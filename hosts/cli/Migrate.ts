import { Console, Effect } from "effect"
import { migrate as migrateDatabase, pendingSql } from "../../adapters/sql/index.ts"
import { readSettings } from "./Settings.ts"
import { client } from "./Stores.ts"

/** `designwire migrate`: brings the database up to date, or with `--dry-run` prints the SQL that would. */
export const migrate = Effect.fn("migrate")(function* (options: { readonly dryRun: boolean }) {
  const settings = yield* readSettings(process.env)
  yield* Effect.gen(function* () {
    if (options.dryRun) {
      yield* Console.log(yield* pendingSql)
      return
    }
    const done = yield* migrateDatabase
    yield* Console.log(done.length === 0 ? "The database is up to date" : `Migrated: ${done.join(", ")}`)
  }).pipe(Effect.provide(client(settings)))
})
