/**
 * Telling workers that something may be waiting.
 *
 * Commits that notify run one after the other, because the server has a lock for them: 64 writers reach a tenth of what they reach without. So a host tells
 * by the commit itself only where it has told nothing for a while; else it sends a NOTIFY behind the commit, one for all that is committed meanwhile. Where it
 * ends between the two, the others find the deliveries when they look for themselves.
 */
import { Clock, Context, Effect, Layer, Queue, Schedule } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { withoutDefects } from "./Errors.ts"
import { isJoined } from "./Transaction.ts"

/** The channel that tells workers of other processes that something may be waiting. */
export const deliveriesChannel = "designwire_deliveries"

/** A host waits this long after a NOTIFY before the next: each costs its database a commit, and every worker a claim. */
const notifyEvery = "10 millis"

/** After so many milliseconds without one, a commit tells of itself. */
const quiet = 20

/** So often workers look whether other hosts have added deliveries, if nobody tells them. */
const lookEvery = "1 second"

/**
 * Whether a change within a transaction that somebody else has begun tells workers by a NOTIFY that comes with the commit: nobody tells us when that is. If
 * not, whoever commits it calls `DeliverySignal.wake`, or workers find the deliveries within a second. Default: true.
 */
export const NotifyInTransactions = Context.Reference<boolean>("designwire/sql/NotifyInTransactions", {
  defaultValue: () => true,
})

/** Who tells workers: stores after a commit, an adapter with a channel what it hears there. */
export class Signals extends Context.Service<
  Signals,
  {
    /** Wakes the workers of this process. */
    readonly wakeHere: Effect.Effect<void>
    /** Wakes the workers of all hosts when the transaction at hand is committed, or at once outside of one. */
    readonly committed: (sql: SqlClient.SqlClient) => Effect.Effect<void, SqlError.SqlError>
    /**
     * As {@link committed}, where a change leaves something to claim, which it answers. Where the commit itself is to tell, a statement of the change does it on
     * the way, by evaluating what it gets, and not where nothing is left.
     */
    readonly committing: <E>(
      sql: SqlClient.SqlClient,
      change: (tell: Statement.Fragment) => Effect.Effect<boolean, E>,
    ) => Effect.Effect<void, E>
  }
>()("designwire/sql/Signals") {}

const notifying = (sql: SqlClient.SqlClient) => sql.literal(`pg_notify('${deliveriesChannel}', '') IS NOT NULL`)

const notify = (sql: SqlClient.SqlClient) => sql`SELECT ${notifying(sql)} AS told`

/** In a transaction of its own, which need not outlive a crash: it does not wait for the disk. */
const notifyAlone = (sql: SqlClient.SqlClient) =>
  sql`SELECT set_config('synchronous_commit', 'off', true), ${notifying(sql)} AS told`

const services = (options: {
  readonly wakeOthers: Effect.Effect<void>
  readonly notifyInTransactions: boolean
  /** Notes that others are about to be told. Answers for how many milliseconds they were not. */
  readonly silence: Effect.Effect<number>
}) => {
  const waiting = new Set<Queue.Queue<void>>()
  const wakeHere = Effect.sync(() => {
    for (const queue of waiting) Queue.offerUnsafe(queue, undefined)
  })
  const wake = Effect.andThen(wakeHere, options.wakeOthers)
  return Context.make(DeliverySignal, {
    wake,
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => waiting.add(queue))),
      (queue) => Effect.sync(() => waiting.delete(queue)),
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
          const tells = joined ? options.notifyInTransactions : (yield* options.silence) >= quiet
          // An interrupted statement may have been stored all the same. Workers may be woken in vain.
          const left = yield* Effect.onInterrupt(change(tells ? notifying(sql) : sql.literal("false")), () =>
            joined ? Effect.void : wake,
          )
          if (left && !joined) yield* sql.afterCommit(tells ? wakeHere : wake)
        }),
    }),
  )
}

/** Signals among the hosts of a database. */
export const layer: Layer.Layer<DeliverySignal | Signals, never, SqlClient.SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const untold = yield* Queue.sliding<void>(1)
    let toldAt = Number.NEGATIVE_INFINITY
    const silence = Effect.map(Clock.currentTimeMillis, (now) => {
      const before = toldAt
      toldAt = now
      return now - before
    })
    yield* Queue.take(untold).pipe(
      Effect.andThen(silence),
      Effect.andThen(withoutDefects(notifyAlone(sql))),
      Effect.catch((error) =>
        Effect.logWarning("Could not tell workers of other hosts; they look for themselves", error),
      ),
      Effect.andThen(Effect.sleep(notifyEvery)),
      Effect.forever,
      Effect.forkScoped,
    )
    const context = services({
      wakeOthers: Effect.asVoid(Queue.offer(untold, undefined)),
      notifyInTransactions: yield* NotifyInTransactions,
      silence,
    })
    yield* Context.get(context, Signals).wakeHere.pipe(Effect.repeat(Schedule.spaced(lookEvery)), Effect.forkScoped)
    return context
  }),
)

/** Signals where nothing but this process changes the database. */
export const layerSingleProcess: Layer.Layer<DeliverySignal | Signals> = Layer.effectContext(
  Effect.sync(() => services({ wakeOthers: Effect.void, notifyInTransactions: false, silence: Effect.succeed(0) })),
)
