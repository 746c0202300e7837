/** The tables with rows of shops. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { MoveError, type ShopTable } from "./Move.ts"

/** Each cell's own account: of its migrations, and of the shops that have left it or arrive. */
const own = ["migrations", "moves", "removed_shops"]

/**
 * The tables of a schema with rows of shops, by name, without those that a crash of the server empties. Fails if one
 * can't be replicated shop by shop: Postgres would refuse all of its changes once it is published.
 */
export const shopTables = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
): Effect.fn.Return<ReadonlyArray<ShopTable>, MoveError | SqlError.SqlError> {
  const tables = yield* sql<{ name: string; shop: string | null; identity: string }>`SELECT c.relname::text AS name,
  a.attname::text AS shop, c.relreplident::text AS identity
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
WHERE n.nspname = ${schema}::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
  AND c.relname <> ALL(${own}::text[]) ORDER BY 1`
  return yield* Effect.forEach(tables, ({ identity, name, shop }) => {
    if (shop !== (name === "shops" ? "id" : "shop")) {
      return new MoveError({
        message: `The primary key of ${schema}.${name} does not begin with the shop, so no shop can move`,
      })
    }
    return identity === "d" || identity === "f"
      ? Effect.succeed({ name, shop })
      : new MoveError({
          message:
            `${schema}.${name} has another replica identity than its primary key. ` +
            `Run: ALTER TABLE ${schema}.${name} REPLICA IDENTITY DEFAULT`,
        })
  })
})
