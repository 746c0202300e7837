import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { OuterTransaction } from "../sql/Transaction.ts"
import { oneConnection } from "./Connection.ts"
import { sqlErrorOf } from "./Failure.ts"
import type { Query } from "./Query.ts"

/** A savepoint in the transaction that a query belongs to, set once. */
export const makeSavepoint = (query: Query): OuterTransaction => {
  if (query.savepoint !== undefined) return throughLibrary(query.savepoint)
  const connection = oneConnection(() => query)
  const control = (statement: string) => Effect.asVoid(connection.executeUnprepared(statement, [], undefined))
  return {
    connection,
    set: control("SAVEPOINT designwire"),
    release: control("RELEASE SAVEPOINT designwire"),
    rollBack: Effect.andThen(control("ROLLBACK TO SAVEPOINT designwire"), control("RELEASE SAVEPOINT designwire")),
  }
}

/** The library sets it around a function of ours, which lasts until we release it or roll back. */
const throughLibrary = (savepoint: NonNullable<Query["savepoint"]>): OuterTransaction => {
  const end = Promise.withResolvers<void>()
  const rolledBack = new Error("Rolled back")
  let inside: Query | undefined
  let ended: Promise<void> = Promise.resolve()
  const waitForEnd = Effect.tryPromise({ try: () => ended, catch: (error) => error })
  return {
    connection: oneConnection(() => {
      if (inside === undefined) throw new Error("The savepoint is not set")
      return inside
    }),
    set: Effect.callback<void, SqlError.SqlError>((resume) => {
      ended = savepoint((query) => {
        inside = query
        resume(Effect.void)
        return end.promise
      })
      ended.catch((error) => resume(Effect.fail(sqlErrorOf(error))))
    }),
    release: Effect.suspend(() => {
      end.resolve()
      return Effect.mapError(waitForEnd, sqlErrorOf)
    }),
    rollBack: Effect.suspend(() => {
      end.reject(rolledBack)
      return Effect.catch(waitForEnd, (error) => (error === rolledBack ? Effect.void : Effect.fail(sqlErrorOf(error))))
    }),
  }
}
