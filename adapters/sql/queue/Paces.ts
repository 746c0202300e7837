/** The pace of endpoints (`core/rules/deliveries/Pace`, D54) in SQL, for an endpoint `e` and its row `p` of `paces`. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { EndpointOptions } from "../../../core/model/deliveries/EndpointOptions.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import type { Claim, ClaimRequest } from "../../../core/ports/DeliveryQueue.ts"
import { claimedAhead, isPaced as hasPace, lead, period } from "../../../core/rules/deliveries/Pace.ts"

const maxPerSecond = "(e.options ->> 'maxPerSecond')::float8"
const maxConcurrent = "(e.options ->> 'maxConcurrent')::int4"

/** `Pace.isPaced`. */
const isPaced = "(e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL)"

/** `Pace.intervalOf`. */
const interval = `(${period} / ${maxPerSecond})`

/**
 * Joins to an endpoint `e` what claims have planned for it, as `p`, and locks that: null without a pace, and if another
 * claim has locked it. `starts` and `free` are the deliveries for which each limit has room, null without that limit. A
 * claim that comes too early for the next start locks nothing, as it would be in the way of the one that is in time.
 */
export const withPace = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => {
  const at = sql`${String(now)}::text::float8`
  const ahead = sql`${at} + ${sql.literal(String(claimedAhead))}`
  const first = sql`greatest(l.next_start, ${at} + ${sql.literal(String(lead))})`
  const [rate, bound] = [sql.literal(maxPerSecond), sql.literal(maxConcurrent)]
  return sql`LEFT JOIN LATERAL (
      SELECT ${first} AS first, k.under_way,
        CASE WHEN ${rate} IS NOT NULL THEN floor((${ahead} - ${first}) / ${sql.literal(interval)})::int4 + 1 END AS starts,
        CASE WHEN ${bound} IS NOT NULL THEN greatest(0, ${bound} - k.held) END AS free
      FROM (
        SELECT p.next_start, p.under_way FROM designwire.paces p
        WHERE ${sql.literal(isPaced)} AND p.shop = e.shop AND p.endpoint_id = e.id
          AND (${rate} IS NULL OR p.next_start <= ${ahead}) FOR UPDATE SKIP LOCKED
      ) l CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
        FROM jsonb_each(l.under_way) u WHERE u.value::float8 > ${at}
      ) k
    ) p ON true`
}

/** The number of deliveries of an endpoint that a claim may take by its pace: null for any number. */
export const paceRoom = `CASE WHEN ${isPaced} THEN coalesce(least(p.starts, p.free), 0) END`

/** Columns of a claimed delivery, the `n`th of its endpoint in its claim. */
export const plannedColumns = (n: string): string =>
  `CASE WHEN ${maxPerSecond} IS NOT NULL THEN p.first + (${n} - 1) * ${interval} END AS starts_at,
      ${interval} AS spacing, ${maxConcurrent} IS NOT NULL AS bounded, CASE WHEN ${isPaced} THEN p.under_way END AS under_way`

/** A table of a `WITH` that stores what a claim has planned for the deliveries in `taken`. */
export const planned = (sql: SqlClient.SqlClient, { leaseUntil }: ClaimRequest): Statement.Fragment =>
  sql`planned AS (
  UPDATE designwire.paces p SET next_start = coalesce(t.next_start, p.next_start),
    under_way = CASE WHEN t.bounded THEN t.under_way || t.added ELSE '{}' END
  FROM (
    SELECT shop, endpoint_id, max(starts_at) + max(spacing) AS next_start, (array_agg(under_way))[1] AS under_way, bool_or(bounded) AS bounded,
      jsonb_object_agg(id, ${String(leaseUntil)}::text::float8) AS added
    FROM taken WHERE under_way IS NOT NULL GROUP BY shop, endpoint_id
  ) t WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)`

/** Whether any of these claims counts as under way for its endpoint. */
export const someAreBounded = (claims: ReadonlyArray<Claim>): boolean =>
  claims.some(({ options }) => options.maxConcurrent !== null)

/** A table of a `WITH`: the deliveries in `ended` have left. */
export const leftUnderWay = `left_under_way AS (
  UPDATE designwire.paces p SET under_way = p.under_way - t.ids
  FROM (SELECT shop, endpoint_id, array_agg(id::text) AS ids FROM ended GROUP BY shop, endpoint_id) t
  WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)`

/** Makes the row of an endpoint that gets a pace, if it has none. */
export const keepPace = (
  sql: SqlClient.SqlClient,
  { id, shop }: { readonly shop: string; readonly id: string },
  { maxConcurrent = null, maxPerSecond = null }: Partial<EndpointOptions> = {},
): Effect.Effect<void, SqlError.SqlError> =>
  hasPace({ maxConcurrent, maxPerSecond })
    ? Effect.asVoid(
        sql`INSERT INTO designwire.paces (shop, endpoint_id) SELECT e.shop, e.id FROM designwire.endpoints e
WHERE e.shop = ${shop} AND e.id = ${id} ON CONFLICT DO NOTHING`,
      )
    : Effect.void
