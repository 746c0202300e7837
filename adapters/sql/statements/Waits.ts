/** How long statements wait for what others hold: a connection of the pool, and locks in the database. */
import { Context, Effect } from "effect"
import { SqlError } from "effect/sql"

/** Milliseconds to wait. */
export interface Waits {
  /** For a free connection of the pool. Default: 5,000. */
  readonly connectionWait?: number | undefined
  /** For a lock that another transaction holds. Default: 30,000. */
  readonly lockWait?: number | undefined
}

export const defaultConnectionWait = 5_000

export const defaultLockWait = 30_000

/** {@link Waits.lockWait}, as the stores see it. Sessions have no limit of their own: poolers refuse to set one. */
export const LockWait = Context.Reference<number>("designwire/sql/LockWait", { defaultValue: () => defaultLockWait })

/** The reason why a statement got no connection. */
class NoConnection extends Error {
  /** The system's code for a connection that does not come. */
  readonly code = "ETIMEDOUT"

  constructor(wait: number) {
    super(
      `The pool had no free connection for ${wait / 1000} s: ` +
        "it has too few, or something holds them, e.g. a transaction that is not ended",
    )
  }
}

/** Makes the error for a statement that got no connection in time. */
export const noConnection = (wait: number): Error => new NoConnection(wait)

/** Whether a statement failed because it got no connection of the pool. */
export const isNoConnection = ({ cause }: SqlError.SqlErrorReason): boolean => cause instanceof NoConnection

/** Fails if a connection does not come in time. */
export const inTime =
  (wait: number) =>
  <A, R>(connection: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, SqlError.SqlError, R> =>
    Effect.timeoutOrElse(connection, {
      duration: wait,
      orElse: () =>
        Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.ConnectionError({
              cause: noConnection(wait),
              message: "No connection",
              operation: "connect",
            }),
          }),
        ),
    })
