/** Pages of a shop's designs, by id. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"
import type { PageReads } from "../statements/PageReads.ts"

/** A design of a page, or one after it, with a null wire form. */
interface PageRow {
  readonly id: string
  readonly wire: string | null
}

type ShownRow = PageRow & { readonly wire: string }

/** Returns `OrderStore.readDesigns`. */
export const makeReadDesigns =
  (sql: SqlClient.SqlClient, asPage: PageReads["Service"]): OrderStore["Service"]["readDesigns"] =>
  ({ after, bytes, createdFrom, limit, shop }) => {
    const conditions = sql.and([
      sql`d.shop = ${shop}`,
      ...(after === null ? [] : [sql`d.id > ${after}`]),
      ...(createdFrom === null ? [] : [sql`d.created_at >= ${format(createdFrom)}::timestamptz`]),
    ])
    // Lengths are known without reading the texts. The limit is not a parameter: Postgres would plan the statement
    // again for each unknown limit.
    const rows = sql<PageRow>`SELECT p.id,
  CASE WHEN p.place = 1 OR (p.place <= ${limit}::int4 AND p.reached <= ${bytes}::int4) THEN p.wire END AS wire
FROM (
  SELECT d.id, d.wire, row_number() OVER by_id AS place, sum(octet_length(d.wire)) OVER by_id AS reached
  FROM designwire.designs d WHERE ${conditions} WINDOW by_id AS (ORDER BY d.id ROWS UNBOUNDED PRECEDING)
  ORDER BY d.id LIMIT ${sql.literal(`${limit + 1}`)}
) p ORDER BY p.id`
    return asPage(shop)(rows).pipe(
      Effect.map((found) => {
        const designs = found.filter((row): row is ShownRow => row.wire !== null)
        return { designs, next: found.length > designs.length ? (designs.at(-1)?.id ?? null) : null }
      }),
      mapped("Reading designs"),
    )
  }
