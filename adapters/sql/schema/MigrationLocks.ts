/** Locks that migrations take alongside hosts that serve. */
import { Effect } from "effect"
import { Migrator, type SqlClient, type SqlError } from "effect/sql"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { MigrationPatience } from "./MigrationPatience.ts"

/** Waits for a lock that commands which migrate take one after the other, and for tables only briefly from then on. */
export const lockedBriefly = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, lock: string) {
  const patience = yield* MigrationPatience
  yield* sql`SELECT set_config('lock_timeout', '0', true) AS waits`
  yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${lock}) IS NULL AS locked`)
  yield* sql`SELECT set_config('lock_timeout', ${String(patience.lock)}, true) AS waits`
})

/** Tries a transaction again while others keep a table in use that it changes. */
export const patiently = Effect.fnUntraced(function* <A, E, R>(
  transaction: Effect.Effect<A, E | Migrator.MigrationError | SqlError.SqlError, R>,
): Effect.fn.Return<A, E | Migrator.MigrationError | SqlError.SqlError, R> {
  const { pauses } = yield* MigrationPatience
  for (const pause of pauses) {
    const done = yield* transaction.pipe(
      Effect.map((value) => ({ value })),
      Effect.catchIf(isLocked, ({ message }) =>
        Effect.as(
          Effect.logWarning(`${message}. It tries again in ${pause} s`).pipe(logged("migration.waits")),
          undefined,
        ),
      ),
    )
    if (done !== undefined) return done.value
    yield* Effect.sleep(`${pause} seconds`)
  }
  return yield* Effect.catchIf(transaction, isLocked, ({ message }) =>
    Effect.fail(
      new Migrator.MigrationError({
        kind: "Locked",
        message:
          `${message}, after ${pauses.length + 1} tries. It has changed nothing: end the transactions that stay open ` +
          "for long, which pg_stat_activity shows, and migrate again",
      }),
    ),
  )
})

const isLocked = (error: unknown): error is Migrator.MigrationError =>
  error instanceof Migrator.MigrationError && error.kind === "Locked"
