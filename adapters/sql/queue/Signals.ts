/**
 * Signals to workers that deliveries may be pending.
 *
 * Commits that notify run one after the other, because the server has a lock for them: 64 writers reach a tenth of
 * their rate without NOTIFY. So a commit itself notifies only if its host has not notified for a while; otherwise the
 * host sends one NOTIFY after the commits, for all of them. If it dies in between, workers find the deliveries by
 * polling.
 */
import { Clock, Context, Effect, Layer, Queue, Schedule } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { mapped } from "../statements/Errors.ts"
import { isJoined } from "../statements/Transaction.ts"

/** The channel that signals workers of other processes. */
export const deliveriesChannel = "designwire_deliveries"

/** Pause of a host between NOTIFYs: each costs its database a commit, and every worker a claim. */
const notifyEvery = "10 millis"

/** After this many milliseconds without a NOTIFY, the commit itself notifies. */
const quiet = 20

/** Polling interval of workers for deliveries added by other hosts, without signals. */
const lookEvery = "1 second"

/**
 * Whether a change within an embedder's transaction notifies workers by a NOTIFY that rides its commit, because we
 * don't learn of that commit. If false, the embedder calls `DeliverySignal.wake` after the commit, or workers find the
 * deliveries within a second. Default: true.
 */
export const NotifyInTransactions = Context.Reference<boolean>("designwire/sql/NotifyInTransactions", {
  defaultValue: () => true,
})

/** Sources of signals: stores after a commit, and an adapter with a channel for messages on it. */
export class Signals extends Context.Service<
  Signals,
  {
    /** Wakes the workers of this process. */
    readonly wakeHere: Effect.Effect<void>
    /** Wakes the workers of all hosts when the current transaction is committed, or at once without one. */
    readonly committed: (sql: SqlClient.SqlClient) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Like {@link committed}, for a change that returns whether it leaves something to claim. If the commit itself
     * notifies, a statement of the change does so by evaluating its argument, unless nothing is left to claim.
     */
    readonly committing: <E>(
      sql: SqlClient.SqlClient,
      change: (notify: Statement.Fragment) => Effect.Effect<boolean, E>,
    ) => Effect.Effect<void, E>
  }
>()("designwire/sql/Signals") {}

const notifying = (sql: SqlClient.SqlClient) => sql.literal(`pg_notify('${deliveriesChannel}', '') IS NOT NULL`)

const notify = (sql: SqlClient.SqlClient) => sql`SELECT ${notifying(sql)} AS notified`

/** In a separate transaction, which need not survive a crash and therefore does not wait for the disk. */
const notifyAlone = (sql: SqlClient.SqlClient) =>
  sql`SELECT set_config('synchronous_commit', 'off', true), ${notifying(sql)} AS notified`

const services = (options: {
  readonly wakeOthers: Effect.Effect<void>
  readonly notifyInTransactions: boolean
  /** Records that others are about to be signalled. Returns the milliseconds since the last time. */
  readonly silence: Effect.Effect<number>
}) => {
  const subscribers = new Set<Queue.Queue<void>>()
  const wakeHere = Effect.sync(() => {
    for (const queue of subscribers) Queue.offerUnsafe(queue, undefined)
  })
  const wake = Effect.andThen(wakeHere, options.wakeOthers)
  return Context.make(DeliverySignal, {
    wake,
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => subscribers.add(queue))),
      (queue) => Effect.sync(() => subscribers.delete(queue)),
    ),
  }).pipe(
    Context.add(Signals, {
      wakeHere,
      committed: (sql) =>
        Effect.flatMap(isJoined(sql), (joined) => {
          if (!joined) return sql.afterCommit(wake)
          return options.notifyInTransactions ? Effect.asVoid(notify(sql)) : Effect.void
        }),
      committing: (sql, change) =>
        Effect.gen(function* () {
          const joined = yield* isJoined(sql)
          const notifies = joined ? options.notifyInTransactions : (yield* options.silence) >= quiet
          // An interrupted statement may have been stored anyway. Workers may be woken in vain.
          const left = yield* Effect.onInterrupt(change(notifies ? notifying(sql) : sql.literal("false")), () =>
            joined ? Effect.void : wake,
          )
          if (left && !joined) yield* sql.afterCommit(notifies ? wakeHere : wake)
        }),
    }),
  )
}

/** Signals among the hosts of a database. */
export const layer: Layer.Layer<DeliverySignal | Signals, never, SqlClient.SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const requested = yield* Queue.sliding<void>(1)
    let notifiedAt = Number.NEGATIVE_INFINITY
    const silence = Effect.map(Clock.currentTimeMillis, (now) => {
      const before = notifiedAt
      notifiedAt = now
      return now - before
    })
    yield* Queue.take(requested).pipe(
      Effect.andThen(silence),
      Effect.andThen(mapped("Notifying workers")(notifyAlone(sql))),
      Effect.catch((error) => Effect.logWarning("Workers of other hosts are not notified; they poll instead", error)),
      Effect.andThen(Effect.sleep(notifyEvery)),
      Effect.forever,
      Effect.forkScoped,
    )
    const context = services({
      wakeOthers: Effect.asVoid(Queue.offer(requested, undefined)),
      notifyInTransactions: yield* NotifyInTransactions,
      silence,
    })
    yield* Context.get(context, Signals).wakeHere.pipe(Effect.repeat(Schedule.spaced(lookEvery)), Effect.forkScoped)
    return context
  }),
)

/** Signals for a database that only this process changes. */
export const layerSingleProcess: Layer.Layer<DeliverySignal | Signals> = Layer.effectContext(
  Effect.sync(() => services({ wakeOthers: Effect.void, notifyInTransactions: false, silence: Effect.succeed(0) })),
)
