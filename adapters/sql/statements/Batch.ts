import { type Duration, Effect, type Exit, type Scope } from "effect"
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
 * A call within a transaction runs alone, on its connection. When the scope closes, calls that wait for a pause run at
 * once: the connections are free when they are closed afterwards.
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
    const fork = Effect.runForkWith(yield* Effect.context())
    const { pause } = options
    let calls: Array<Call<K, A, E>> = []
    let running = 0
    let scheduled = false
    let onIdle: (() => void) | undefined

    const runGroups = (keys: ReadonlyArray<K>): Effect.Effect<ReadonlyArray<A>, E> => {
      const { groupOf } = options
      const groups = groupOf && Map.groupBy(keys.keys(), (at) => groupOf(keys[at] as K))
      if (groups === undefined || groups.size === 1) return options.run(keys)
      return Effect.map(
        Effect.forEach(
          groups.values(),
          (group) =>
            Effect.map(options.run(group.map((at) => keys[at] as K)), (answers) =>
              group.map((at, index) => [at, answers[index] as A] as const),
            ),
          { concurrency: "unbounded" },
        ),
        (done) => {
          // By place: the same key may be there more than once, each with an answer of its own.
          const answers = new Map(done.flat())
          return Array.from(keys.keys(), (at) => answers.get(at) as A)
        },
      )
    }

    const flush = () => {
      scheduled = false
      if (calls.length === 0 || running >= options.concurrency) return
      const batch = calls
      calls = []
      running++
      fork(runGroups(batch.map(({ key }) => key))).addObserver((exit: Exit.Exit<ReadonlyArray<A>, E>) => {
        running--
        if (running === 0 && calls.length === 0) onIdle?.()
        // Not at once: what comes in the same turn shares the next statement.
        schedule()
        if (exit._tag === "Failure") for (const { resume } of batch) resume(Effect.failCause(exit.cause))
        else for (const [index, { resume }] of batch.entries()) resume(Effect.succeed(exit.value[index] as A))
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
