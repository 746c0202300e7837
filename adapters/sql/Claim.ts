import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import type { Busy, Claim, ClaimRequest } from "../../core/ports/DeliveryQueue.ts"
import { maySend } from "./DeliveryRules.ts"
import { beginning, type EndpointKey, endpointsWithDue, isOpen, withEndpointAndShop } from "./DueQueue.ts"
import { rows } from "./Rows.ts"

/** So many deliveries that have become due are moved to the queue `due` by one statement: some milliseconds of work, done once for each. */
const movedAtOnce = 256

/** So often a claim moves deliveries, at most: what it has taken so far must not wait for long. */
const maximumRounds = 8

/**
 * Makes the claims of a process (`DeliveryQueue.claim`), which remember where the last one ended.
 *
 * A claim walks from endpoint to endpoint over the queue `due`, and so reads what it takes, and what is under way, and nothing else.
 */
export const makeClaim = (sql: SqlClient.SqlClient) => {
  let turn = beginning
  return Effect.fnUntraced(function* (
    request: ClaimRequest,
  ): Effect.fn.Return<ReadonlyArray<Claim>, SqlError.SqlError> {
    const claims: Array<Claim> = []
    for (let round = 0; round < maximumRounds; round++) {
      const moved = yield* moveDue(sql, request.now)
      // What this claim has taken already counts as busy.
      const taken = claims.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))
      const rest = { ...request, limit: request.limit - claims.length, busy: [...request.busy, ...taken] }
      const found = yield* claimBehind(sql, rest, turn)
      claims.push(...found.map((row): Claim => ({ ...row, token: request.token })))
      turn = claims.at(-1) ?? beginning
      // There may be more to move, of endpoints that have nothing in the queue yet.
      if (claims.length === request.limit || moved < movedAtOnce) break
    }
    return claims
  })
}

/** Moves deliveries that have become due from the queue `waiting` to `due`, the longest due first. Answers how many. */
const moveDue = (sql: SqlClient.SqlClient, now: Instant) =>
  sql<{ count: number }>`WITH moved AS (
  UPDATE designwire.deliveries d SET queue = 'due' FROM (
    SELECT w.shop, w.id FROM designwire.deliveries w WHERE w.queue = 'waiting' AND w.next_attempt_at <= ${format(now)}::timestamptz
    ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(movedAtOnce))} FOR UPDATE SKIP LOCKED
  ) w WHERE d.shop = w.shop AND d.id = w.id RETURNING 1
)
SELECT count(*)::int4 AS count FROM moved`.pipe(Effect.map(([row]) => row?.count ?? 0))

/** Claims from the endpoints behind `turn`, and then from the others. Answers in that order. */
const claimBehind = (sql: SqlClient.SqlClient, request: ClaimRequest, turn: EndpointKey) =>
  sql<Omit<Claim, "token">>`WITH RECURSIVE busy AS (
  SELECT * FROM ${busyRows(sql, request.busy)}
), ${endpointsWithDue(sql, "behind", { after: turn })}, ${endpointsWithDue(sql, "before", { after: beginning, until: turn })}, picked AS (
  SELECT due.shop, due.id FROM (SELECT * FROM behind UNION ALL SELECT * FROM before) w
  ${sql.literal(withEndpointAndShop)} CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = w.endpoint_id
  ) b CROSS JOIN LATERAL (
    SELECT d.shop, d.id FROM designwire.deliveries d
    WHERE ${isOpen(sql, request.now)} AND ${sql.literal(maySend)}
    ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, ${request.perEndpoint}::int4 - b.attempts) FOR UPDATE SKIP LOCKED
  ) due
  LIMIT ${request.limit}::int4
), claimed AS (
  UPDATE designwire.deliveries d
  SET leased_until = ${format(request.leaseUntil)}::timestamptz, claim_token = ${request.token}
  FROM picked p WHERE d.shop = p.shop AND d.id = p.id
  RETURNING d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at
)
SELECT c.shop, c.id AS "deliveryId", c.endpoint_id AS "endpointId", c.event, c.test, c.attempts + 1 AS attempt,
  ev.body, e.url, e.secret
FROM claimed c
JOIN designwire.events ev ON ev.shop = c.shop AND ev.id = c.event_id
JOIN designwire.endpoints e ON e.shop = c.shop AND e.id = c.endpoint_id
ORDER BY (c.shop, c.endpoint_id) > (${turn.shop}, ${turn.endpointId}) DESC, c.shop, c.endpoint_id, c.next_attempt_at, c.id`

const busyRows = (sql: SqlClient.SqlClient, busy: ReadonlyArray<Busy>) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )
