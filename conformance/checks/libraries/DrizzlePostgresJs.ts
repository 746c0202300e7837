import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/postgres-js"
import { fromDrizzle } from "../../../adapters/connection/index.ts"
import { type Open, postgresJs } from "../../testkit/drivers/Library.ts"

export const open: Open = async (url) => {
  const client = postgresJs(url)
  const db = drizzle(client)
  return {
    transaction: (use, isolation) =>
      db.transaction(
        (tx) => use({ query: fromDrizzle(tx), run: async (text) => tx.execute(sql.raw(text)) }),
        isolation === undefined ? undefined : { isolationLevel: isolation },
      ),
    close: () => client.end({ timeout: 1 }),
  }
}
