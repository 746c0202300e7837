/** Metrics of the pool and of errors (hosts/cli/OPERATING.md). */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Metric, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layerClient, layerStores, migrate } from "./index.ts"

/** The values of a metric by its labels. */
const valuesOf = (name: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    Object.fromEntries(
      metrics.flatMap(({ attributes, id, state }) => {
        const labels = Object.values(attributes ?? {}).join(" ")
        return id !== name ? [] : [[labels, "count" in state ? state.count : (state as { value: number }).value]]
      }),
    ),
  )

const errors = valuesOf("designwire_database_errors_total")

const connections = Effect.all(
  ["max", "reserved", "waiting"].map((what) =>
    Effect.map(valuesOf(`designwire_database_connections_${what}`), (values) => values[""]),
  ),
)

it.live("MUST show how many calls have a connection or wait for one, and count errors of the database by class", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* freshDatabase)
    const client = layerClient({ url, maxConnections: 1, connectionWait: 300 })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const upkeep = yield* Upkeep
      const shops = yield* ShopStore
      expect(yield* connections).toEqual([1, 0, 0])
      yield* Effect.flip(shops.list({ search: null, after: null, limit: 10 }))
      expect(yield* errors).toEqual({ syntax: 1 })
      yield* migrate
      const [held, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(end))),
      )
      yield* Deferred.await(held)
      const counting = yield* Effect.forkChild(Effect.flip(upkeep.statistics(0)))
      yield* Effect.repeat(Effect.delay(connections, "2 millis"), { until: ([, , waiting]) => waiting === 1 })
      expect(yield* connections).toEqual([1, 1, 1])
      yield* Fiber.join(counting)
      expect(yield* errors).toEqual({ syntax: 1, no_free_connection: 1 })
      expect(yield* connections).toEqual([1, 1, 0])
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holding)
      yield* upkeep.statistics(0)
      expect(yield* connections).toEqual([1, 0, 0])
    }).pipe(Effect.provide(layerStores().pipe(Layer.provideMerge(client))))
    expect(yield* connections).toEqual([undefined, undefined, undefined])
    const waits = Object.values(yield* valuesOf("designwire_database_connection_wait_seconds"))
    expect(Number(waits[0])).toBeGreaterThanOrEqual(3)
    // Waits within this test: none has been as long as the process.
    const [longest] = (yield* Metric.snapshot).flatMap(({ id, state }) =>
      id === "designwire_database_connection_wait_seconds" && "max" in state ? [state.max] : [],
    )
    expect(Number(longest)).toBeLessThan(process.uptime())
  }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())),
)
