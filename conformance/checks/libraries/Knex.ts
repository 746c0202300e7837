import knex from "knex"
import { fromKnex } from "../../../adapters/connection/index.ts"
import type { Open } from "../../testkit/drivers/Library.ts"

export const open: Open = async (url) => {
  const db = knex({ client: "pg", connection: url })
  return {
    transaction: (use, isolation) =>
      db.transaction(
        (trx) => use({ query: fromKnex(trx), run: async (text) => trx.raw(text) }),
        isolation === undefined ? {} : { isolationLevel: isolation },
      ),
    close: () => db.destroy(),
  }
}
