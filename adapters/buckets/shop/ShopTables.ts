/** The tables with rows of shops. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { MoveError } from "../move/Places.ts"
import { migrationsTable } from "../move/Tables.ts"

/** A column of a primary key. */
interface KeyColumn {
  readonly name: string
  readonly type: string
}

/** A table whose primary key begins with the shop. */
export interface ShopTable {
  readonly name: string
  /** The column of the shop. */
  readonly shop: string
  /** The primary key, the shop's column first. */
  readonly key: ReadonlyArray<KeyColumn>
}

/** The tables of a bucket with rows of shops, by name. Fails if a table has rows without a shop. */
export const shopTables = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
): Effect.fn.Return<ReadonlyArray<ShopTable>, MoveError | SqlError.SqlError> {
  const columns = yield* sql<KeyColumn & { table: string }>`SELECT c.relname::text AS table, a.attname::text AS name,
  format_type(a.atttypid, a.atttypmod) AS type
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
LEFT JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place) ON true
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
WHERE n.nspname = ${schema}::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND c.relname <> ${migrationsTable}::text ORDER BY 1, k.place`
  const tables: Array<ShopTable> = []
  for (const [name, key] of Map.groupBy(columns, ({ table }) => table)) {
    const shop = key[0]?.name
    if (shop !== (name === "shops" ? "id" : "shop")) {
      return yield* new MoveError({
        message: `The primary key of ${schema}.${name} does not begin with the shop: no shop can move out of it`,
      })
    }
    tables.push({ name, shop, key })
  }
  return tables
})

/** The columns of the key after the shop. */
export const restOfKey = ({ key }: ShopTable): ReadonlyArray<KeyColumn> => key.slice(1)
