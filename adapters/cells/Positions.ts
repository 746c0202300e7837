/**
 * Positions of the feed at the target, which must be above all that the source has ever given: a reader's cursor then
 * stays good, and new events come after it.
 *
 * The locks of open transactions name positions by their lowest 31 bits, and a lock more than half of that behind
 * counts as one ahead (`sql/events/Feed.ts`). So the numbers go up in steps, and each waits for transactions from
 * before it.
 */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import type { Move } from "./Move.ts"

/** A quarter of the positions that locks distinguish. */
const longestStep = 2 ** 28

/** Raises the positions of the target to the source's. */
export const raisePositions = Effect.fnUntraced(function* ({
  source,
  target,
}: Move): Effect.fn.Return<void, SqlError.SqlError> {
  const [given] = yield* source.sql<{ last: string }>`SELECT last_value::text AS last FROM designwire.feed_positions`
  const wanted = given?.last ?? "1"
  const raise = Effect.gen(function* () {
    const [row] = yield* target.sql<{ isThere: boolean; isFar: boolean }>`SELECT
  setval('designwire.feed_positions', least(${wanted}::text::int8, last_value + ${longestStep}::int8)) >= ${wanted}::text::int8 AS "isThere",
  ${wanted}::text::int8 - last_value > ${longestStep}::int8 AS "isFar"
FROM designwire.feed_positions WHERE last_value < ${wanted}::text::int8`
    if (row === undefined || row.isThere) return true
    if (row.isFar) yield* earlierWriters(target.sql)
    return false
  })
  yield* Effect.repeat(raise, { until: (isThere) => isThere })
})

/** Waits until the transactions that hold positions at this moment have ended. */
const earlierWriters = Effect.fnUntraced(function* (
  sql: Move["target"]["sql"],
): Effect.fn.Return<void, SqlError.SqlError> {
  const writers = Effect.map(
    sql<{ id: string }>`SELECT DISTINCT l.virtualtransaction AS id FROM pg_catalog.pg_locks l
JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
WHERE l.locktype = 'advisory' AND l.objsubid = 2`,
    (rows) => rows.map(({ id }) => id),
  )
  const early = new Set(yield* writers)
  yield* Effect.repeat(writers, {
    until: (open) => open.every((id) => !early.has(id)),
    schedule: Schedule.spaced("20 millis"),
  })
})
