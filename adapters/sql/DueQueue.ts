/** Reading the queue `due` (DeliveryRules.ts), in which endpoints stand one behind the other, each with its deliveries in the order in which they were due. */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import { maySend } from "./DeliveryRules.ts"

/** An endpoint's key. */
export interface EndpointKey {
  readonly shop: string
  readonly endpointId: string
}

/** Before every endpoint. */
export const beginning: EndpointKey = { shop: "", endpointId: "" }

/**
 * A recursive table of a `WITH RECURSIVE`: the endpoints behind `after`, and not behind `until` where it is given, that have something in the
 * queue `due`, by key. Each takes one step in the index, however many deliveries it has, and only those that are asked for are read.
 */
export const endpointsWithDue = (
  sql: SqlClient.SqlClient,
  name: string,
  range: { readonly after: EndpointKey; readonly until?: EndpointKey },
): Statement.Fragment => {
  const { after, until } = range
  const bound = until === undefined ? sql`` : sql` AND (d.shop, d.endpoint_id) <= (${until.shop}, ${until.endpointId})`
  const next = (key: Statement.Fragment) => sql`(
    SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
    WHERE d.queue = 'due' AND (d.shop, d.endpoint_id) > (${key})${bound} ORDER BY d.shop, d.endpoint_id LIMIT 1
  )`
  return sql`${sql.literal(name)} AS (
  ${next(sql`${after.shop}, ${after.endpointId}`)}
  UNION ALL
  SELECT n.shop, n.endpoint_id FROM ${sql.literal(name)} w CROSS JOIN LATERAL ${next(sql`w.shop, w.endpoint_id`)} n
)`
}

/**
 * Joins to a table `w` of endpoints the endpoint `e` and its shop `s`, by key: `OFFSET 0` keeps the planner from reading the whole tables where it
 * expects many endpoints.
 */
export const withEndpointAndShop = `CROSS JOIN LATERAL (
    SELECT e.status, e.url, e.secret FROM designwire.endpoints e WHERE e.shop = w.shop AND e.id = w.endpoint_id OFFSET 0
  ) e CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s`

/** Whether the delivery `d` is one of the endpoint `w` that is due at an instant, and no lease on it runs. */
export const isOpen = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => {
  const at = sql`${format(now)}::timestamptz`
  return sql`d.shop = w.shop AND d.endpoint_id = w.endpoint_id AND d.queue = 'due' AND d.next_attempt_at <= ${at}
      AND (d.leased_until IS NULL OR d.leased_until <= ${at})`
}

/** Joins to a table `w` of endpoints, with `e` and `s`, the `first` of each one's deliveries that could be claimed at an instant. */
export const withFirstOpen = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment => sql`CROSS JOIN LATERAL (
    SELECT d.next_attempt_at FROM designwire.deliveries d
    WHERE ${isOpen(sql, now)} AND ${sql.literal(maySend)} ORDER BY d.next_attempt_at, d.id LIMIT 1
  ) first`
