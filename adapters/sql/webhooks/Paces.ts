/** The pace of endpoints (`core/rules/webhooks/Pace`, D54) in SQL, for an endpoint `e` and its row `p` of `paces`. */

import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Instant } from "../../../core/model/Instant.ts"
import type { EndpointOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import type { Claim } from "../../../core/ports/DeliveryQueue.ts"
import { isPaced } from "../../../core/rules/webhooks/Pace.ts"
import { fixed } from "../statements/Fixed.ts"

const maxPerSecond = fixed("(e.options ->> 'maxPerSecond')::float8")
const maxConcurrent = fixed("(e.options ->> 'maxConcurrent')::int4")

/** Whether the pace of its endpoint holds back a due delivery `d` (`Pace.isHeldBack`). */
export const isHeldBack = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => {
  const at = sql`${String(now)}::text::float8`
  const [rate, bound] = [maxPerSecond, maxConcurrent]
  return sql`EXISTS (
    SELECT FROM designwire.paces p JOIN designwire.endpoints e ON e.shop = p.shop AND e.id = p.endpoint_id
    WHERE p.shop = d.shop AND p.endpoint_id = d.endpoint_id AND (
      (${rate} IS NOT NULL AND p.next_start > ${at})
      OR ${bound} <= (SELECT count(*) FROM jsonb_each(p.under_way) u WHERE u.value::float8 > ${at})
    )
  )`
}

/** Whether any of these claims counts as under way for its endpoint. */
export const someAreBounded = (claims: ReadonlyArray<Claim>): boolean =>
  claims.some(({ options }) => options.maxConcurrent !== null)

/** A table of a `WITH`: the deliveries in `ended` have left. */
export const leftUnderWay = fixed(`left_under_way AS (
  UPDATE designwire.paces p SET under_way = p.under_way - t.ids
  FROM (SELECT shop, endpoint_id, array_agg(id::text) AS ids FROM ended GROUP BY shop, endpoint_id) t
  WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)`)

/** Makes the row of an endpoint that gets a pace, if it has none. */
export const keepPace = (
  sql: SqlClient.SqlClient,
  { id, shop }: { readonly shop: string; readonly id: string },
  { maxConcurrent = null, maxPerSecond = null }: Partial<EndpointOptions> = {},
): Effect.Effect<void, SqlError.SqlError> =>
  isPaced({ maxConcurrent, maxPerSecond })
    ? Effect.asVoid(
        sql`INSERT INTO designwire.paces (shop, endpoint_id) SELECT e.shop, e.id FROM designwire.endpoints e
WHERE e.shop = ${shop} AND e.id = ${id} ON CONFLICT DO NOTHING`,
      )
    : Effect.void
