import { Context, Effect, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { storageError, withoutDefects } from "../sql/Errors.ts"
import { join, joinable } from "../sql/Transaction.ts"
import type { Loss } from "./Connection.ts"
import type { Query } from "./Query.ts"
import { makeSavepoint } from "./Savepoint.ts"

/** The query in whose transaction an effect runs. */
const Current = Context.Reference<Query | undefined>("designwire/connection/Current", { defaultValue: () => undefined })

/** What calls in one transaction share. */
interface Shared {
  readonly turn: Semaphore.Semaphore
  readonly loss: Loss
}

const transactions = new WeakMap<Query, Shared>()

const sharedOf = (query: Query): Shared => {
  const shared = transactions.get(query) ?? { turn: Semaphore.makeUnsafe(1), loss: {} }
  transactions.set(query, shared)
  return shared
}

/**
 * Runs an effect of ours in the transaction of the embedder's that `query` belongs to; whoever has begun it ends it. It works with every store of
 * `designwire/sql`, also where its own connections are others.
 *
 * - It is a savepoint: where the effect fails, nothing of it is left, and the transaction goes on.
 * - Calls that are made at the same time in one transaction run one after the other. Statements of the embedder's own must not run meanwhile: they would
 *   be rolled back with ours.
 * - Other hosts and workers hear of what was done when the embedder commits, by NOTIFY, and never before. Without that NOTIFY
 *   (`NotifyInTransactions` of `designwire/sql`) call `DeliverySignal.wake` after the commit.
 *
 * Fails with a `StorageError` where the transaction can't be used: not begun, ended, aborted, or its connection lost.
 */
export const within =
  (query: Query) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { loss, turn } = sharedOf(query)
      const savepoint = Effect.suspend(() => join(sql, makeSavepoint(query, loss))(effect)).pipe(
        Effect.provideService(Current, query),
      )
      // What is already in it has its turn.
      return yield* (yield* Current) === query ? joinable(sql).withTransaction(effect) : turn.withPermit(savepoint)
    }).pipe(withoutDefects, Effect.mapError(failure<E>))

const failure = <E>(error: E | SqlError.SqlError): Exclude<E, SqlError.SqlError> | StorageError =>
  SqlError.isSqlError(error) ? storageError("Joining the transaction")(error) : (error as Exclude<E, SqlError.SqlError>)
