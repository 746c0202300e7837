import { Effect } from "effect"
import { SqlError } from "effect/sql"
import type { OuterTransaction } from "../sql/Transaction.ts"
import { type Loss, oneConnection } from "./Connection.ts"
import { sqlErrorOf } from "./Failure.ts"
import type { Query } from "./Query.ts"

/** A savepoint in the transaction that a query belongs to, to be set once. */
export const makeSavepoint = (query: Query, loss: Loss): OuterTransaction => {
  if (query.savepoint !== undefined) return throughLibrary(query.savepoint, loss)
  const connection = oneConnection(() => query, loss)
  const control = (statement: string) => Effect.asVoid(connection.executeUnprepared(statement, [], undefined))
  return {
    connection,
    set: control("SAVEPOINT designwire"),
    release: control("RELEASE SAVEPOINT designwire"),
    rollBack: Effect.andThen(control("ROLLBACK TO SAVEPOINT designwire"), control("RELEASE SAVEPOINT designwire")),
  }
}

/** The library sets it around a function of ours, which lasts until we release it or roll back. */
const throughLibrary = (savepoint: NonNullable<Query["savepoint"]>, loss: Loss): OuterTransaction => {
  const end = Promise.withResolvers<void>()
  const rolledBack = new Error("Rolled back")
  let inside: Query | undefined
  let ended: Promise<void> = Promise.resolve()
  // Where the connection is lost, the library must not be asked either: it would send what sets or ends a savepoint.
  const ask = (library: () => Promise<void>) =>
    Effect.suspend(() =>
      loss.reason === undefined
        ? Effect.tryPromise({ try: library, catch: (error) => error })
        : Effect.fail(loss.reason),
    ).pipe(
      Effect.catch((error) => (error === rolledBack ? Effect.void : Effect.fail(error))),
      Effect.mapError((error) => (SqlError.isSqlError(error) ? error : sqlErrorOf(error))),
    )
  const set = () =>
    new Promise<void>((resolve, reject) => {
      ended = savepoint((query) => {
        inside = query
        resolve()
        return end.promise
      })
      ended.catch(reject)
    })
  return {
    connection: oneConnection(() => {
      if (inside === undefined) throw new Error("The savepoint is not set")
      return inside
    }, loss),
    set: ask(set),
    release: ask(() => {
      end.resolve()
      return ended
    }),
    rollBack: ask(() => {
      end.reject(rolledBack)
      return ended
    }),
  }
}
