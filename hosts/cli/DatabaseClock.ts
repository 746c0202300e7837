import { Data, Result } from "effect"

/** The clocks of this machine and of the database differ. */
export class ClocksApart extends Data.TaggedError("ClocksApart")<{ readonly message: string }> {}

/** Milliseconds by which clocks may differ: hosts measure leases of half a minute by their own clocks. */
const tolerance = 2_000

/** Judges the database's clock, which was read between two readings of this machine's clock, in milliseconds. */
export const compareClocks = (before: number, database: number, after: number): Result.Result<string, ClocksApart> => {
  const apart = Math.max(before - database, database - after)
  if (apart <= tolerance) return Result.succeed("as the database's")
  const direction = database > after ? "behind" : "ahead of"
  const message = `${(apart / 1000).toFixed(1)}s ${direction} the database's: let both be set by NTP`
  return Result.fail(new ClocksApart({ message }))
}
