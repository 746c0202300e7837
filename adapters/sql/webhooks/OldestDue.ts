/**
 * The instant from which the queue `due` is read.
 *
 * While any transaction stays open, the database vacuums nothing that changed since: every settled delivery leaves an
 * entry in its index, and every claim would walk past all of them. If there are very many, a periodic look finds the
 * due time of the longest-due delivery, and claims start there. Deliveries added with an earlier due time, by a host
 * with a slow clock or a long transaction, are found by the next look. While nothing is due, looks are rare.
 */
import { Clock, Effect, FiberHandle } from "effect"
import type { SqlClient } from "effect/sql"
import type { Instant } from "../../../core/model/Instant.ts"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { mapped } from "../statements/Errors.ts"
import { milliseconds } from "../statements/Rows.ts"
import { onOwnConnection } from "../statements/Transaction.ts"
import { dueSince } from "./DueQueue.ts"

/** Below this number, rows that are not vacuumed cost a claim little. */
const manyDead = 20_000

/** Milliseconds to stay behind the clock: the tolerance for clocks of hosts and short transactions. */
const margin = 1_000

/** Milliseconds between looks. The first look reads everything, later ones continue after the previous one. */
const [lookEvery, followEvery] = [5_000, 500]

/** Milliseconds longer until the next look while nothing is due: there may be a thousand queues. */
const rest = 60_000

/** Maximum share of time for looks that read everything. */
const share = 1 / 20

/** Tracks a process's knowledge of the oldest due delivery. */
export const makeOldestDue = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const looking = yield* FiberHandle.make()
  // Claims must not wait behind a look that takes long.
  const alone = yield* onOwnConnection(sql)
  let oldest: Instant | null = null
  let nextLook = Number.NEGATIVE_INFINITY
  let nextWhole = Number.NEGATIVE_INFINITY
  /** Whether something was due since the last look. */
  let isUsed = false

  const look = Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    isUsed = false
    const from = begin >= nextWhole ? null : oldest
    const [row] = yield* alone(sql<{ isMany: boolean; due: number | null }>`WITH dead AS MATERIALIZED (
  SELECT sum(pg_stat_get_dead_tuples(t.id)) >= ${manyDead}::int4 AS is_many FROM (
    SELECT 'designwire.deliveries'::regclass::oid AS id
    UNION ALL SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = 'designwire.deliveries'::regclass
  ) t
)
SELECT is_many AS "isMany", CASE WHEN is_many THEN (
  SELECT ${milliseconds("min(d.next_attempt_at)")} FROM designwire.deliveries d
  WHERE d.queue = 'due'${dueSince(sql, from)}
) END AS due FROM dead`)
    const end = yield* Clock.currentTimeMillis
    oldest = row?.isMany === true ? Math.min(row.due ?? begin, begin - margin) : null
    if (from === null) nextWhole = Math.max(begin + lookEvery, end + (end - begin) / share)
    nextLook = oldest === null ? nextWhole : end + followEvery
  }).pipe(
    mapped("Looking for the oldest delivery that is due"),
    Effect.catch((error) =>
      Effect.logWarning("Claims read all that is due; trying again later", error).pipe(
        logged("deliveries.look_failed"),
      ),
    ),
  )

  return {
    /** The instant from which to read now; `null` reads everything. */
    scanFrom: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now >= (isUsed || oldest !== null ? nextLook : nextLook + rest)) {
        nextLook = now + lookEvery
        yield* FiberHandle.run(looking, look, { onlyIfMissing: true })
      }
      return oldest
    }),
    /** Records that something is due. */
    note: (): void => {
      isUsed = true
    },
    /** Records a delivery that was moved to the queue. */
    add: (due: Instant): void => {
      if (oldest !== null) oldest = Math.min(oldest, due)
    },
  }
})

export type OldestDue = Effect.Success<ReturnType<typeof makeOldestDue>>
