/**
 * An embedder's transaction, from its BEGIN to its COMMIT. The embedder sends both;
 * {@link within} sends the indented statements:
 *
 * ```
 * BEGIN
 * INSERT INTO carts …
 *   SAVEPOINT designwire                    a call begins, when its turn has come
 *   SELECT set_config('lock_timeout', …)    it waits for locks as long as other calls, or as the embedder says
 *   INSERT INTO designwire.orders …         its statements
 *   SAVEPOINT designwire_1 … RELEASE …      a transaction of a store
 *   SELECT set_config('lock_timeout', …)    the embedder's own wait
 *   RELEASE SAVEPOINT designwire            the call ends; if it fails: ROLLBACK TO SAVEPOINT, then RELEASE
 * COMMIT                                    hosts and workers receive the call's NOTIFY
 * ```
 */
import { Context, Effect, Semaphore } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { checkedTransactions } from "../sql/statements/CheckedTransaction.ts"
import { storageError, withoutDefects } from "../sql/statements/Errors.ts"
import { Joined, joinable } from "../sql/statements/Transaction.ts"
import { type Loss, oneConnection } from "./Connection.ts"
import { sqlErrorOf } from "./Failure.ts"
import type { Query } from "./Query.ts"

/** State that the calls in one transaction share. */
interface Shared {
  readonly turn: Semaphore.Semaphore
  readonly loss: Loss
}

const transactions = new WeakMap<Query, Shared>()

const sharedBy = (query: Query): Shared => {
  const shared = transactions.get(query) ?? { turn: Semaphore.makeUnsafe(1), loss: {} }
  transactions.set(query, shared)
  return shared
}

/**
 * Runs an effect in the embedder's transaction that `query` belongs to; the embedder commits it or rolls it back.
 * It works with every store of `designwire/sql`, also if the stores have connections of their own.
 *
 * - The effect runs within a savepoint: if it fails, nothing of it is left, and the transaction continues.
 * - Calls made at the same time in one transaction take turns. The embedder must run no statements meanwhile: they
 *   would be rolled back with a call that fails.
 * - Other hosts and workers are notified by the embedder's commit (NOTIFY), never before. If `NotifyInTransactions` of
 *   `designwire/sql` is off, call `DeliverySignal.wake` after the commit.
 *
 * Fails with a `StorageError` if the transaction can't be used: not begun, ended, aborted, or its connection lost.
 */
export const within =
  (query: Query) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A call within a call: it is its turn already.
      if ((yield* Joined)?.id === query) return yield* joinable(sql).withTransaction(effect)
      const { loss, turn } = sharedBy(query)
      const { connection, release, rollBack, set } = savepoint(query, loss)
      const { begin, end } = limitedWait(connection, checkedTransactions(sql).lockWait)
      const withTransaction = SqlClient.makeWithTransaction({
        transactionService: sql.transactionService,
        spanAttributes: [],
        acquireConnection: () => Effect.succeed(connection),
        begin: () => Effect.andThen(set, begin),
        commit: () => Effect.andThen(end, release),
        rollback: () => rollBack,
        savepoint: (_, id) => control(connection, `SAVEPOINT designwire_${id}`),
        releaseSavepoint: (_, id) => control(connection, `RELEASE SAVEPOINT designwire_${id}`),
        rollbackSavepoint: (_, id) => control(connection, `ROLLBACK TO SAVEPOINT designwire_${id}`),
      })
      const call = Effect.updateContext(
        withTransaction(effect),
        (context: Context.Context<R>) =>
          // A transaction of ours around the call is another one, on another connection.
          Context.omit(sql.transactionService)(context).pipe(
            Context.add(Joined, { id: query, connection, withTransaction }),
          ) as Context.Context<R>,
      )
      return yield* turn.withPermit(call)
    }).pipe(withoutDefects, Effect.catch(failure<E>))

const failure = <E>(
  error: E | SqlError.SqlError,
): Effect.Effect<never, Exclude<E, SqlError.SqlError> | StorageError> =>
  SqlError.isSqlError(error)
    ? storageError("Joining the transaction")(error)
    : Effect.fail(error as Exclude<E, SqlError.SqlError>)

/** A savepoint, to be set once, and the connection that statements within it use. */
interface Savepoint {
  readonly connection: SqlConnection.Connection
  readonly set: Effect.Effect<void, SqlError.SqlError>
  readonly release: Effect.Effect<void, SqlError.SqlError>
  readonly rollBack: Effect.Effect<void, SqlError.SqlError>
}

const savepoint = (query: Query, loss: Loss): Savepoint => {
  if (query.savepoint !== undefined) return librarySavepoint(query, query.savepoint, loss)
  const connection = oneConnection(query, loss)
  const release = control(connection, "RELEASE SAVEPOINT designwire")
  return {
    connection,
    set: control(connection, "SAVEPOINT designwire"),
    release,
    rollBack: Effect.andThen(control(connection, "ROLLBACK TO SAVEPOINT designwire"), release),
  }
}

/**
 * Limits the wait for locks, unless the embedder's own limit is shorter, and restores that. A rollback to the savepoint
 * restores it too.
 */
const limitedWait = (connection: SqlConnection.Connection, lockWait: number) => {
  let former: string | undefined
  return {
    begin: Effect.map(
      connection.executeUnprepared(
        `SELECT former, set_config('lock_timeout', '${lockWait}', true) AS waits
FROM current_setting('lock_timeout') AS former WHERE former = '0' OR former::interval > '${lockWait}ms'::interval`,
        [],
        undefined,
      ),
      ([row]) => {
        former = row?.["former"]
      },
    ),
    end: Effect.suspend(() =>
      former === undefined
        ? Effect.void
        : Effect.asVoid(
            connection.executeUnprepared("SELECT set_config('lock_timeout', $1, true) AS waits", [former], undefined),
          ),
    ),
  }
}

const control = (connection: SqlConnection.Connection, statement: string) =>
  Effect.asVoid(connection.executeUnprepared(statement, [], undefined))

/** A savepoint that the library sets around a function, which lasts until the savepoint is released or rolled back. */
const librarySavepoint = (query: Query, around: NonNullable<Query["savepoint"]>, loss: Loss): Savepoint => {
  const end = Promise.withResolvers<void>()
  const rolledBack = new Error("Rolled back")
  let inside = query
  let ended: Promise<void> = Promise.resolve()
  // After the connection is lost the library must not be asked: it would send what sets or ends a savepoint.
  const ask = (library: () => Promise<void>) =>
    Effect.suspend(() =>
      loss.reason === undefined
        ? Effect.tryPromise({ try: library, catch: (error) => error })
        : Effect.fail(loss.reason),
    ).pipe(
      Effect.catch((error) => (error === rolledBack ? Effect.void : Effect.fail(error))),
      Effect.mapError((error) => (SqlError.isSqlError(error) ? error : sqlErrorOf(error))),
    )
  return {
    connection: oneConnection((text, values) => inside(text, values), loss),
    set: ask(
      () =>
        new Promise((resolve, reject) => {
          ended = around((query) => {
            inside = query
            resolve()
            return end.promise
          })
          ended.catch(reject)
        }),
    ),
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
