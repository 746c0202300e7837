import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../core/model/Instant.ts"
import {
  type Claim,
  type ClaimRequest,
  DeliveryStore,
  type EndpointHealth,
  type Settlement,
} from "../../core/ports/DeliveryStore.ts"
import { mapped } from "./Errors.ts"

interface HealthRow {
  readonly shop: string
  readonly id: string
  readonly status: EndpointHealth["status"]
  readonly consecutiveFailures: number
  readonly switchedOffAt: Date | null
}

/** Where the last claim of this process ended: the next begins behind it. */
interface Turn {
  shop: string
  endpointId: string
}

/**
 * `DeliveryStore` over SQL.
 *
 * `available_at` says when a delivery is due; it is null for what is finished or held. `leased_until` says until when a claim keeps it from others.
 * A claim walks from endpoint to endpoint over the index that `available_at` is in, and so reads what it takes and nothing else.
 */
export const layer: Layer.Layer<DeliveryStore, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const turn: Turn = { shop: "", endpointId: "" }

    const claimBehind = (request: ClaimRequest, from: Turn, limit: number) => {
      const busy = [...request.busy]
      const now = format(request.now)
      return sql<Omit<Claim, "token">>`WITH RECURSIVE busy AS (
  SELECT split_part(b.key, '/', 1) AS shop, split_part(b.key, '/', 2) AS endpoint_id, b.attempts
  FROM unnest(${busy.map(([key]) => key)}::text[], ${busy.map(([, attempts]) => attempts)}::int4[]) AS b (key, attempts)
), lane AS (
  (SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
   WHERE d.available_at IS NOT NULL AND (d.shop, d.endpoint_id) > (${from.shop}, ${from.endpointId})
   ORDER BY d.shop, d.endpoint_id LIMIT 1)
  UNION ALL
  SELECT n.shop, n.endpoint_id FROM lane l CROSS JOIN LATERAL (
    SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
    WHERE d.available_at IS NOT NULL AND (d.shop, d.endpoint_id) > (l.shop, l.endpoint_id)
    ORDER BY d.shop, d.endpoint_id LIMIT 1
  ) n
), picked AS (
  SELECT due.shop, due.id FROM lane l CROSS JOIN LATERAL (
    SELECT (SELECT e.status FROM designwire.endpoints e WHERE e.shop = l.shop AND e.id = l.endpoint_id) = 'active' AS active,
      (SELECT s.plan FROM designwire.shops s WHERE s.id = l.shop) <> 'free' AS paid,
      greatest(0, ${request.perEndpoint}::int4 - coalesce((
        SELECT b.attempts FROM busy b WHERE b.shop = l.shop AND b.endpoint_id = l.endpoint_id
      ), 0)) AS room OFFSET 0
  ) lane_now CROSS JOIN LATERAL (
    SELECT d.shop, d.id FROM designwire.deliveries d
    WHERE d.shop = l.shop AND d.endpoint_id = l.endpoint_id AND d.available_at <= ${now}::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= ${now}::timestamptz)
      AND lane_now.paid AND (lane_now.active OR d.test)
    ORDER BY d.available_at LIMIT lane_now.room FOR UPDATE SKIP LOCKED
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
        const busy = new Map(request.busy)
        for (const { endpointId, shop } of rows) {
          const key = `${shop}/${endpointId}`
          busy.set(key, (busy.get(key) ?? 0) + 1)
        }
        rows.push(
          ...(yield* claimBehind({ ...request, busy }, { shop: "", endpointId: "" }, request.limit - rows.length)),
        )
      }
      const last = rows.at(-1)
      turn.shop = last?.shop ?? ""
      turn.endpointId = last?.endpointId ?? ""
      return rows.map((row): Claim => ({ ...row, token: request.token }))
    })

    /** Which of the settlements are still the current claim's; their deliveries are what the rest of the transaction holds. */
    const storeOutcomes = (settlements: ReadonlyArray<Settlement>) =>
      sql<{ shop: string; id: string; token: string }>`UPDATE designwire.deliveries d
SET status = r.status, next_attempt_at = r.next_attempt_at, claim_token = NULL, leased_until = NULL, attempts = r.attempt,
  available_at = CASE WHEN s.plan <> 'free' AND (d.test OR e.status = 'active') THEN r.next_attempt_at END
FROM unnest(
  ${settlements.map(({ claim }) => claim.shop)}::text[],
  ${settlements.map(({ claim }) => claim.deliveryId)}::text[],
  ${settlements.map(({ claim }) => claim.token)}::text[],
  ${settlements.map(({ status }) => status)}::text[],
  ${settlements.map(({ nextAttemptAt }) => (nextAttemptAt === null ? "" : format(nextAttemptAt)))}::text[],
  ${settlements.map(({ attempt }) => attempt.number)}::int4[]
) AS t (shop, id, token, status, next_text, attempt)
CROSS JOIN LATERAL (SELECT t.status, nullif(t.next_text, '')::timestamptz AS next_attempt_at, t.attempt) r,
  designwire.endpoints e, designwire.shops s
WHERE d.shop = t.shop AND d.id = t.id AND d.claim_token = t.token
  AND e.shop = d.shop AND e.id = d.endpoint_id AND s.id = d.shop
RETURNING d.shop, d.id, t.token`

    const storeAttempts = (settlements: ReadonlyArray<Settlement>) =>
      sql`INSERT INTO designwire.attempts (shop, delivery_id, number, at, status_code, duration_ms, response_start, error)
SELECT r.shop, r.delivery_id, r.number, r.at::timestamptz, nullif(r.status_code, -1), r.duration_ms,
  CASE WHEN r.has_response THEN r.response_start END, nullif(r.error, '')
FROM unnest(
  ${settlements.map(({ claim }) => claim.shop)}::text[],
  ${settlements.map(({ claim }) => claim.deliveryId)}::text[],
  ${settlements.map(({ attempt }) => attempt.number)}::int4[],
  ${settlements.map(({ attempt }) => format(attempt.at))}::text[],
  ${settlements.map(({ attempt }) => attempt.statusCode ?? -1)}::int4[],
  ${settlements.map(({ attempt }) => Math.round(attempt.durationMs))}::int4[],
  ${settlements.map(({ attempt }) => attempt.responseStart !== null)}::bool[],
  ${settlements.map(({ attempt }) => attempt.responseStart ?? "")}::text[],
  ${settlements.map(({ attempt }) => attempt.error ?? "")}::text[]
) AS r (shop, delivery_id, number, at, status_code, duration_ms, has_response, response_start, error)`

    /** Endpoints are locked in one order, so that workers which settle at the same time wait for each other and not in a circle. */
    const lockHealth = (claims: ReadonlyArray<Claim>) =>
      sql<HealthRow>`SELECT e.shop, e.id, e.status, e.consecutive_failures AS "consecutiveFailures", e.switched_off_at AS "switchedOffAt"
FROM designwire.endpoints e JOIN (
  SELECT DISTINCT * FROM unnest(
    ${claims.map((claim) => claim.shop)}::text[], ${claims.map((claim) => claim.endpointId)}::text[]
  ) AS k (shop, id)
) k USING (shop, id) ORDER BY e.shop, e.id FOR NO KEY UPDATE OF e`

    const storeHealth = Effect.fnUntraced(function* (row: HealthRow, health: EndpointHealth) {
      yield* sql`UPDATE designwire.endpoints SET status = ${health.status},
  consecutive_failures = ${health.consecutiveFailures}::int4,
  switched_off_at = ${health.switchedOffAt === null ? null : format(health.switchedOffAt)}::timestamptz
WHERE shop = ${row.shop} AND id = ${row.id}`
      if (row.status === "active" && health.status !== "active") {
        yield* sql`UPDATE designwire.deliveries SET available_at = NULL
WHERE shop = ${row.shop} AND endpoint_id = ${row.id} AND available_at IS NOT NULL AND NOT test`
      }
    })

    /**
     * What most settlements are: the end of deliveries to endpoints in good health, which `advance` leaves as they are. One statement, the same locks.
     * Stores nothing where an endpoint is in another state, and answers none.
     */
    const settleHealthy = (settlements: ReadonlyArray<Settlement>) =>
      sql<{ shop: string; id: string; token: string }>`WITH r AS MATERIALIZED (
  SELECT * FROM unnest(
    ${settlements.map(({ claim }) => claim.shop)}::text[],
    ${settlements.map(({ claim }) => claim.deliveryId)}::text[],
    ${settlements.map(({ claim }) => claim.endpointId)}::text[],
    ${settlements.map(({ claim }) => claim.token)}::text[],
    ${settlements.map(({ status }) => status)}::text[],
    ${settlements.map(({ attempt }) => attempt.number)}::int4[],
    ${settlements.map(({ attempt }) => format(attempt.at))}::text[]::timestamptz[],
    ${settlements.map(({ attempt }) => attempt.statusCode ?? -1)}::int4[],
    ${settlements.map(({ attempt }) => Math.round(attempt.durationMs))}::int4[],
    ${settlements.map(({ attempt }) => attempt.responseStart !== null)}::bool[],
    ${settlements.map(({ attempt }) => attempt.responseStart ?? "")}::text[],
    ${settlements.map(({ attempt }) => attempt.error ?? "")}::text[]
  ) AS r (shop, id, endpoint_id, token, status, number, at, status_code, duration_ms, has_response, response_start, error)
), health AS MATERIALIZED (
  SELECT e.status = 'active' AND e.consecutive_failures = 0 AND e.switched_off_at IS NULL AS good FROM designwire.endpoints e
  JOIN (SELECT DISTINCT shop, endpoint_id AS id FROM r) k USING (shop, id) ORDER BY e.shop, e.id FOR NO KEY UPDATE OF e
), stored AS (
  UPDATE designwire.deliveries d
  SET status = r.status, next_attempt_at = NULL, available_at = NULL, claim_token = NULL, leased_until = NULL, attempts = r.number
  FROM r WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token AND (SELECT bool_and(good) FROM health)
  RETURNING d.shop, d.id, r.token
), logged AS (
  INSERT INTO designwire.attempts (shop, delivery_id, number, at, status_code, duration_ms, response_start, error)
  SELECT r.shop, r.id, r.number, r.at, nullif(r.status_code, -1), r.duration_ms,
    CASE WHEN r.has_response THEN r.response_start END, nullif(r.error, '')
  FROM r JOIN stored USING (shop, id, token)
)
SELECT shop, id, token FROM stored`

    const settle = (
      settlements: ReadonlyArray<Settlement>,
      advance: (health: EndpointHealth, settlement: Settlement) => EndpointHealth,
    ) => {
      const isHealthy = settlements.every(
        (each) => each.nextAttemptAt === null && sameHealth(goodHealth, advance(goodHealth, each)),
      )
      if (!isHealthy || new Set(settlements.map(({ claim }) => keyOf(claim))).size < settlements.length) {
        return settleAll(settlements, advance)
      }
      return Effect.flatMap(settleHealthy(settlements), (rows) => {
        if (rows.length === 0) return settleAll(settlements, advance)
        const stored = new Set(rows.map((row) => keyOf({ ...row, deliveryId: row.id })))
        return Effect.succeed(settlements.map(({ claim }) => stored.has(keyOf(claim))))
      })
    }

    const settleAll = (
      settlements: ReadonlyArray<Settlement>,
      advance: (health: EndpointHealth, settlement: Settlement) => EndpointHealth,
    ) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const rows = yield* lockHealth(settlements.map(({ claim }) => claim))
          const first = new Set<Settlement>(
            new Map(settlements.toReversed().map((each) => [keyOf(each.claim), each])).values(),
          )
          const stored = new Set((yield* storeOutcomes([...first])).map((row) => keyOf({ ...row, deliveryId: row.id })))
          const effective = settlements.map((each) => first.has(each) && stored.has(keyOf(each.claim)))
          const effects = settlements.filter((_, index) => effective[index])
          if (effects.length > 0) yield* storeAttempts(effects)
          for (const row of rows) {
            const before: EndpointHealth = { ...row, switchedOffAt: row.switchedOffAt?.getTime() ?? null }
            const after = effects
              .filter(({ claim }) => claim.shop === row.shop && claim.endpointId === row.id)
              .reduce(advance, before)
            if (!sameHealth(before, after)) yield* storeHealth(row, after)
          }
          return effective
        }),
      )

    const release = (claims: ReadonlyArray<Claim>) =>
      sql`UPDATE designwire.deliveries d SET claim_token = NULL, leased_until = NULL
FROM unnest(
  ${claims.map((claim) => claim.shop)}::text[], ${claims.map((claim) => claim.deliveryId)}::text[], ${claims.map((claim) => claim.token)}::text[]
) AS r (shop, id, token)
WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token`.pipe(Effect.asVoid)

    return {
      claim: (request) => claim(request).pipe(mapped("Claiming deliveries")),
      settle: (settlements, advance) =>
        settlements.length === 0
          ? Effect.succeed([])
          : settle(settlements, advance).pipe(mapped("Settling deliveries")),
      release: (claims) => (claims.length === 0 ? Effect.void : release(claims).pipe(mapped("Giving back deliveries"))),
      // Those under lease are few and were due before the first that is not.
      nextDue: sql<{ due: Date | null }>`WITH free AS (
  SELECT d.available_at FROM designwire.deliveries d
  JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
  JOIN designwire.shops s ON s.id = d.shop
  WHERE d.status = 'pending' AND d.available_at IS NOT NULL AND d.leased_until IS NULL
    AND (d.test OR e.status = 'active') AND s.plan <> 'free'
  ORDER BY d.available_at LIMIT 1
)
SELECT least((SELECT available_at FROM free), (
  SELECT min(greatest(x.available_at, x.leased_until)) FROM (
    SELECT d.available_at, d.leased_until FROM designwire.deliveries d
    WHERE d.status = 'pending' AND d.available_at < coalesce((SELECT available_at FROM free), 'infinity')
    ORDER BY d.available_at LIMIT 1000
  ) x WHERE x.leased_until IS NOT NULL
)) AS due`.pipe(
        Effect.map((rows) => Option.map(Option.fromNullishOr(rows[0]?.due), (due) => due.getTime())),
        mapped("Looking for the next delivery"),
      ),
    }
  }),
)

/** A claim of a delivery: the same delivery claimed again is another. */
const keyOf = (claim: Pick<Claim, "shop" | "deliveryId" | "token">): string =>
  `${claim.token} ${claim.shop}/${claim.deliveryId}`

const goodHealth: EndpointHealth = { status: "active", consecutiveFailures: 0, switchedOffAt: null }

const sameHealth = (before: EndpointHealth, after: EndpointHealth): boolean =>
  before.status === after.status &&
  before.consecutiveFailures === after.consecutiveFailures &&
  before.switchedOffAt === after.switchedOffAt
