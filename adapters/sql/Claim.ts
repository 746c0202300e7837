import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import type { Busy, Claim, ClaimRequest } from "../../core/ports/DeliveryQueue.ts"
import { type DueQueue, dueQueues } from "./DeliveryRules.ts"
import { beginning, openIn, shopsInTurn, withEndpoints } from "./DueQueue.ts"
import { haveBecomeDue, moveDue, movedAtOnce, moveStrays } from "./Move.ts"
import type { OldestDue } from "./OldestDue.ts"
import { type RotationRow, rotationColumns, rotationOf } from "./Rotation.ts"
import { rows } from "./Rows.ts"
import { inTransaction } from "./Transaction.ts"

/** So often a claim reads the queues, at most: what it has taken so far must not wait for long. */
const maximumRounds = 9

/** The shop at which the last claim from each queue ended. */
type Turns = Readonly<Record<DueQueue, string>>

/** What a claim found: a delivery that it has taken, or one of an endpoint whose deliveries belong in the other queue. */
type Found = { readonly queue: DueQueue } & (
  | ({ readonly taken: true } & Omit<Claim, "token" | "rotation"> & RotationRow)
  | { readonly taken: false; readonly shop: string; readonly endpointId: string }
)

type Row = {
  /** Whether deliveries have become due in the queue `waiting`. They are moved before anything is taken: they may have been due longest. */
  readonly waits: boolean
  /** Whether there is anything in the queue `unproven`. */
  readonly unproven: boolean
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
      const answer: ReadonlyArray<Row> = yield* claimInTurn(sql, without(request, claims), turns, {
        since,
        joined,
        unlessWaiting: !moves,
      })
      const waits = answer.some((row) => row.waits)
      const found = answer.filter((row) => row.queue !== null)
      for (const one of found) {
        if (one.taken) claims.push(claimOf(one, request.token))
        turns = { ...turns, [one.queue]: one.shop }
      }
      // An endpoint that has just become proven is seldom found in the queue `unproven`: there are many before it.
      const strays = found.filter(({ queue, taken }) => !taken || (queue === "due" && answer[0]?.unproven))
      if (strays.length > 0) yield* moveStrays(sql, strays)
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
  const { newSecret, queue: _, rotatesAt, taken: __, unproven: ___, waits: ____, ...row } = found
  return { ...row, token, rotation: rotationOf({ newSecret, rotatesAt }) }
}

/** What is left to ask for: what was taken counts as busy. */
const without = (request: ClaimRequest, claims: ReadonlyArray<Claim>): ClaimRequest => ({
  ...request,
  limit: request.limit - claims.length,
  unproven: { ...request.unproven, limit: request.unproven.limit - claims.filter(({ proven }) => !proven).length },
  busy: [...request.busy, ...claims.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))],
})

/** Claims from the shops behind the turn of each queue, and then from the others. Answers in that order. */
const claimInTurn = (
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
  const walks = dueQueues.map((queue) => shopsInTurn(sql, `${queue}_shops`, queue, { behind: turns[queue], since }))
  const waits = unlessWaiting ? haveBecomeDue(sql, request.now) : sql`false`
  // A claim need not wait for the disk: what a crash of the server forgets is claimed again. Somebody else's transaction may hold what must not be forgotten.
  const commit = sql.literal(joined ? "SELECT 1" : "SELECT set_config('synchronous_commit', 'off', true)")
  return sql<Row>`WITH commit AS MATERIALIZED (
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
), claimed AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET queue = f.queue, leased_until = ${format(leaseUntil)}::timestamptz, claim_token = ${token}
  FROM found f WHERE f.belongs AND d.shop = f.shop AND d.id = f.id
)
SELECT m.waits, EXISTS (SELECT 1 FROM unproven_shops) AS unproven, f.queue, f.belongs AS taken, f.shop, f.id AS "deliveryId", f.endpoint_id AS "endpointId",
  f.event_id AS "eventId", f.event, f.test, f.attempts + 1 AS attempt, e.proven, ev.body, e.url, e.standard_webhooks AS "standardWebhooks", e.secret,
  ${sql.literal(rotationColumns("e"))}
FROM commit CROSS JOIN moving m LEFT JOIN found f ON true
LEFT JOIN designwire.events ev ON ev.shop = f.shop AND ev.id = f.event_id AND f.belongs
LEFT JOIN designwire.endpoints e ON e.shop = f.shop AND e.id = f.endpoint_id AND f.belongs
ORDER BY f.queue DESC, f.step, f.place, f.next_attempt_at, f.id`
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
    SELECT * FROM ${sql.literal(`${queue}_shops`)} w WHERE NOT (SELECT waits FROM moving)
  ) w CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT w.shop, w.step, e.id AS endpoint_id, d.*, b.belongs,
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

const busyRows = (sql: SqlClient.SqlClient, busy: ReadonlyArray<Busy>) =>
  rows(
    sql,
    "r",
    { shop: "text", endpoint_id: "text", attempts: "int4" },
    busy.map(({ attempts, endpointId, shop }) => ({ shop, endpoint_id: endpointId, attempts })),
  )
