import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { fromDrizzle } from "../../../adapters/connection/index.ts"
import { type Open, pgPool } from "../../testkit/drivers/Library.ts"

export const open: Open = async (url) => {
  const pool = pgPool(url)
  const db = drizzle(pool)
  return {
    transaction: (use, isolation) =>
      db.transaction(
        (tx) => use({ query: fromDrizzle(tx), run: (text) => tx.execute(sql.raw(text)) }),
        isolation === undefined ? undefined : { isolationLevel: isolation },
      ),
    close: () => pool.end(),
  }
}
