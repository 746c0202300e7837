import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Locks a table until somebody else begins to read it, then runs an effect in the same transaction and commits: the
 * reader sees what the effect has changed.
 */
export const whenRead = <A, E, R>(sql: SqlClient.SqlClient, table: string, effect: Effect.Effect<A, E, R>) => {
  const isRead = sql<{ count: number }>`SELECT count(*)::int4 AS count FROM pg_catalog.pg_locks
WHERE NOT granted AND relation = ${table}::regclass`
  return sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      yield* Effect.repeat(isRead, { until: ([row]) => (row?.count ?? 0) > 0 })
      return yield* effect
    }),
  )
}
