/** Steps of a walk over the shops with due deliveries (`DeliveryQueue.walk`). */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Walked, WalkStep } from "../../../core/ports/DeliveryQueue.ts"
import { milliseconds } from "../statements/Rows.ts"
import { inLane } from "../statements/Transaction.ts"
import { beginning, dueShops } from "./DueQueue.ts"
import { lineUp } from "./Lines.ts"
import type { OldestDue } from "./OldestDue.ts"

/** Retries that one step moves to the queue `due`: some milliseconds of work, once for each. */
const movedAtOnce = 256

/** Milliseconds until the next step at most: other processes change the database, and a signal may be lost. */
const longestWait = 1_000

/**
 * Takes a step: reads the next shops of the queue `due`. If deliveries have become due or have joined a line, moves
 * them first: a step that finds nothing is one statement.
 */
export const makeWalk = (sql: SqlClient.SqlClient, oldestDue: OldestDue) => {
  const dispatching = inLane(sql, "dispatch")
  return Effect.fnUntraced(function* (step: WalkStep): Effect.fn.Return<Walked, SqlError.SqlError> {
    const read = Effect.flatMap(oldestDue.scanFrom, (scanFrom) => dispatching(readShops(sql, step, scanFrom)))
    const before = yield* read
    const isDue = before.next !== null && before.next <= step.now
    const linedUp = before.joins ? yield* dispatching(lineUp(sql, null)) : []
    const moved = isDue ? yield* dispatching(moveDue(sql, step.now)) : []
    for (const { due } of moved) oldestDue.add(due)
    const { found, next } = isDue || before.joins ? yield* read : before
    const shops = [...new Set([...linedUp, ...moved.map(({ shop }) => shop), ...found])]
    if (shops.length > 0) oldestDue.note()
    return {
      shops,
      after: found.length < step.limit ? null : (found.at(-1) ?? null),
      nextDue: Math.min(next ?? Number.POSITIVE_INFINITY, step.now + longestWait),
    }
  })
}

/**
 * The next shops of the queue `due`, the due time of the first delivery in the queue `scheduled`, and whether one is
 * joining a line.
 */
const readShops = (sql: SqlClient.SqlClient, { after, limit }: WalkStep, scanFrom: Instant | null) =>
  Effect.map(
    sql<{ shop: string | null; next: number | null; joins: boolean }>`WITH RECURSIVE ${dueShops(sql, {
      ...{ after: after ?? beginning, limit, scanFrom },
    })}
SELECT w.shop, n.next, n.joins FROM (
  SELECT (
    SELECT ${milliseconds("d.next_attempt_at")} FROM designwire.deliveries d
    WHERE d.queue = 'scheduled' ORDER BY d.next_attempt_at LIMIT 1
  ) AS next, EXISTS (SELECT FROM designwire.deliveries d WHERE d.queue = 'joining') AS joins
) n LEFT JOIN due_shops w ON w.step > 0 ORDER BY w.step`,
    (rows) => ({
      found: rows.flatMap(({ shop }) => shop ?? []),
      next: rows[0]?.next ?? null,
      joins: rows[0]?.joins === true,
    }),
  )

/** Moves deliveries that have become due from the queue `scheduled`, the longest due first. */
const moveDue = (sql: SqlClient.SqlClient, now: Instant) =>
  // Materialized: a plan may run a plain subquery several times, and each run would pass over what was moved already
  // and lock further rows.
  sql<{ shop: string; due: number }>`WITH due AS MATERIALIZED (
  SELECT w.shop, w.id FROM designwire.deliveries w WHERE w.queue = 'scheduled' AND w.next_attempt_at <= ${format(now)}::timestamptz
  ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(movedAtOnce))} FOR UPDATE SKIP LOCKED
)
UPDATE designwire.deliveries d SET queue = 'due' FROM due w WHERE d.shop = w.shop AND d.id = w.id
RETURNING d.shop, ${milliseconds("d.next_attempt_at")} AS due`
