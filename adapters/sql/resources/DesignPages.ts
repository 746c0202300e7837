/** Pages of a shop's designs, the oldest first. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"
import type { PageReads } from "../statements/PageReads.ts"
import { milliseconds } from "../statements/Rows.ts"

/** A design of a page, or one after it, with a null wire form. */
interface PageRow {
  readonly id: string
  readonly createdAt: number
  readonly wire: string | null
}

type ShownRow = PageRow & { readonly wire: string }

/** Returns `OrderStore.readDesigns`. */
export const makeReadDesigns =
  (sql: SqlClient.SqlClient, asPage: PageReads["Service"]): OrderStore["Service"]["readDesigns"] =>
  ({ after, bytes, createdFrom, limit, shop }) => {
    const conditions = sql.and([
      sql`d.shop = ${shop}`,
      ...(after === null ? [] : [sql`(d.created_at, d.id) > (${format(after.createdAt)}::timestamptz, ${after.id})`]),
      ...(createdFrom === null ? [] : [sql`d.created_at >= ${format(createdFrom)}::timestamptz`]),
    ])
    // Lengths are known without reading the texts: designs that don't fit are never read.
    // The limit is not a parameter: Postgres would plan the statement again for each unknown limit.
    const rows = sql<PageRow>`SELECT d.id, ${sql.literal(milliseconds("d.created_at"))} AS "createdAt",
  CASE WHEN d.place = 1 OR (d.place <= ${limit}::int4 AND d.reached <= ${bytes}::int4) THEN d.wire END AS wire
FROM (
  SELECT d.id, d.created_at, d.wire, row_number() OVER oldest AS place,
    sum(octet_length(d.wire)) OVER oldest AS reached
  FROM designwire.designs d WHERE ${conditions}
  WINDOW oldest AS (ORDER BY d.created_at, d.id ROWS UNBOUNDED PRECEDING)
  ORDER BY d.created_at, d.id LIMIT ${sql.literal(`${limit + 1}`)}
) d ORDER BY d.created_at, d.id`
    return asPage(shop)(rows).pipe(
      Effect.map((rows) => {
        const designs = rows.filter((row): row is ShownRow => row.wire !== null)
        const last = rows.length > designs.length ? designs.at(-1) : undefined
        return {
          designs: designs.map(({ wire }) => wire),
          next: last === undefined ? null : { createdAt: last.createdAt, id: last.id },
        }
      }),
      mapped("Reading designs"),
    )
  }
