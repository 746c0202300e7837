import { Data, Result } from "effect"

/** The clocks of this machine and of the database differ. */
export class ClocksApart extends Data.TaggedError("ClocksApart")<{ readonly message: string }> {}

/** Milliseconds that clocks may be apart: hosts count leases of half a minute by their own. */
const tolerance = 2_000

/** What to say of a database's clock that was read at some time between two readings of one's own, in milliseconds. */
export const compareClocks = (before: number, database: number, after: number): Result.Result<string, ClocksApart> => {
  const apart = Math.max(before - database, database - after)
  if (apart <= tolerance) return Result.succeed("as the database's")
  const direction = database > after ? "behind" : "ahead of"
  const message = `${(apart / 1000).toFixed(1)}s ${direction} the database's: let both be set by NTP`
  return Result.fail(new ClocksApart({ message }))
}
