import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import type { Busy, Claim, ClaimRequest } from "../../core/ports/DeliveryQueue.ts"
import { type DueQueue, dueQueueOf, dueQueues, firstToMove } from "./DeliveryRules.ts"
import { beginning, openIn, shopsWithDue, withEndpoints } from "./DueQueue.ts"
import type { OldestDue } from "./OldestDue.ts"
import { type RotationRow, rotationColumns, rotationOf } from "./Rotation.ts"
import { milliseconds, rows } from "./Rows.ts"
import { inTransaction } from "./Transaction.ts"

/** So many deliveries that have become due are moved to a queue of what is due by one statement: some milliseconds of work, done once for each. */
const movedAtOnce = 256

/** So often a claim reads the queues, at most: what it has taken so far must not wait for long. */
const maximumRounds = 9

/** The shop at which the last claim from each queue ended. */
type Turns = Readonly<Record<DueQueue, string>>

/** What a claim found: a delivery that it has taken, or one of an endpoint some of whose deliveries it has moved to the right queue. */
type Found = { readonly queue: DueQueue } & (
  | ({ readonly taken: true } & Omit<Claim, "token" | "rotation"> & RotationRow)
  | { readonly taken: false; readonly shop: string }
)

type Row = {
  /** Whether deliveries have become due in the queue `waiting`. They are moved before anything is taken: they may have been due longest. */
  readonly waits: boolean
} & (Found | { readonly queue: null })

/**
 * Makes the claims of a process (`DeliveryQueue.claim`), which remember where the last one ended.
 *
 * A claim walks from shop to shop over each queue of what is due, and so reads what it takes, and what is under way, and nothing else.
 */
export const makeClaim = (sql: SqlClient.SqlClient, oldestDue: OldestDue) => {
  let turns: Turns = { due: beginning, unproven: beginning }
  return Effect.fnUntraced(function* (
    request: ClaimRequest,
  ): Effect.fn.Return<ReadonlyArray<Claim>, SqlError.SqlError> {
    const claims: Array<Claim> = []
    const joined = yield* inTransaction(sql)
    // Most claims find nothing to move, and are one statement.
    let moves = false
    for (let round = 0; round < maximumRounds; round++) {
      const moved = moves ? yield* moveDue(sql, request.now) : { count: 0, oldest: null }
      if (moved.oldest !== null) oldestDue.add(moved.oldest)
      const since = yield* oldestDue.since
      const rows: ReadonlyArray<Row> = yield* claimBehind(sql, without(request, claims), turns, {
        since,
        joined,
        unlessWaiting: !moves,
      })
      const waits = rows.some((row) => row.waits)
      const found = rows.filter((row) => row.queue !== null)
      for (const one of found) {
        if (one.taken) claims.push(claimOf(one, request.token))
        turns = { ...turns, [one.queue]: one.shop }
      }
      // There may be more, which this round has moved or made room for.
      const mayBeMore =
        waits || moved.count === movedAtOnce || found.some(({ queue, taken }) => !taken || queue === "unproven")
      if (claims.length === request.limit || !mayBeMore) break
      moves ||= waits
    }
    return claims
  })
}

const claimOf = (found: Extract<Row, { readonly taken: true }>, token: string): Claim => {
  const { newSecret, queue: _, rotatesAt, taken: __, waits: ___, ...row } = found
  return { ...row, token, rotation: rotationOf({ newSecret, rotatesAt }) }
}

/** What is left to ask for: what was taken counts as busy. */
const without = (request: ClaimRequest, claims: ReadonlyArray<Claim>): ClaimRequest => ({
  ...request,
  limit: request.limit - claims.length,
  unproven: { ...request.unproven, limit: request.unproven.limit - claims.filter(({ proven }) => !proven).length },
  busy: [...request.busy, ...claims.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))],
})

/** The deliveries in the queue `waiting` that have become due. */
const becomeDue = (sql: SqlClient.SqlClient, now: Instant) =>
  sql`SELECT w.shop, w.id, w.next_attempt_at FROM designwire.deliveries w WHERE w.queue = 'waiting' AND w.next_attempt_at <= ${format(now)}::timestamptz`

/** Moves deliveries that have become due out of the queue `waiting`, the longest due first. Answers how many, and when the first of them was due. */
const moveDue = (sql: SqlClient.SqlClient, now: Instant) =>
  // Materialized: a plan may run a plain subquery several times, and each run would pass over what was moved already and lock further rows.
  sql<{ count: number; oldest: number | null }>`WITH due AS MATERIALIZED (
  ${becomeDue(sql, now)} ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(movedAtOnce))} FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE designwire.deliveries d SET queue = ${sql.literal(dueQueueOf)} FROM due w, designwire.endpoints e
  WHERE d.shop = w.shop AND d.id = w.id AND e.shop = d.shop AND e.id = d.endpoint_id RETURNING d.next_attempt_at
)
SELECT count(*)::int4 AS count, ${sql.literal(milliseconds("min(next_attempt_at)"))} AS oldest FROM moved`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldest: null }),
  )

/** Claims from the shops behind the turn of each queue, and then from the others. Answers in that order. */
const claimBehind = (
  sql: SqlClient.SqlClient,
  request: ClaimRequest,
  turns: Turns,
  {
    joined,
    since,
    unlessWaiting,
  }: {
    readonly since: Instant | null
    readonly joined: boolean
    /** Takes nothing where something is to be moved first. */
    readonly unlessWaiting: boolean
  },
) => {
  const { leaseUntil, limit, perEndpoint, perShop, token, unproven } = request
  const walks = dueQueues.flatMap((queue) => [
    shopsWithDue(sql, `${queue}_behind`, queue, { after: turns[queue], since }),
    shopsWithDue(sql, `${queue}_before`, queue, { after: beginning, until: turns[queue], since }),
  ])
  const waits = unlessWaiting ? sql`EXISTS (${becomeDue(sql, request.now)})` : sql`false`
  // A claim need not wait for the disk: what a crash of the server forgets is claimed again. Somebody else's transaction may hold what must not be forgotten.
  const commit = sql.literal(joined ? "SELECT 1" : "SELECT set_config('synchronous_commit', 'off', true)")
  return sql<Row>`WITH RECURSIVE commit AS MATERIALIZED (
  ${commit}
), moving AS MATERIALIZED (
  SELECT ${waits} AS waits
), busy AS (
  SELECT * FROM ${busyRows(sql, request.busy)}
), ${sql.csv(walks)}, from_unproven AS (
  ${open(sql, request, since, "unproven", {
    limit: sql`${Math.min(limit, unproven.limit)}::int4`,
    perEndpoint: unproven.perEndpoint,
    // Many shops with one each are better than a few with one for each of their endpoints. The next round finds those.
    ofShop: unproven.perEndpoint,
    perShop: sql`${perShop}::int4`,
  })}
), from_due AS (
  ${open(sql, request, since, "due", {
    limit: sql`${limit}::int4 - (SELECT count(*) FROM from_unproven WHERE belongs)`,
    perEndpoint,
    ofShop: limit,
    perShop: sql`${perShop}::int4 - (SELECT count(*) FROM from_unproven t WHERE t.belongs AND t.shop = w.shop)`,
  })}
), found AS (
  SELECT 'unproven' AS queue, * FROM from_unproven UNION ALL SELECT 'due' AS queue, * FROM from_due
), ${moveTo(sql, "unproven")}, ${moveTo(sql, "due")}, claimed AS (
  UPDATE designwire.deliveries d SET queue = f.queue, leased_until = ${format(leaseUntil)}::timestamptz, claim_token = ${token}
  FROM found f WHERE f.belongs AND d.shop = f.shop AND d.id = f.id
  RETURNING f.queue, f.place, d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at
)
SELECT m.waits, f.queue, c.id IS NOT NULL AS taken, f.shop, c.id AS "deliveryId", c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.event, c.test,
  c.attempts + 1 AS attempt, e.proven, ev.body, e.url, e.standard_webhooks AS "standardWebhooks", e.secret, ${sql.literal(rotationColumns("e"))}
FROM commit CROSS JOIN moving m LEFT JOIN found f ON true LEFT JOIN (
  claimed c JOIN designwire.events ev ON ev.shop = c.shop AND ev.id = c.event_id
  JOIN designwire.endpoints e ON e.shop = c.shop AND e.id = c.endpoint_id
) ON c.shop = f.shop AND c.id = f.id AND f.belongs
ORDER BY f.queue DESC, f.shop > CASE f.queue WHEN 'due' THEN ${turns.due} ELSE ${turns.unproven} END DESC, f.shop, f.place, f.next_attempt_at, f.id`
}

/**
 * What can be claimed of the shops in a queue, whichever queue it stands in: that of endpoints which belong there. Of others just one delivery, to tell that
 * some have to be moved.
 */
const open = (
  sql: SqlClient.SqlClient,
  { now }: ClaimRequest,
  since: Instant | null,
  queue: DueQueue,
  limits: {
    readonly limit: Statement.Fragment
    readonly perEndpoint: number
    /** Of one shop. */
    readonly ofShop: number
    /** Of one shop `w`, what is busy included. */
    readonly perShop: Statement.Fragment
  },
) => {
  const perEndpoint = sql`${limits.perEndpoint}::int4`
  const room = (from: DueQueue) =>
    sql`CASE WHEN b.belongs THEN greatest(0, ${perEndpoint} - b.attempts) ELSE ${sql.literal(from === queue ? "1" : "0")} END`
  const either = dueQueues.map(
    (from) =>
      sql`SELECT * FROM (${openIn(sql, from, now, since, room(from))} FOR UPDATE SKIP LOCKED) ${sql.literal(`in_${from}`)}`,
  )
  return sql`SELECT o.* FROM (
    SELECT * FROM (
      SELECT * FROM ${sql.literal(`${queue}_behind`)} UNION ALL SELECT * FROM ${sql.literal(`${queue}_before`)}
    ) w WHERE NOT (SELECT waits FROM moving)
  ) w CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT w.shop, e.id AS endpoint_id, d.id, d.next_attempt_at, b.belongs,
        b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place
      FROM (SELECT 1) one ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (
        SELECT e.proven = ${sql.literal(String(queue === "due"))} AS belongs, coalesce(sum(b.attempts), 0)::int4 AS attempts
        FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
      ) b CROSS JOIN LATERAL (${sql.join(" UNION ALL ", false)(either)}) d
    ) o
    WHERE NOT o.belongs OR o.place <= ${perEndpoint} ORDER BY o.place, o.next_attempt_at, o.id
    LIMIT least(${limits.ofShop}::int4, greatest(0, ${limits.perShop} - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT ${limits.limit}`
}

/**
 * Tables of a `WITH`, the second of which moves deliveries to a queue, the longest due first, of the endpoints that belong there and have some in the other.
 * They are looked up in a table of their own, before: a plan made while there were hardly any deliveries would look them up anew for each delivery.
 */
const moveTo = (sql: SqlClient.SqlClient, queue: DueQueue) => {
  const other = queue === "due" ? "unproven" : "due"
  // An endpoint that has just become proven is seldom found in the other queue: there are many before it.
  const claimed = queue === "due" ? sql` UNION SELECT shop, endpoint_id FROM from_due WHERE belongs` : sql``
  return sql`${sql.literal(`move_to_${queue}`)} AS MATERIALIZED (
  SELECT f.shop, m.id FROM (
    SELECT shop, endpoint_id FROM ${sql.literal(`from_${other}`)} WHERE NOT belongs${claimed}
  ) f CROSS JOIN LATERAL (${firstToMove(sql, other, { shop: sql`f.shop`, id: sql`f.endpoint_id` })}) m
  WHERE NOT EXISTS (SELECT 1 FROM found t WHERE t.belongs AND t.shop = f.shop AND t.id = m.id)
), ${sql.literal(`to_${queue}`)} AS (
  UPDATE designwire.deliveries d SET queue = ${sql.literal(`'${queue}'`)} FROM ${sql.literal(`move_to_${queue}`)} m WHERE d.shop = m.shop AND d.id = m.id
)`
}

const busyRows = (sql: SqlClient.SqlClient, busy: ReadonlyArray<Busy>) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )
