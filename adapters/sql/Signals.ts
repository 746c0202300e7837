import { Context, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"

/** The channel that tells workers of other processes that something may be waiting. */
export const deliveriesChannel = "designwire_deliveries"

/** An expression that tells workers of other processes, when its statement is committed. Answers true. */
export const notifyWorkers = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`pg_notify('${deliveriesChannel}', '') IS NOT NULL`)

/** Who tells the workers of this process: stores after a commit, an adapter with a channel for those of other processes. */
export class Signals extends Context.Service<
  Signals,
  {
    readonly wake: Effect.Effect<void>
    /** Wakes when the transaction at hand is committed, or at once outside of one. */
    readonly committed: (sql: SqlClient.SqlClient) => Effect.Effect<void>
  }
>()("designwire/sql/Signals") {}

/** Lets workers look every second for deliveries of other hosts, where nobody can tell them. */
export const lookOften: Effect.Effect<void, never, DeliverySignal | Scope.Scope> = Effect.flatMap(
  DeliverySignal,
  (signal) => signal.wake.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped, Effect.asVoid),
)

/** `DeliverySignal` for the workers of this process, and what gives it. */
export const layer: Layer.Layer<DeliverySignal | Signals> = Layer.effectContext(
  Effect.sync(() => {
    const waiting = new Set<Queue.Queue<void>>()
    const wake = Effect.sync(() => {
      for (const queue of waiting) Queue.offerUnsafe(queue, undefined)
    })
    return Context.make(DeliverySignal, {
      wake,
      subscribe: Effect.acquireRelease(
        Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => waiting.add(queue))),
        (queue) => Effect.sync(() => waiting.delete(queue)),
      ),
    }).pipe(Context.add(Signals, { wake, committed: (sql) => sql.afterCommit(wake) }))
  }),
)
