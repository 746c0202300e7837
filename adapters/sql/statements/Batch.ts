import { Context, type Duration, Effect, Exit, References, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "./Transaction.ts"

interface Call<K, A, E> {
  readonly key: K
  readonly resume: (effect: Effect.Effect<A, E>) => void
}

/**
 * Combines many calls into one statement. Calls that arrive while `concurrency` statements are running wait and share
 * the next one, which waits for calls of the same turn, or for a `pause`.
 *
 * A call within a transaction runs separately, on its connection. When the scope closes, calls that wait for a pause
 * run at once: the connections are free when they are closed afterwards.
 */
export const batched = <K, A, E>(options: {
  readonly concurrency: number
  /** How long the first call of a statement waits for others. Default: calls of the same turn. */
  readonly pause?: Duration.Input
  /**
   * Group of a key: only keys of one group share a statement, so that no statement touches two shops. Default: one
   * group.
   */
  readonly groupOf?: (key: K) => string
  /** Runs one statement for the keys of one group, and returns a result per key, in order. */
  readonly run: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<A>, E>
}): Effect.Effect<(key: K) => Effect.Effect<A, E>, never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A statement for many calls is in the trace of none.
    const fork = Effect.runForkWith(Context.add(yield* Effect.context(), References.TracerEnabled, false))
    const { pause } = options
    let calls: Array<Call<K, A, E>> = []
    let running = 0
    let scheduled = false
    let onIdle: (() => void) | undefined

    /** Runs a statement for each group. If one fails, the calls of other groups don't. */
    const runGroups = (batch: ReadonlyArray<Call<K, A, E>>): Effect.Effect<void> => {
      const { groupOf } = options
      const groups = groupOf === undefined ? [batch] : [...Map.groupBy(batch, ({ key }) => groupOf(key)).values()]
      return Effect.forEach(groups, runGroup, { concurrency: "unbounded", discard: true })
    }

    const runGroup = (calls: ReadonlyArray<Call<K, A, E>>) =>
      Effect.map(Effect.exit(options.run(calls.map(({ key }) => key))), (exit) => {
        for (const [index, { resume }] of calls.entries()) {
          resume(Exit.map(exit, (answers) => answers[index] as A))
        }
      })

    const flush = () => {
      scheduled = false
      if (calls.length === 0 || running >= options.concurrency) return
      const batch = calls
      calls = []
      running++
      fork(runGroups(batch)).addObserver(() => {
        running--
        if (running === 0 && calls.length === 0) onIdle?.()
        // Not at once: what comes in the same turn shares the next statement.
        schedule()
      })
    }

    const turn = Effect.andThen(pause === undefined ? Effect.yieldNow : Effect.sleep(pause), Effect.sync(flush))

    const schedule = () => {
      if (scheduled || calls.length === 0 || running >= options.concurrency) return
      scheduled = true
      fork(turn)
    }

    const idle = Effect.callback<void>((resume) => {
      onIdle = () => resume(Effect.void)
      flush()
      if (running === 0) onIdle()
    })
    if (pause !== undefined) yield* Effect.addFinalizer(() => Effect.timeoutOption(idle, "1 second"))

    const wait = (key: K) =>
      Effect.callback<A, E>((resume) => {
        calls.push({ key, resume })
        schedule()
      })

    return (key) =>
      Effect.flatMap(inTransaction(sql), (within) =>
        within ? Effect.map(options.run([key]), ([answer]) => answer as A) : wait(key),
      )
  })
