import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { tableWaits } from "./TableWaits.ts"

/**
 * Locks a table until somebody else begins to read it, then runs an effect in the same transaction and commits: the
 * reader sees what the effect has changed.
 */
export const whenRead = <A, E, R>(sql: SqlClient.SqlClient, table: string, effect: Effect.Effect<A, E, R>) => {
  const isRead = sql.unsafe(tableWaits(table))
  return sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      yield* Effect.repeat(isRead, { until: (sessions) => sessions.length > 0 })
      return yield* effect
    }),
  )
}
