import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { StorageError } from "../../../core/ports/StorageError.ts"

/** The code with which the database refuses changes of a shop on its way: as if its tables were elsewhere. */
const undefinedTable = "42P01"

/** The failure of a call for a shop that has moved to another cell, is on its way, or has not arrived yet. */
export const moved = (shop: string): StorageError =>
  new StorageError({
    message: `The shop ${shop} is in another cell, or on its way: the proxy must route its requests there`,
    cause: Object.assign(new Error("The shop has moved to another cell"), { code: undefinedTable }),
    isRetryable: true,
  })

/** Fails if a shop that was not found has moved, or is here by now: it is not unknown. */
export const unlessKnown = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
): Effect.fn.Return<void, StorageError | SqlError.SqlError> {
  // It may have been opened here since it was looked for.
  const here = yield* sql`SELECT 1 AS found FROM designwire.moves WHERE shop = ${shop} AND state <> 'copying'
UNION ALL SELECT 1 FROM designwire.shops WHERE id = ${shop}`
  if (here.length > 0) yield* moved(shop)
})

/** Fails if a shop has moved. */
export const unlessMoved = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
): Effect.fn.Return<void, StorageError | SqlError.SqlError> {
  const found = yield* sql`SELECT 1 AS found FROM designwire.moves WHERE shop = ${shop} AND state <> 'copying'`
  if (found.length > 0) yield* moved(shop)
})
