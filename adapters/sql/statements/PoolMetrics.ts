import { Clock, Effect, Metric, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { showGauge } from "../../../core/model/log/ShownGauge.ts"

const waitSeconds = Metric.histogram("designwire_database_connection_wait_seconds", {
  description: "Time until a transaction or a long read had a connection of the pool, or gave up",
  boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

/**
 * Shows how the `size` connections for transactions and long reads are used, while the scope is open, and returns a
 * function that measures a way to reserve one.
 */
export const measuring = (
  size: number,
): Effect.Effect<(reserve: SqlClient.SqlClient["reserve"]) => SqlClient.SqlClient["reserve"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const counts = { reserved: 0, waiting: 0 }
    const gauges = [
      ["designwire_database_connections_max", "Connections for transactions and long reads", () => size],
      [
        "designwire_database_connections_reserved",
        "Those that a transaction or a long read holds",
        () => counts.reserved,
      ],
      ["designwire_database_connections_waiting", "Calls that wait for a connection", () => counts.waiting],
    ] as const
    for (const [name, description, value] of gauges) yield* showGauge(name, description, value)
    const release = Effect.sync(() => {
      counts.reserved--
    })
    return (reserve) =>
      Effect.uninterruptibleMask((restore) => {
        counts.waiting++
        const began = clock.currentTimeNanosUnsafe()
        return restore(reserve).pipe(
          Effect.onExit(() =>
            Effect.sync(() => {
              counts.waiting--
              waitSeconds.updateUnsafe(Number(clock.currentTimeNanosUnsafe() - began) / 1e9, context)
            }),
          ),
          Effect.tap(() => {
            counts.reserved++
            return Effect.addFinalizer(() => release)
          }),
        )
      })
  })
