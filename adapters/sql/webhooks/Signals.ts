/**
 * Signals to workers that deliveries may be pending.
 *
 * Commits that notify run one after the other, because the server has a lock for them: 64 writers reach a tenth of
 * their rate without NOTIFY. So a commit itself notifies only if its host has not notified for a while; otherwise the
 * host sends one NOTIFY after the commits, for all of them. If it dies in between, workers find the deliveries by
 * polling.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { DeliverySignal, type Signal } from "../../../core/ports/DeliverySignal.ts"
import { mapped } from "../statements/Errors.ts"
import { isJoined } from "../statements/Transaction.ts"

/** The channel that signals workers of other processes. */
export const deliveriesChannel = "designwire_deliveries"

/** Pause of a host between NOTIFYs: each costs its database a commit, and every worker a claim. */
const notifyEvery = "10 millis"

/** After this many milliseconds without a NOTIFY, the commit itself notifies. */
const quiet = 20

/** A NOTIFY names this many shops at most. With more, workers of other hosts walk over all of them. */
const namedAtMost = 50

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
    /** Signals the workers of this process. */
    readonly signalHere: (signal: Signal) => Effect.Effect<void>
    /** Passes a message of the channel on to the workers of this process. */
    readonly heard: (payload: string) => Effect.Effect<void>
    /** Signals the workers of all hosts when the current transaction is committed, or at once without one. */
    readonly committed: (sql: SqlClient.SqlClient, shop: string) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Like {@link committed}, for a change that returns whether it leaves something to claim. If the commit itself
     * notifies, a statement of the change does so by evaluating its argument, unless nothing is left to claim.
     */
    readonly committing: <E>(
      sql: SqlClient.SqlClient,
      shop: string,
      change: (notify: Statement.Fragment) => Effect.Effect<boolean, E>,
    ) => Effect.Effect<void, E>
  }
>()("designwire/sql/Signals") {}

const notifying = (sql: SqlClient.SqlClient, payload: string) =>
  sql`pg_notify(${sql.literal(`'${deliveriesChannel}'`)}, ${payload}) IS NOT NULL`

const notify = (sql: SqlClient.SqlClient, payload: string) => sql`SELECT ${notifying(sql, payload)} AS notified`

/** In a separate transaction, which need not survive a crash and therefore does not wait for the disk. */
const notifyAlone = (sql: SqlClient.SqlClient, payload: string) =>
  sql`SELECT set_config('synchronous_commit', 'off', true), ${notifying(sql, payload)} AS notified`

/** A message of the channel: the ids of shops, which have no spaces, or nothing if it can't name them. */
const payloadOf = (signal: Signal): string => (signal ?? []).join(" ")
const signalOf = (payload: string): Signal => (payload === "" ? null : payload.split(" "))

/** Signals that the other hosts have not been sent yet, as one. */
class Unsent {
  #shops: Set<string> | null = new Set()

  add(signal: Signal): void {
    if (signal === null) this.#shops = null
    for (const shop of signal ?? []) this.#shops?.add(shop)
    if ((this.#shops?.size ?? 0) > namedAtMost) this.#shops = null
  }

  take(): Signal {
    const shops = this.#shops
    this.#shops = new Set()
    return shops === null ? null : [...shops]
  }
}

const services = (options: {
  readonly signalOthers: (signal: Signal) => Effect.Effect<void>
  readonly notifyInTransactions: boolean
  /** Records that others are about to be signalled. Returns the milliseconds since the last time. */
  readonly silence: Effect.Effect<number>
}) => {
  const subscribers = new Set<Queue.Queue<Signal>>()
  const signalHere = (signal: Signal) =>
    Effect.sync(() => {
      for (const queue of subscribers) Queue.offerUnsafe(queue, signal)
    })
  const signalAll = (signal: Signal) => Effect.andThen(signalHere(signal), options.signalOthers(signal))
  return Context.make(DeliverySignal, {
    wake: signalAll(null),
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.unbounded<Signal>(), (queue) => Effect.sync(() => subscribers.add(queue))),
      (queue) => Effect.sync(() => subscribers.delete(queue)),
    ),
  }).pipe(
    Context.add(Signals, {
      signalHere,
      heard: (payload) => signalHere(signalOf(payload)),
      committed: (sql, shop) =>
        Effect.flatMap(isJoined(sql), (joined) => {
          if (!joined) return sql.afterCommit(signalAll([shop]))
          return options.notifyInTransactions ? Effect.asVoid(notify(sql, payloadOf([shop]))) : Effect.void
        }),
      committing: (sql, shop, change) =>
        Effect.gen(function* () {
          const joined = yield* isJoined(sql)
          const notifies = joined ? options.notifyInTransactions : (yield* options.silence) >= quiet
          const notification = notifies ? notifying(sql, payloadOf([shop])) : sql.literal("false")
          // An interrupted statement may have been stored anyway. Workers may be woken in vain.
          const left = yield* Effect.onInterrupt(change(notification), () => (joined ? Effect.void : signalAll([shop])))
          if (left && !joined) yield* sql.afterCommit(notifies ? signalHere([shop]) : signalAll([shop]))
        }),
    }),
  )
}

/** Signals among the hosts of a database. */
export const layerSignals: Layer.Layer<DeliverySignal | Signals, never, SqlClient.SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const requested = yield* Queue.sliding<void>(1)
    const unsent = new Unsent()
    let notifiedAt = Number.NEGATIVE_INFINITY
    const silence = Effect.map(Clock.currentTimeMillis, (now) => {
      const before = notifiedAt
      notifiedAt = now
      return now - before
    })
    yield* Queue.take(requested).pipe(
      Effect.andThen(silence),
      Effect.andThen(Effect.suspend(() => mapped("Notifying workers")(notifyAlone(sql, payloadOf(unsent.take()))))),
      Effect.catch((error) =>
        Effect.logWarning("Workers of other hosts are not notified; they poll instead", error).pipe(
          logged("signals.notify_failed"),
        ),
      ),
      Effect.andThen(Effect.sleep(notifyEvery)),
      Effect.forever,
      Effect.forkScoped,
    )
    return services({
      signalOthers: (signal) =>
        Effect.suspend(() => {
          unsent.add(signal)
          return Effect.asVoid(Queue.offer(requested, undefined))
        }),
      notifyInTransactions: yield* NotifyInTransactions,
      silence,
    })
  }),
)

/** Signals for a database that only this process changes. */
export const layerSingleProcess: Layer.Layer<DeliverySignal | Signals> = Layer.effectContext(
  Effect.sync(() =>
    services({ signalOthers: () => Effect.void, notifyInTransactions: false, silence: Effect.succeed(0) }),
  ),
)
