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
 * A table of a `WITH`: what claims have planned for the endpoints with a pace of the shops in `named`, locked, and what
 * a claim may add. Those that another claim has locked are missing, and so are those for which it is too early: a claim
 * that comes too early for the next start must not be in the way of the one that is in time. `starts` and `free` are
 * the deliveries for which each limit has room, null without that limit.
 *
 * One table for a claim, because a look for each of the endpoints, most of which have no pace, costs them a tenth more.
 */
export const paced = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => {
  const at = sql`${String(now)}::text::float8`
  const ahead = sql`${at} + ${sql.literal(String(claimedAhead))}`
  const first = sql`greatest(l.next_start, ${at} + ${sql.literal(String(lead))})`
  const [rate, bound] = [sql.literal(maxPerSecond), sql.literal(maxConcurrent)]
  return sql`paced AS MATERIALIZED (
  SELECT l.shop, l.endpoint_id, ${first} AS first, l.spacing, k.under_way, l.bound IS NOT NULL AS bounded,
    floor((${ahead} - ${first}) / l.spacing)::int4 + 1 AS starts,
    CASE WHEN l.bound IS NOT NULL THEN greatest(0, l.bound - k.held) END AS free
  FROM (
    SELECT p.shop, p.endpoint_id, p.next_start, p.under_way, ${sql.literal(interval)} AS spacing, ${bound} AS bound
    FROM (SELECT DISTINCT shop FROM named) w JOIN designwire.paces p ON p.shop = w.shop
    JOIN designwire.endpoints e ON e.shop = p.shop AND e.id = p.endpoint_id
    WHERE ${sql.literal(isPaced)} AND (${rate} IS NULL OR p.next_start <= ${ahead}) FOR UPDATE OF p SKIP LOCKED
  ) l CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
    FROM jsonb_each(l.under_way) u WHERE u.value::float8 > ${at}
  ) k
)`
}

/** Joins its row of `paced` to an endpoint `e`, as `p`. */
export const withPace = "LEFT JOIN paced p ON p.shop = e.shop AND p.endpoint_id = e.id"

/** The number of deliveries of an endpoint that a claim may take by its pace: null for any number. */
export const paceRoom = `CASE WHEN ${isPaced} THEN coalesce(least(p.starts, p.free), 0) END`

/** When the `n`th delivery of an endpoint in its claim starts: null for at once. */
export const startsAt = (n: string): string => `p.first + (${n} - 1) * p.spacing`

/** A table of a `WITH` that stores what a claim has planned for the deliveries in `taken`. */
export const planned = (sql: SqlClient.SqlClient, { leaseUntil }: ClaimRequest): Statement.Fragment =>
  sql`planned AS (
  UPDATE designwire.paces p SET next_start = coalesce(t.first + t.taken * t.spacing, p.next_start),
    under_way = CASE WHEN t.bounded THEN t.under_way || t.added ELSE '{}' END
  FROM (
    SELECT c.*, a.taken, a.added FROM paced c CROSS JOIN LATERAL (
      SELECT count(*) AS taken, jsonb_object_agg(t.id, ${String(leaseUntil)}::text::float8) AS added
      FROM taken t WHERE t.shop = c.shop AND t.endpoint_id = c.endpoint_id
    ) a WHERE a.taken > 0
  ) t WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)`

/** Whether the pace of its endpoint holds back a due delivery `d` (`Pace.isHeldBack`). */
export const isHeldBack = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => {
  const at = sql`${String(now)}::text::float8`
  const [rate, bound] = [sql.literal(maxPerSecond), sql.literal(maxConcurrent)]
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
