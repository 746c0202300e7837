import { Clock, Data, Effect, Option } from "effect"
import type { SqlError } from "effect/sql"
import { causeCodeOf, reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { logged } from "../../core/model/log/LogEvent.ts"

/** The database does not answer, or refuses. */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly message: string }> {}

/** Milliseconds between two attempts. */
const interval = 500

/**
 * Waits until an attempt to use the database succeeds, for at most `wait` milliseconds: the database may be starting at
 * the same time as this process. Logs once that it waits. Lasting errors, such as a wrong password, fail at once.
 */
export const untilUp = Effect.fnUntraced(function* (look: Effect.Effect<unknown, SqlError.SqlError>, wait: number) {
  const until = (yield* Clock.currentTimeMillis) + wait
  for (let told = false; ; told = true) {
    const failure = yield* Effect.option(Effect.flip(look))
    if (Option.isNone(failure)) return
    const left = until - (yield* Clock.currentTimeMillis)
    const reason = reasonOf(failure.value)
    if (left <= 0 || !mayComeUp(failure.value)) {
      const what = told
        ? `The database did not come up within ${wait / 1000}s (DESIGNWIRE_DATABASE_WAIT)`
        : "The database can't be used"
      return yield* new DatabaseUnavailable({ message: `${what}: ${reason}` })
    }
    if (!told)
      yield* Effect.logWarning(`Waiting for the database, at most ${wait / 1000}s: ${reason}`).pipe(
        logged("database.waiting"),
      )
    yield* Effect.sleep(Math.min(interval, left))
  }
})

/** Whether this error may mean that the server is only just starting, or that its name is not known yet. */
const mayComeUp = (error: SqlError.SqlError): boolean => {
  const code = causeCodeOf(error)
  if (code === undefined) return /timed out|closed/.test(reasonOf(error))
  return networkCodes.has(code) || /^(08\w{3}|57P03|53300)$/.test(code)
}

const networkCodes: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"],
  // No such name yet, no name server yet, no socket yet.
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
])
