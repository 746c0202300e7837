/** A shop's drafts, those saved last first, and the drafts of all shops that may end (D86). */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import { format } from "../../../core/model/Instant.ts"
import type { Draft, OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"
import type { PageReads } from "../statements/PageReads.ts"
import { milliseconds } from "../statements/Rows.ts"

/** Returns `OrderStore.drafts` and `endedDrafts`. */
export const makeDrafts = (
  sql: SqlClient.SqlClient,
  asPage: PageReads["Service"],
): Pick<OrderStore["Service"], "drafts" | "endedDrafts"> => ({
  drafts: ({ after, bytes, customizer, limit, savedBefore, savedFrom, shop }) => {
    const conditions = sql.and([
      sql`d.shop = ${shop} AND d.status = 'draft'`,
      ...(after === null ? [] : [sql`(d.saved_at, d.id) < (${format(after.savedAt)}::timestamptz, ${after.id})`]),
      ...(savedBefore === null ? [] : [sql`d.saved_at < ${format(savedBefore)}::timestamptz`]),
      ...(savedFrom === undefined ? [] : [sql`d.saved_at >= ${format(savedFrom)}::timestamptz`]),
      ...(customizer === null ? [] : [sql`d.wire::json #>> '{customizer,id}' = ${String(customizer)}`]),
    ])
    const rows = sql<Draft>`SELECT p.id, ${milliseconds("p.saved_at")} AS "savedAt", p.wire FROM (
  SELECT d.id, d.saved_at, d.wire, row_number() OVER newest AS place, sum(octet_length(d.wire)) OVER newest AS reached
  FROM designwire.designs d WHERE ${conditions}
  WINDOW newest AS (ORDER BY d.saved_at DESC, d.id DESC ROWS UNBOUNDED PRECEDING)
  ORDER BY d.saved_at DESC, d.id DESC LIMIT ${sql.literal(`${limit}`)}
) p WHERE p.place = 1 OR p.reached <= ${bytes}::int4 ORDER BY p.place`
    return asPage(shop)(rows).pipe(mapped("Reading drafts"))
  },

  endedDrafts: ({ after, limit, savedBefore }) => {
    const [shop, savedAt, id] = after === null ? ["", format(0), ""] : (JSON.parse(after) as [string, string, string])
    const before = sql`${format(savedBefore)}::timestamptz`
    const next = (position: Statement.Fragment) => sql`(
    SELECT d.shop, d.saved_at, d.id FROM designwire.designs d
    WHERE d.status = 'draft' AND (d.shop, d.saved_at, d.id) > (${position}) ORDER BY d.shop, d.saved_at, d.id LIMIT 1
  )`
    // Of a shop's recent drafts only the first is included, as the step to the next shop.
    const part = sql<
      Pick<DesignRecord, "shop" | "id" | "revision"> & { readonly savedAt: number; readonly isEnded: boolean }
    >`WITH RECURSIVE part AS (
  ${next(sql`${shop}, ${savedAt}::timestamptz, ${id}`)}
  UNION ALL
  SELECT n.* FROM part p CROSS JOIN LATERAL ${next(
    sql`p.shop, CASE WHEN p.saved_at < ${before} THEN p.saved_at ELSE 'infinity' END, p.id`,
  )} n
)
SELECT p.shop, p.id, d.revision, ${milliseconds("p.saved_at")} AS "savedAt",
  p.saved_at < ${before} AND NOT EXISTS (
    SELECT FROM designwire.inbox i WHERE i.shop = p.shop AND i.state IN ('waiting', 'failed', 'unpaid')
      AND (i.design_id = p.id OR i.body IS NOT NULL AND (p.id !~ '^[A-Za-z0-9_.:-]+$' OR strpos(i.body, p.id) > 0))
  ) AS "isEnded"
FROM (SELECT * FROM part LIMIT ${limit}::int4) p
JOIN designwire.designs d ON d.shop = p.shop AND d.id = p.id ORDER BY p.shop, p.saved_at, p.id`
    return part.pipe(
      Effect.map((rows) => {
        const last = rows.at(-1)
        return {
          found: rows.filter((row) => row.isEnded).map(({ id, revision, shop }) => ({ shop, id, revision })),
          after:
            last === undefined || rows.length < limit
              ? null
              : JSON.stringify([last.shop, format(last.savedAt), last.id]),
        }
      }),
      mapped("Looking for old drafts"),
    )
  },
})
