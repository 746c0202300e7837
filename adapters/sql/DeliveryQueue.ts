import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { EventRecord } from "../../core/model/Event.ts"
import { format } from "../../core/model/Instant.ts"
import {
  type Busy,
  type Claim,
  type ClaimRequest,
  DeliveryQueue,
  type Recovery,
} from "../../core/ports/DeliveryQueue.ts"
import { hasMissed, insertDeliveries, maySend, recoveredId } from "./DeliveryRules.ts"
import { mapped } from "./Errors.ts"
import { insertEvents } from "./Events.ts"
import { rows } from "./Rows.ts"
import { settle } from "./Settle.ts"
import { notifyWorkers, Signals } from "./Signals.ts"

/** Where the last claim of this process ended: the next begins behind it. */
interface Turn {
  shop: string
  endpointId: string
}

/**
 * `DeliveryQueue` over SQL.
 *
 * `available_at` says when a delivery is due; it is null for what is finished or held. `leased_until` says until when a claim keeps it from others.
 * A claim walks from endpoint to endpoint over the index that `available_at` is in, and so reads what it takes and nothing else.
 */
export const layer: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient | Signals> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const turn: Turn = { shop: "", endpointId: "" }

    const claimBehind = (request: ClaimRequest, from: Turn, limit: number) => {
      const now = sql`${format(request.now)}::timestamptz`
      return sql<Omit<Claim, "token">>`WITH RECURSIVE busy AS (
  SELECT * FROM ${busyRows(sql, request.busy)}
), waiting AS (
  (SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
   WHERE d.available_at IS NOT NULL AND (d.shop, d.endpoint_id) > (${from.shop}, ${from.endpointId})
   ORDER BY d.shop, d.endpoint_id LIMIT 1)
  UNION ALL
  SELECT n.shop, n.endpoint_id FROM waiting w CROSS JOIN LATERAL (
    SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
    WHERE d.available_at IS NOT NULL AND (d.shop, d.endpoint_id) > (w.shop, w.endpoint_id)
    ORDER BY d.shop, d.endpoint_id LIMIT 1
  ) n
), picked AS (
  SELECT due.shop, due.id FROM waiting w CROSS JOIN LATERAL (
    SELECT e.status, s.plan, greatest(0, ${request.perEndpoint}::int4 - coalesce((
        SELECT sum(b.attempts)::int4 FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = w.endpoint_id
      ), 0)) AS room
    FROM designwire.endpoints e, designwire.shops s WHERE e.shop = w.shop AND e.id = w.endpoint_id AND s.id = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (SELECT e.plan OFFSET 0) s CROSS JOIN LATERAL (
    SELECT d.shop, d.id FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = w.endpoint_id AND d.available_at <= ${now}
      AND (d.leased_until IS NULL OR d.leased_until <= ${now}) AND ${sql.literal(maySend)}
    ORDER BY d.available_at LIMIT e.room FOR UPDATE SKIP LOCKED
  ) due
  LIMIT ${limit}::int4
), claimed AS (
  UPDATE designwire.deliveries d
  SET leased_until = ${format(request.leaseUntil)}::timestamptz, claim_token = ${request.token}
  FROM picked p WHERE d.shop = p.shop AND d.id = p.id
  RETURNING d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.attempts
)
SELECT c.shop, c.id AS "deliveryId", c.endpoint_id AS "endpointId", c.event, c.test, c.attempts + 1 AS attempt,
  ev.body, e.url, e.secret
FROM claimed c
JOIN designwire.events ev ON ev.shop = c.shop AND ev.id = c.event_id
JOIN designwire.endpoints e ON e.shop = c.shop AND e.id = c.endpoint_id
ORDER BY c.shop, c.endpoint_id`
    }

    const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
      const from = { ...turn }
      const rows = [...(yield* claimBehind(request, from, request.limit))]
      if (rows.length < request.limit && from.shop !== "") {
        // Round the end: what this claim has taken already counts as busy.
        const taken = rows.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))
        const again = { ...request, busy: [...request.busy, ...taken] }
        rows.push(...(yield* claimBehind(again, { shop: "", endpointId: "" }, request.limit - rows.length)))
      }
      const last = rows.at(-1)
      turn.shop = last?.shop ?? ""
      turn.endpointId = last?.endpointId ?? ""
      return rows.map((row): Claim => ({ ...row, token: request.token }))
    })

    const release = (claims: ReadonlyArray<Claim>) =>
      sql`UPDATE designwire.deliveries d SET claim_token = NULL, leased_until = NULL
FROM ${claimRows(sql, claims)} WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token`.pipe(Effect.asVoid)

    const add = Effect.fnUntraced(function* (delivery: DeliveryRecord, event: EventRecord | null) {
      const endpoint = yield* sql`SELECT 1 AS found FROM designwire.endpoints
WHERE shop = ${delivery.shop} AND id = ${delivery.endpointId} FOR KEY SHARE`
      if (endpoint.length === 0) return
      if (event !== null) yield* insertEvents(sql, [event])
      yield* insertDeliveries(sql, sql`SELECT * FROM ${deliveryRows(sql, [delivery])} WHERE ${notifyWorkers(sql)}`)
      yield* signals.committed(sql)
    })

    const recover = ({ endpointId, now, run, shop, since }: Recovery) =>
      sql<{ added: number }>`WITH added AS (
  ${insertDeliveries(
    sql,
    sql`SELECT ev.shop, ${recoveredId(sql, run)} AS id, e.id AS endpoint_id, ev.id AS event_id, ev.event, ev.test, 'pending' AS status,
    ${format(now)}::timestamptz AS created_at, ${format(now)}::timestamptz AS next_attempt_at
  FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
  WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${sql.literal(hasMissed)}`,
  )}
  RETURNING 1
)
SELECT count(*)::int4 AS added, ${notifyWorkers(sql)} AS told FROM added`.pipe(
        Effect.map((rows) => rows[0]?.added ?? 0),
        Effect.tap(signals.committed(sql)),
      )

    return {
      add: (delivery, event) => sql.withTransaction(add(delivery, event)).pipe(mapped("Adding a delivery")),
      recover: (recovery) => recover(recovery).pipe(mapped("Recovering deliveries")),
      claim: (request) => claim(request).pipe(mapped("Claiming deliveries")),
      settle: (settlements, advance) =>
        settlements.length === 0
          ? Effect.succeed([])
          : settle(sql, settlements, advance).pipe(mapped("Settling deliveries")),
      release: (claims) => (claims.length === 0 ? Effect.void : release(claims).pipe(mapped("Releasing deliveries"))),
      // Those under lease are few and were due before the first that is not.
      nextDue: sql<{ due: number | null }>`WITH free AS (
  SELECT d.available_at FROM designwire.deliveries d
  JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
  JOIN designwire.shops s ON s.id = d.shop
  WHERE d.status = 'pending' AND d.available_at IS NOT NULL AND d.leased_until IS NULL
    AND ${sql.literal(maySend)}
  ORDER BY d.available_at LIMIT 1
)
SELECT (extract(epoch FROM least((SELECT available_at FROM free), (
  SELECT min(greatest(x.available_at, x.leased_until)) FROM (
    SELECT d.available_at, d.leased_until FROM designwire.deliveries d
    WHERE d.status = 'pending' AND d.available_at < coalesce((SELECT available_at FROM free), 'infinity')
    ORDER BY d.available_at LIMIT 1000
  ) x WHERE x.leased_until IS NOT NULL
))) * 1000)::float8 AS due`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0]?.due)),
        mapped("Looking for the next delivery"),
      ),
    }
  }),
)

const busyRows = (sql: SqlClient.SqlClient, busy: ReadonlyArray<Busy>) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )

const claimRows = (sql: SqlClient.SqlClient, claims: ReadonlyArray<Claim>) =>
  rows(
    sql,
    "r",
    { shop: "text", id: "text", token: "text" },
    claims.map(({ deliveryId, shop, token }) => ({ shop, id: deliveryId, token })),
  )

const deliveryRows = (sql: SqlClient.SqlClient, deliveries: ReadonlyArray<DeliveryRecord>) =>
  rows(
    sql,
    "r",
    {
      shop: "text",
      id: "text",
      endpoint_id: "text",
      event_id: "text",
      event: "text",
      test: "bool",
      status: "text",
      created_at: "timestamptz",
      next_attempt_at: "timestamptz",
    },
    deliveries.map((delivery) => ({
      shop: delivery.shop,
      id: delivery.id,
      endpoint_id: delivery.endpointId,
      event_id: delivery.eventId,
      event: delivery.event,
      test: delivery.test,
      status: delivery.status,
      created_at: delivery.createdAt,
      next_attempt_at: delivery.nextAttemptAt,
    })),
  )
