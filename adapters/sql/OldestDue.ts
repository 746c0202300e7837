/**
 * From which instant on the queues of what is due are read.
 *
 * While somebody's transaction stays open the database clears nothing that was changed since: every delivery that was settled leaves an entry in the index of its
 * queue, and every claim would walk past all of them. Where there are very many, a look now and then tells when the longest waiting delivery was due, and claims
 * begin there. What is added with a time before that, by a host whose clock is behind or a transaction that was open for long, is found by the next look.
 */
import { Clock, Effect, FiberHandle } from "effect"
import type { SqlClient } from "effect/sql"
import type { Instant } from "../../core/model/Instant.ts"
import { dueQueues } from "./DeliveryRules.ts"
import { dueSince } from "./DueQueue.ts"
import { withoutDefects } from "./Errors.ts"
import { milliseconds } from "./Rows.ts"
import { makeAlone } from "./Transaction.ts"

/** Fewer rows than this that are not cleared yet cost a claim little. */
const manyDead = 20_000

/** How far it stays behind the clock, in milliseconds: what clocks of hosts and short transactions may differ by. */
const margin = 1_000

/** Milliseconds between looks, the first of which reads everything, and the others what is behind the one before. */
const [lookEvery, followEvery] = [5_000, 500]

/** Looks that read everything take at most this part of the time. */
const share = 1 / 20

/** Makes what a process knows of the oldest delivery that is due. */
export const makeOldestDue = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const looking = yield* FiberHandle.make()
  // Claims must not wait behind a look that takes long.
  const alone = yield* makeAlone(sql)
  let oldest: Instant | null = null
  let nextLook = Number.NEGATIVE_INFINITY
  let nextWhole = Number.NEGATIVE_INFINITY

  const look = Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    const from = begin >= nextWhole ? null : oldest
    // Each queue has an index of its own.
    const each = sql.join(
      " UNION ALL ",
      false,
    )(
      dueQueues.map(
        (queue) => sql`SELECT d.next_attempt_at FROM designwire.deliveries d
    WHERE d.queue = ${sql.literal(`'${queue}'`)}${dueSince(sql, from)}`,
      ),
    )
    const [row] = yield* alone(sql<{ isMany: boolean; due: number | null }>`WITH dead AS MATERIALIZED (
  SELECT sum(pg_stat_get_dead_tuples(t.id)) >= ${manyDead}::int4 AS is_many FROM (
    SELECT 'designwire.deliveries'::regclass::oid AS id
    UNION ALL SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = 'designwire.deliveries'::regclass
  ) t
)
SELECT is_many AS "isMany", CASE WHEN is_many THEN (
  SELECT ${sql.literal(milliseconds("min(d.next_attempt_at)"))} FROM (${each}) d
) END AS due FROM dead`)
    const end = yield* Clock.currentTimeMillis
    oldest = row?.isMany === true ? Math.min(row.due ?? begin, begin - margin) : null
    if (from === null) nextWhole = Math.max(begin + lookEvery, end + (end - begin) / share)
    nextLook = oldest === null ? nextWhole : end + followEvery
  }).pipe(
    withoutDefects,
    Effect.catch((error) => Effect.logWarning("Could not look for the oldest delivery that is due", error)),
  )

  return {
    /** The instant from which on to read now; `null` where all is read. */
    since: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now >= nextLook) {
        nextLook = now + lookEvery
        yield* FiberHandle.run(looking, look, { onlyIfMissing: true })
      }
      return oldest
    }),
    /** Takes note of a delivery that has come into a queue of what is due. */
    add: (due: Instant): void => {
      if (oldest !== null) oldest = Math.min(oldest, due)
    },
  }
})

export type OldestDue = Effect.Success<ReturnType<typeof makeOldestDue>>
