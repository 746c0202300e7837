import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { storedOptions } from "../../../core/model/deliveries/EndpointOptions.ts"
import type { Standing } from "../../../core/model/Health.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Claim, ClaimRequest } from "../../../core/ports/DeliveryQueue.ts"
import { type RotationRow, rotationColumns, rotationOf } from "../resources/Rotation.ts"
import { hintFew, rows } from "../statements/Rows.ts"
import { claimable, withEndpoints } from "./DueQueue.ts"
import { paced, paceRoom, planned, startsAt, withPace } from "./Paces.ts"

interface Row extends Omit<Claim, "token" | "rotation" | "body" | "trace" | "options" | "startsAt">, RotationRow {
  /** The body and the trace of the event, with one of its deliveries alone. */
  readonly body: string | null
  readonly trace: string | null
  readonly options: string
  /** Milliseconds since 1970, with fractions. */
  readonly startsAt: Instant | null
}

const eventKey = ({ eventId, shop }: Pick<Row, "eventId" | "shop">): string => `${shop}\n${eventId}`

/** `Health.standingOf` of an endpoint `e`. */
const standing = "CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END"

/**
 * Claims deliveries (`DeliveryQueue.claim`) due at `scanFrom` or later. `joined` says whether the claim is part of
 * somebody else's transaction.
 *
 * The statement reads what it takes, and what is under way, of the shops that are named: for each standing it goes from
 * shop to shop until the limit is reached. What others have locked is passed over.
 */
export const claim = (
  sql: SqlClient.SqlClient,
  request: ClaimRequest,
  { joined, scanFrom }: { readonly joined: boolean; readonly scanFrom: Instant | null },
): Effect.Effect<ReadonlyArray<Claim>, SqlError.SqlError> => {
  const { leaseUntil, limit, perEndpoint, probation, token } = request
  const unproven = Math.min(limit, probation.limit)
  const counted = (standing: Standing) => sql`(SELECT count(*) FROM ${sql.literal(standing)})`
  // A claim need not wait for the disk: what a crash of the server forgets is claimed again. Somebody else's
  // transaction may hold what must not be forgotten.
  const commit = sql.literal(joined ? "SELECT 1" : "SELECT set_config('synchronous_commit', 'off', true)")
  const claimed = sql<Row>`WITH commit AS MATERIALIZED (
  ${commit}
), named AS MATERIALIZED (
  -- The shops whose turn it is, for each standing of their endpoints.
  SELECT * FROM ${namedRows(sql, request)} WHERE ${sql.literal(hintFew("r.shop"))}
), busy AS MATERIALIZED (
  -- What the worker has under way counts towards the limits of endpoints and shops.
  SELECT * FROM ${busyRows(sql, request)}
), ${paced(sql, request.now)}, newcomer AS MATERIALIZED (
  -- First, because the first delivery of an endpoint must not wait for those that hang (D45).
  ${take(sql, request, scanFrom, "newcomer", {
    limit: sql`${unproven}::int4`,
    perEndpoint: probation.perEndpoint,
    ofShop: probation.perEndpoint,
    earlier: [],
  })}
), troubled AS MATERIALIZED (
  -- They leave a part of the unproven endpoints' share free for newcomers.
  ${take(sql, request, scanFrom, "troubled", {
    limit: sql`least(${probation.troubled}::int4, ${unproven}::int4 - ${counted("newcomer")})`,
    perEndpoint: probation.perEndpoint,
    ofShop: probation.perEndpoint,
    earlier: ["newcomer"],
  })}
), proven AS MATERIALIZED (
  -- All that is left.
  ${take(sql, request, scanFrom, "proven", {
    limit: sql`${limit}::int4 - ${counted("newcomer")} - ${counted("troubled")}`,
    perEndpoint,
    ofShop: limit,
    earlier: ["newcomer", "troubled"],
  })}
), taken AS (
  -- An event mostly goes to several endpoints: its body and trace are read for one of them.
  SELECT t.*, row_number() OVER (PARTITION BY t.shop, t.event_id) = 1 AS has_body FROM (
    SELECT 0 AS kind, * FROM newcomer UNION ALL SELECT 1, * FROM troubled UNION ALL SELECT 2, * FROM proven
  ) t
), leased AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET leased_until = ${format(leaseUntil)}::timestamptz, claim_token = ${token}
  FROM taken t WHERE d.shop = t.shop AND d.id = t.id
), ${planned(sql, request)}
SELECT t.shop, t.id AS "deliveryId", t.endpoint_id AS "endpointId", t.event_id AS "eventId", t.event, t.test,
  t.attempts + 1 AS attempt, t.proven, t.troubled, ev.body, ev.trace, t.url, t.standard_webhooks AS "standardWebhooks", t.options, t.secret,
  t.starts_at AS "startsAt", ${sql.literal(rotationColumns("t"))}
FROM commit CROSS JOIN taken t
LEFT JOIN designwire.events ev ON t.has_body AND ev.shop = t.shop AND ev.id = t.event_id
ORDER BY t.kind, t.step, t.place, t.next_attempt_at, t.id`
  return Effect.map(claimed, (found) => {
    const events = new Map(found.flatMap((row) => (row.body === null ? [] : [[eventKey(row), row]])))
    return found.map(({ newSecret, options, rotatesAt, startsAt, ...row }) => {
      const { body, trace } = events.get(eventKey(row)) as Row & { readonly body: string }
      return {
        ...row,
        body,
        trace,
        token,
        options: storedOptions(options),
        startsAt: startsAt === null ? null : Math.round(startsAt),
        rotation: rotationOf({ newSecret, rotatesAt }),
      }
    })
  })
}

/** Locks claimable deliveries of endpoints of one standing, shop after shop. `place` counts within an endpoint. */
const take = (
  sql: SqlClient.SqlClient,
  { now, perShop }: ClaimRequest,
  scanFrom: Instant | null,
  of: Standing,
  limits: {
    readonly limit: Statement.Fragment
    readonly perEndpoint: number
    /** Of one shop. Of endpoints that are not proven, many shops with one each are better than one shop with many. */
    readonly ofShop: number
    /** The standings of which the claim has taken deliveries before, which count for their shops. */
    readonly earlier: ReadonlyArray<Standing>
  },
) => {
  const ofStanding = (column: string) => sql.literal(`${column} = '${of}'`)
  const room = sql`least(greatest(0, ${limits.perEndpoint}::int4 - b.attempts), ${sql.literal(paceRoom)})`
  const before = limits.earlier.map((name) => ` - (SELECT count(*) FROM ${name} t WHERE t.shop = w.shop)`).join("")
  return sql`SELECT o.* FROM (SELECT * FROM named WHERE ${ofStanding("standing")} ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, ${sql.literal(startsAt("row_number() OVER due"))} AS starts_at
    FROM (SELECT 1) one ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b ${sql.literal(withPace)} CROSS JOIN LATERAL (${claimable(sql, now, scanFrom, room)} FOR UPDATE SKIP LOCKED) d
    WHERE ${ofStanding(standing)} WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least(${limits.ofShop}::int4, greatest(0, ${perShop}::int4${sql.literal(before)} - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT ${limits.limit}`
}

const namedRows = (sql: SqlClient.SqlClient, { shops }: ClaimRequest) =>
  rows(
    sql,
    "r",
    { standing: "text", shop: "text", step: "int4" },
    Object.entries(shops).flatMap(([standing, named]) => named.map((shop, step) => ({ standing, shop, step }))),
  )

const busyRows = (sql: SqlClient.SqlClient, { busy }: ClaimRequest) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )
