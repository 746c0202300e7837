/** Closes the source: its schema gets another name, so that hosts whose map is outdated find no table there. */
import { Data, Effect } from "effect"
import { SqlError } from "effect/sql"
import { dropGates } from "../shop/Departures.ts"
import { closedSchema, type Move, MoveError, type NamedPlace, quoted } from "./Places.ts"
import { durably, hasSchema, lockTables, migrationsIn } from "./Tables.ts"

/** The bucket can't be switched at the moment; it can soon. */
export class NotYet extends Data.TaggedError("NotYet")<{ readonly message: string }> {}

/** Milliseconds for which statements of hosts may queue behind the locks of a move. */
export const queueing = 500

/** Milliseconds to wait for what keeps no host waiting. */
const patience = 5_000

/**
 * Closes the source in one transaction. Everything that hosts have written is committed by then, and they can write
 * nothing more. Fails with {@link NotYet} if one writes for long.
 */
export const close = (move: Move): Effect.Effect<void, NotYet | MoveError | SqlError.SqlError> => {
  const { schema, source, target } = move
  const { sql } = source
  const fence = Effect.gen(function* () {
    // Autovacuum gives way to a lock only after a second, for which hosts must not queue.
    yield* lockTables(sql, schema, "SHARE UPDATE EXCLUSIVE", patience)
    yield* lockTables(sql, schema, "EXCLUSIVE", queueing)
    if ((yield* migrationsIn(sql, schema)) !== (yield* migrationsIn(target.sql, schema))) {
      return yield* new MoveError({
        message: `${schema} was migrated while it was copied. Run the command again, which copies it from the beginning`,
      })
    }
    yield* sql.unsafe(`ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(closedSchema(schema))}`)
  })
  return withoutWaiting(`transactions that write to it stay open for over ${queueing} ms`)(durably(sql, fence))
}

/** Fails with {@link NotYet} if a lock does not come in time. */
export const withoutWaiting =
  (message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>): Effect.Effect<A, E | NotYet | SqlError.SqlError, R> =>
    Effect.catchIf(
      effect,
      (error) => SqlError.isSqlError(error) && waits.has(error.reason._tag),
      () => Effect.fail(new NotYet({ message })),
    )

const waits = new Set(["LockTimeoutError", "StatementTimeoutError", "DeadlockError"])

/** Gives the source its name back, if it is closed. Waits for a killed command that may be closing it. */
export const reopen = ({ schema, source }: Move): Effect.Effect<void, SqlError.SqlError> => {
  const { sql } = source
  const closed = closedSchema(schema)
  return sql.withTransaction(
    Effect.gen(function* () {
      for (const name of [schema, closed]) yield* lockTables(sql, name, "SHARE UPDATE EXCLUSIVE", patience)
      if (yield* hasSchema(sql, closed)) {
        yield* sql.unsafe(`ALTER SCHEMA ${quoted(closed)} RENAME TO ${quoted(schema)}`)
      }
    }),
  )
}

/** Whether the source is closed. */
export const isClosed = ({
  schema,
  source,
}: Pick<Move, "schema" | "source">): Effect.Effect<boolean, SqlError.SqlError> =>
  hasSchema(source.sql, closedSchema(schema))

/** Drops what a move has left in a database that it has left, and the bucket's departed shops there. */
export const dropClosed = ({ sql }: NamedPlace, schema: string): Effect.Effect<void, SqlError.SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`DROP SCHEMA IF EXISTS ${quoted(closedSchema(schema))} CASCADE`)
      // A schema that another deployment has here is not ours, nor are its gates.
      if (!(yield* hasSchema(sql, schema))) yield* dropGates(sql, schema)
    }),
  )
