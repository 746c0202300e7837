import { Clock, Data, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"

/** The clock of this machine is not that of the database's. */
export class ClocksApart extends Data.TaggedError("ClocksApart")<{ readonly message: string }> {}

/** Milliseconds that clocks may be apart: hosts count leases of half a minute by their own. */
const tolerance = 2_000

/** Compares the clock with the database's, which stands for those of other hosts. Answers a sentence; fails with `ClocksApart`. */
export const checkClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  const after = yield* Clock.currentTimeMillis
  return yield* Effect.fromResult(compareClocks(before, row?.now ?? before, after))
})

/** What to say of a database's clock that was read at some time between two readings of one's own, in milliseconds. */
export const compareClocks = (before: number, database: number, after: number): Result.Result<string, ClocksApart> => {
  const apart = Math.max(before - database, database - after)
  if (apart <= tolerance) return Result.succeed("as the database's")
  const direction = database > after ? "behind" : "ahead of"
  const message = `${(apart / 1000).toFixed(1)}s ${direction} the database's: let both be set by NTP`
  return Result.fail(new ClocksApart({ message }))
}
