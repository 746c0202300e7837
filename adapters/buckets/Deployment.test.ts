import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newDatabases, newDeployment, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import { latest } from "../../conformance/testkit/databases/LaterVersions.ts"
import { migrate as migrateStores, migrations, SchemaName, SchemaState } from "../sql/index.ts"
import { type Deployment, layerState, migrate, pending, requireCurrent, untilNewer } from "./index.ts"

const message = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error.message)

it.live(
  "migrating MUST spread the buckets over the databases, do nothing twice, and go on after it was broken off",
  () =>
    Effect.gen(function* () {
      const wires = yield* newDatabases(["first", "second"])
      const { deployment, first } = yield* openDatabases(wires, 4)
      const second = deployment.databases["second"] as SqlClient.SqlClient
      expect(yield* message(requireCurrent(deployment))).toContain(
        'has no directory of buckets. Run "designwire migrate"',
      )
      const names = Object.keys(migrations)
      expect(yield* migrate(deployment)).toEqual(
        ["00", "01", "02", "03"].flatMap((bucket) => names.map((name) => `${bucket}: ${name}`)),
      )
      yield* requireCurrent(deployment)
      expect(yield* migrate(deployment)).toEqual([])
      const buckets = (sql: SqlClient.SqlClient) =>
        Effect.map(
          sql<{ name: string }>`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'designwire%' ORDER BY 1`,
          (rows) => rows.map(({ name }) => name),
        )
      expect(yield* buckets(first)).toEqual(["designwire_00", "designwire_02", "designwire_directory"])
      expect(yield* buckets(second)).toEqual(["designwire_01", "designwire_03"])
      yield* second`DROP SCHEMA designwire_03 CASCADE`
      expect(yield* pending(deployment)).toEqual(names.map((name) => `03: ${name}`))
      expect(yield* message(requireCurrent(deployment))).toMatch(/they lack 03: 1_baseline.* Run "designwire migrate"/)
      expect(yield* migrate(deployment)).toEqual(names.map((name) => `03: ${name}`))
    }).pipe(Effect.scoped),
)

it.live("a configuration that is not the directory's MUST be refused with a sentence that says what to do", () =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first", "second"], 4)
    const { deployment, first } = yield* openDatabases(wires, 4)
    const of = (fields: Partial<Deployment>) => ({ ...deployment, ...fields })
    expect(yield* message(requireCurrent(of({ buckets: 8 })))).toContain("DESIGNWIRE_BUCKETS says 8: set it to 4")
    expect(yield* message(migrate(of({ buckets: 8 })))).toContain("set it to 4")
    expect(yield* message(requireCurrent(of({ databases: { first } })))).toContain(
      "Buckets are in second, which DESIGNWIRE_DATABASES does not name",
    )
    const other = of({ schema: "other" })
    yield* Effect.provideService(Effect.provideService(migrateStores, SchemaName, "other"), SqlClient.SqlClient, first)
    expect(yield* message(migrate(other))).toContain("has a deployment without buckets")
    expect(yield* message(requireCurrent(other))).toContain("has no directory of buckets")
  }).pipe(Effect.scoped),
)

it.live("a deployment MUST NOT be migrated while a bucket is being moved", () =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first", "second"], 2)
    const { deployment, first } = yield* openDatabases(wires, 2)
    yield* first`INSERT INTO designwire_directory.moves (bucket, source, target, phase)
VALUES (0, 'first', 'second', 'switching')`
    yield* first`ALTER SCHEMA designwire_00 RENAME TO designwire_00_closed`
    expect(yield* message(migrate(deployment))).toBe("Bucket 00 is being moved: let its move end, then migrate")
    const [row] = yield* first<{ gone: boolean }>`SELECT to_regclass('designwire_00.shops') IS NULL AS gone`
    expect(row?.gone).toBe(true)
  }).pipe(Effect.scoped),
)

it.live("commands that migrate at the same time MUST make one deployment", () =>
  Effect.gen(function* () {
    const wires = yield* newDatabases(["first", "second"])
    const done = yield* Effect.forEach(
      [1, 2, 3],
      () => Effect.scoped(Effect.flatMap(openDatabases(wires, 4), ({ deployment }) => migrate(deployment))),
      { concurrency: "unbounded" },
    )
    expect(done.flat()).toHaveLength(4 * Object.keys(migrations).length)
  }).pipe(Effect.scoped),
)

it.effect("a host MUST stop once a newer version has begun to migrate the buckets", () =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first"], 2)
    const { deployment, first } = yield* openDatabases(wires, 2)
    const waiting = yield* Effect.forkScoped(untilNewer(deployment))
    const nextLook = Effect.andThen(TestClock.adjust("10 seconds"), first`SELECT 1`)
    yield* Effect.repeat(nextLook, { times: 10 })
    expect(waiting.pollUnsafe()).toBeUndefined()
    yield* first`UPDATE designwire_directory.stores SET migration = ${latest + 1}`
    yield* Effect.repeat(nextLook, { until: () => waiting.pollUnsafe() !== undefined })
    expect(yield* message(Fiber.join(waiting))).toContain("by a newer version of designwire")
  }).pipe(Effect.scoped),
)

it.live("a host MUST stay ready while a database beside the first is down, and not without the directory", () =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first", "second"], 2)
    const { deployment } = yield* openDatabases(wires, 2)
    yield* Effect.gen(function* () {
      const { ready, requireCurrent } = yield* SchemaState
      yield* ready
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* wires.second.cut
          yield* ready
          expect((yield* Effect.flip(requireCurrent))._tag).toBe("SqlError")
        }),
      )
      yield* wires.first.cut
      expect((yield* Effect.flip(ready))._tag).toBe("SqlError")
    }).pipe(Effect.provide(layerState(deployment), { local: true }))
  }).pipe(Effect.scoped),
)
