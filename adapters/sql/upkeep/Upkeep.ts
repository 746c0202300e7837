import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { type QueueStatistics, Upkeep } from "../../../core/ports/Upkeep.ts"
import { heldSince } from "../events/Feed.ts"
import { beginning, claimable, dueShops, withEndpoints } from "../queue/DueQueue.ts"
import { lockIn, SchemaName } from "../schema/Schema.ts"
import { mapped } from "../statements/Errors.ts"
import { milliseconds } from "../statements/Rows.ts"
import { inTransaction, onOwnConnection } from "../statements/Transaction.ts"
import { prune, pruneLock } from "./Prune.ts"
import { purgeRemoved } from "./RemoveShop.ts"

/** `Upkeep` over SQL. */
export const layer: Layer.Layer<Upkeep, never, SqlClient.SqlClient> = Layer.effect(
  Upkeep,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lock = sql.literal(lockIn(yield* SchemaName, pruneLock))
    // Other statements must not queue behind these, which take long if very much is due or not vacuumed.
    const alone = yield* onOwnConnection(sql)
    return {
      prune: (step) => prune(sql, lock, step).pipe(mapped("Clearing the log")),
      purgeRemoved: (step) => purgeRemoved(sql, step).pipe(mapped("Clearing removed shops")),
      statistics: (now) =>
        Effect.flatMap(inTransaction(sql), (within) =>
          within ? statistics(sql, now) : alone(statistics(sql, now)),
        ).pipe(mapped("Counting deliveries")),
    }
  }),
)

const statistics = (sql: SqlClient.SqlClient, now: Instant): Effect.Effect<QueueStatistics, SqlError.SqlError> =>
  Effect.all({
    pending: pending(sql),
    oldestDue: oldestDue(sql, now),
    endpointsSwitchedOff: endpointsSwitchedOff(sql),
    feedHeldSince: Effect.map(heldSince(sql), ([row]) => row?.since ?? null),
  })

/** Deliveries of an index are counted one by one up to this number. */
const countedAtMost = 1_000

/** Approximate entries per page of an index, before any vacuum. */
const perPage = 60

/**
 * Above that number, an estimate from the indexes: by their current size, and by how full a page was at the last VACUUM
 * or ANALYZE.
 */
const pending = (sql: SqlClient.SqlClient) => {
  const counted = (queues: string) =>
    sql.literal(`(
    SELECT count(*) FROM (
      SELECT 1 FROM designwire.deliveries WHERE queue IN (${queues}) ORDER BY shop, endpoint_id LIMIT ${countedAtMost}
    ) d
  )`)
  return sql<{ pending: number }>`WITH counted AS MATERIALIZED (
  SELECT ${counted("'due'")} AS due, ${counted("'scheduled', 'suspended'")} AS not_due
), about AS (
  SELECT sum(
    CASE WHEN c.reltuples > 0 AND c.relpages > 0 THEN c.reltuples / c.relpages ELSE ${sql.literal(String(perPage))} END
    * pg_relation_size(c.oid) / current_setting('block_size')::int4
  ) AS pending
  FROM pg_catalog.pg_class i LEFT JOIN pg_catalog.pg_inherits p ON p.inhparent = i.oid
  JOIN pg_catalog.pg_class c ON c.oid = coalesce(p.inhrelid, i.oid) WHERE i.oid IN (
    'designwire.deliveries_due'::regclass, 'designwire.deliveries_not_due'::regclass
  )
)
SELECT (CASE
  WHEN greatest(due, not_due) < ${sql.literal(String(countedAtMost))} THEN due + not_due
  ELSE greatest(due + not_due, (SELECT pending FROM about))
END)::int4 AS pending FROM counted`.pipe(Effect.map(([row]) => row?.pending ?? 0))
}

/** The oldest is looked for among the endpoints of this many shops. */
const shopsAsked = 1_000

/** The oldest delivery that is due, or has become due since the last walk. */
const oldestDue = (sql: SqlClient.SqlClient, now: Instant) =>
  sql<{ due: number | null }>`WITH RECURSIVE ${dueShops(sql, { after: beginning, limit: shopsAsked, scanFrom: null })}
SELECT ${sql.literal(milliseconds("min(next_attempt_at)"))} AS due FROM (
  SELECT d.next_attempt_at FROM due_shops w ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (${claimable(sql, now, null, sql`1`)}) d
  UNION ALL (
    SELECT d.next_attempt_at FROM designwire.deliveries d
    WHERE d.queue = 'scheduled' AND d.next_attempt_at <= ${format(now)}::timestamptz ORDER BY d.next_attempt_at LIMIT 1
  )
) d`.pipe(Effect.map(([row]) => row?.due ?? null))

const endpointsSwitchedOff = (sql: SqlClient.SqlClient) =>
  sql<{ count: number }>`SELECT count(*)::int4 AS count FROM designwire.endpoints WHERE status = 'switched_off'`.pipe(
    Effect.map(([row]) => row?.count ?? 0),
  )
