import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Busy, Claim, ClaimRequest } from "../../../core/ports/DeliveryQueue.ts"
import { type RotationRow, rotationColumns, rotationOf } from "../resources/Rotation.ts"
import { rows } from "../statements/Rows.ts"
import { inTransaction } from "../statements/Transaction.ts"
import { type DueQueue, dueQueueOf, dueQueues } from "./DeliveryRules.ts"
import { beginning, claimableIn, shopsInTurn, withEndpoints } from "./DueQueue.ts"
import type { OldestDue } from "./OldestDue.ts"
import { anyBecameDue, requeueDue, requeuedAtOnce, requeueMisplaced } from "./Requeue.ts"

/** Maximum rounds of a claim, because what it has taken so far must not wait for long. */
const maximumRounds = 9

/** The shop at which the last claim of each queue ended. */
type Turns = Readonly<Record<DueQueue, string>>

/** A row found by a claim: a taken delivery, or a misplaced one, whose endpoint belongs to the other queue. */
type Found = { readonly queue: DueQueue } & (
  | ({ readonly taken: true } & Omit<Claim, "token" | "rotation"> & RotationRow)
  | { readonly taken: false; readonly shop: string; readonly endpointId: string }
)

type Row = {
  /**
   * Whether deliveries of the queue `scheduled` are due. They are moved before anything is taken, because they may be
   * longest due.
   */
  readonly becameDue: boolean
  /** Whether a queue of endpoints that are not proven has deliveries. */
  readonly unproven: boolean
} & (Found | { readonly queue: null })

/**
 * Makes the claims of a process (`DeliveryQueue.claim`), which remember where the last one ended.
 *
 * A claim walks from shop to shop over each due queue. It reads only what it takes, and what is under way.
 */
export const makeClaim = (sql: SqlClient.SqlClient, oldestDue: OldestDue) => {
  let turns: Turns = { newcomers: beginning, probation: beginning, due: beginning }
  return Effect.fnUntraced(function* (
    request: ClaimRequest,
  ): Effect.fn.Return<ReadonlyArray<Claim>, SqlError.SqlError> {
    const claims: Array<Claim> = []
    const joined = yield* inTransaction(sql)
    // Most claims find nothing to move, and are one statement.
    let moves = false
    for (let round = 0; round < maximumRounds; round++) {
      const moved = moves ? yield* requeueDue(sql, request.now) : { count: 0, oldest: null }
      if (moved.oldest !== null) oldestDue.add(moved.oldest)
      const scanFrom = yield* oldestDue.scanFrom
      const answer: ReadonlyArray<Row> = yield* claimInTurn(sql, without(request, claims), turns, {
        scanFrom,
        joined,
        unlessBecameDue: !moves,
      })
      const becameDue = answer.some((row) => row.becameDue)
      const found = answer.filter((row) => row.queue !== null)
      for (const one of found) {
        if (one.taken) claims.push(claimOf(one, request.token))
        turns = { ...turns, [one.queue]: one.shop }
      }
      // An endpoint that has just become proven is seldom found in its queue before: there are many before it.
      const misplaced = found.filter(({ queue, taken }) => !taken || (queue === "due" && answer[0]?.unproven))
      if (misplaced.length > 0) yield* requeueMisplaced(sql, misplaced)
      // There may be more, which this round has moved or made room for.
      const mayBeMore =
        becameDue || moved.count === requeuedAtOnce || found.some(({ queue, taken }) => !taken || queue !== "due")
      if (claims.length === request.limit || !mayBeMore) break
      moves ||= becameDue
    }
    return claims
  })
}

const claimOf = (found: Extract<Row, { readonly taken: true }>, token: string): Claim => {
  const { newSecret, queue: _, rotatesAt, taken: __, unproven: ___, becameDue: ____, ...row } = found
  return { ...row, token, rotation: rotationOf({ newSecret, rotatesAt }) }
}

/** The remaining request: taken deliveries count as busy. */
const without = (request: ClaimRequest, claims: ReadonlyArray<Claim>): ClaimRequest => ({
  ...request,
  limit: request.limit - claims.length,
  probation: {
    ...request.probation,
    limit: request.probation.limit - claims.filter(({ proven }) => !proven).length,
    troubled: request.probation.troubled - claims.filter(({ troubled }) => troubled).length,
  },
  busy: [...request.busy, ...claims.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))],
})

/** Claims from the shops after each queue's turn, then from the others. Returns rows in that order. */
const claimInTurn = (
  sql: SqlClient.SqlClient,
  request: ClaimRequest,
  turns: Turns,
  {
    joined,
    scanFrom,
    unlessBecameDue,
  }: {
    readonly scanFrom: Instant | null
    readonly joined: boolean
    /** Takes nothing if something must be moved first. */
    readonly unlessBecameDue: boolean
  },
) => {
  const { leaseUntil, limit, perEndpoint, perShop, token, probation } = request
  const unproven = Math.min(limit, probation.limit)
  const taken = (queue: DueQueue, which: Statement.Fragment) =>
    sql`(SELECT count(*) FROM from_${sql.literal(queue)} t WHERE t.belongs${which})`
  const ofShop = sql` AND t.shop = w.shop`
  const walks = dueQueues.map((queue) => shopsInTurn(sql, `${queue}_shops`, queue, { behind: turns[queue], scanFrom }))
  const becameDue = unlessBecameDue ? anyBecameDue(sql, request.now) : sql`false`
  // A claim need not wait for the disk: what a crash of the server forgets is claimed again. Somebody else's
  // transaction may hold what must not be forgotten.
  const commit = sql.literal(joined ? "SELECT 1" : "SELECT set_config('synchronous_commit', 'off', true)")
  return sql<Row>`WITH commit AS MATERIALIZED (
  ${commit}
), moving AS MATERIALIZED (
  SELECT ${becameDue} AS became_due
), busy AS (
  SELECT * FROM ${busyRows(sql, request.busy)}
), ${sql.csv(walks)}, from_newcomers AS (
  ${open(sql, request, scanFrom, "newcomers", {
    limit: sql`${unproven}::int4`,
    perEndpoint: probation.perEndpoint,
    ofShop: probation.perEndpoint,
    perShop: sql`${perShop}::int4`,
  })}
), from_probation AS (
  ${open(sql, request, scanFrom, "probation", {
    limit: sql`least(${probation.troubled}::int4, ${unproven}::int4 - ${taken("newcomers", sql``)})`,
    perEndpoint: probation.perEndpoint,
    ofShop: probation.perEndpoint,
    perShop: sql`${perShop}::int4 - ${taken("newcomers", ofShop)}`,
  })}
), from_due AS (
  ${open(sql, request, scanFrom, "due", {
    limit: sql`${limit}::int4 - ${taken("newcomers", sql``)} - ${taken("probation", sql``)}`,
    perEndpoint,
    ofShop: limit,
    perShop: sql`${perShop}::int4 - ${taken("newcomers", ofShop)} - ${taken("probation", ofShop)}`,
  })}
), found AS (
  SELECT 0 AS kind, 'newcomers' AS queue, * FROM from_newcomers
  UNION ALL SELECT 1 AS kind, 'probation' AS queue, * FROM from_probation
  UNION ALL SELECT 2 AS kind, 'due' AS queue, * FROM from_due
), claimed AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET queue = f.queue, leased_until = ${format(leaseUntil)}::timestamptz, claim_token = ${token}
  FROM found f WHERE f.belongs AND d.shop = f.shop AND d.id = f.id
)
SELECT m.became_due AS "becameDue", EXISTS (SELECT 1 FROM probation_shops) OR EXISTS (SELECT 1 FROM newcomers_shops) AS unproven,
  f.queue, f.belongs AS taken, f.shop, f.id AS "deliveryId", f.endpoint_id AS "endpointId",
  f.event_id AS "eventId", f.event, f.test, f.attempts + 1 AS attempt, e.proven, e.troubled, ev.body, e.url, e.standard_webhooks AS "standardWebhooks", e.secret,
  ${sql.literal(rotationColumns("e"))}
FROM commit CROSS JOIN moving m LEFT JOIN found f ON true
LEFT JOIN designwire.events ev ON ev.shop = f.shop AND ev.id = f.event_id AND f.belongs
LEFT JOIN designwire.endpoints e ON e.shop = f.shop AND e.id = f.endpoint_id AND f.belongs
ORDER BY f.kind, f.step, f.place, f.next_attempt_at, f.id`
}

/**
 * Claimable deliveries of the shops, from either queue, of endpoints that belong to a queue. Of misplaced ones only one
 * delivery, to signal that some must be moved.
 */
const open = (
  sql: SqlClient.SqlClient,
  { now }: ClaimRequest,
  scanFrom: Instant | null,
  queue: DueQueue,
  limits: {
    readonly limit: Statement.Fragment
    readonly perEndpoint: number
    /**
     * Of one shop. Of endpoints that are not proven as many as of one of them: many shops with one each are better than
     * a few with one for each of their endpoints. The next round finds those.
     */
    readonly ofShop: number
    /** Limit of one shop `w`, busy deliveries included. */
    readonly perShop: Statement.Fragment
  },
) => {
  const perEndpoint = sql`${limits.perEndpoint}::int4`
  const room = (from: DueQueue) =>
    sql`CASE WHEN b.belongs THEN greatest(0, ${perEndpoint} - b.attempts) ELSE ${sql.literal(from === queue ? "1" : "0")} END`
  const either = dueQueues.map(
    (from) =>
      sql`SELECT * FROM (${claimableIn(sql, from, now, scanFrom, room(from))} FOR UPDATE SKIP LOCKED) ${sql.literal(`in_${from}`)}`,
  )
  return sql`SELECT o.* FROM (
    SELECT * FROM ${sql.literal(`${queue}_shops`)} w WHERE NOT (SELECT became_due FROM moving)
  ) w CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT w.shop, w.step, e.id AS endpoint_id, d.*, b.belongs,
        b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place
      FROM (SELECT 1) one ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (
        SELECT ${sql.literal(`${dueQueueOf} = '${queue}'`)} AS belongs, coalesce(sum(b.attempts), 0)::int4 AS attempts
        FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
      ) b CROSS JOIN LATERAL (${sql.join(" UNION ALL ", false)(either)}) d
    ) o
    WHERE NOT o.belongs OR o.place <= ${perEndpoint} ORDER BY o.place, o.next_attempt_at, o.id
    LIMIT least(${limits.ofShop}::int4, greatest(0, ${limits.perShop} - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT ${limits.limit}`
}

const busyRows = (sql: SqlClient.SqlClient, busy: ReadonlyArray<Busy>) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )
