import { CamelCasePlugin, Kysely, PostgresDialect, sql } from "kysely"
import { fromKysely } from "../../../adapters/connection/index.ts"
import { type Open, pgPool } from "../../testkit/drivers/Library.ts"

export const open: Open = async (url) => {
  const pool = pgPool(url)
  // Many teams use this plugin, which rewrites names.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  return {
    transaction: (use, isolation) => {
      const builder = isolation === undefined ? db.transaction() : db.transaction().setIsolationLevel(isolation)
      return builder.execute((trx) => use({ query: fromKysely(trx), run: (text) => sql.raw(text).execute(trx) }))
    },
    close: () => pool.end(),
  }
}
