/** Buckets that the next version migrates, beside hosts and commands of this one. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { contracting, expanding, laterVersions, latest } from "../../conformance/testkit/databases/LaterVersions.ts"
import { newShopInUse, newShopMoves, placesOf } from "../../conformance/testkit/databases/MovingShops.ts"
import { migrate as migrateStores, SchemaState } from "../sql/index.ts"
import { KnownMigrations } from "../sql/schema/KnownMigrations.ts"
import { MigrationPatience } from "../sql/schema/MigrationPatience.ts"
import { adopt, layerState, migrate, moveShop, requireCurrent, untilNewer } from "./index.ts"

const nextVersion = Effect.provideService(KnownMigrations, laterVersions.next)
const versionAfterNext = Effect.provideService(KnownMigrations, laterVersions.afterNext)

const buckets = ["00", "01", "02", "03"]

/** The changes of the next version. */
const migrated = buckets.flatMap((bucket) => expanding.map((name) => `${bucket}: ${name}`))

it.effect("hosts MUST go on over buckets that the next version has expanded, and stop once they are contracted", () =>
  Effect.gen(function* () {
    const { deployment, first, onHost } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const stopping = yield* Effect.forkScoped(untilNewer(deployment))
    const nextStopping = yield* Effect.forkScoped(nextVersion(untilNewer(deployment)))
    yield* onHost(use.write)
    expect(yield* nextVersion(migrate(deployment))).toEqual(migrated)
    yield* requireCurrent(deployment)
    yield* onHost(use.write)
    const nextLook = Effect.andThen(TestClock.adjust("10 seconds"), first`SELECT 1`)
    yield* Effect.repeat(nextLook, { times: 10 })
    expect(stopping.pollUnsafe()).toBeUndefined()
    const compared = SchemaState.use(({ compare }) => compare).pipe(
      Effect.provide(layerState(deployment), { local: true }),
    )
    expect(yield* compared).toEqual({ missing: [], newer: expanding, stopsWithout: undefined })
    expect(yield* versionAfterNext(compared)).toMatchObject({ stopsWithout: expanding.at(-1) })
    expect(yield* migrate(deployment)).toEqual([])

    expect(yield* versionAfterNext(migrate(deployment))).toHaveLength(buckets.length)
    yield* Effect.repeat(nextLook, { until: () => stopping.pollUnsafe() !== undefined })
    expect((yield* Effect.flip(Fiber.join(stopping))).message).toBe(
      `The buckets are migrated by a newer version of designwire: hosts must know migration ${latest + 2}, and the ` +
        `latest that this version knows is ${latest}. Use that version`,
    )
    expect((yield* Effect.flip(requireCurrent(deployment))).message).toContain(`it has ${contracting}; `)
    yield* nextVersion(requireCurrent(deployment))
    expect(nextStopping.pollUnsafe()).toBeUndefined()
    yield* onHost(use.check)
  }).pipe(Effect.scoped),
)

it.live("an older command MUST NOT move or adopt what the next version has migrated, which it would copy in part", () =>
  Effect.gen(function* () {
    const { deployment, first, onHost, options } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    yield* onHost(use.write)
    yield* nextVersion(migrate(deployment))
    const { far } = placesOf(use.shop)
    const sentence = `was migrated by a newer version of designwire: it has ${expanding.join(", ")}. Run the command of that version`
    expect((yield* Effect.flip(moveShop(options(use.shop, far)))).message).toContain(sentence)
    yield* nextVersion(moveShop(options(use.shop, far)))
    yield* onHost(use.check)

    yield* first`DROP SCHEMA designwire_directory CASCADE`
    yield* nextVersion(Effect.provideService(migrateStores, SqlClient.SqlClient, first))
    const { databases, directory, schema } = options(use.shop, far)
    const adopting = adopt({ databases, directory, schema, buckets: buckets.length })
    expect((yield* Effect.flip(adopting)).message).toBe(`The schema designwire ${sentence}`)
  }).pipe(Effect.scoped),
)

it.live("a bucket whose tables are in use MUST be migrated once they are free, and the others at once", () =>
  Effect.gen(function* () {
    const { bucket, deployment } = yield* newShopMoves()
    const [isHeld, isFree] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const { sql } = bucket(1)
    const held = sql`SELECT count(*) FROM designwire_01.orders`.pipe(
      Effect.andThen(Deferred.succeed(isHeld, undefined)),
      Effect.andThen(Deferred.await(isFree)),
    )
    yield* Effect.forkScoped(sql.withTransaction(held))
    yield* Deferred.await(isHeld)
    const migrating = yield* Effect.forkScoped(
      nextVersion(migrate(deployment)).pipe(
        Effect.provideService(MigrationPatience, { lock: 100, pauses: Array.from({ length: 1_000 }, () => 0.1) }),
      ),
    )
    const made = (number: number) =>
      Effect.map(
        bucket(number).sql<{
          made: boolean
        }>`SELECT to_regclass(${`designwire_0${number}.order_notes`}) IS NOT NULL AS made`,
        ([row]) => row?.made === true,
      )
    for (const other of [0, 2, 3]) yield* Effect.repeat(made(other), { until: (isMade) => isMade })
    expect(yield* made(1)).toBe(false)
    expect(migrating.pollUnsafe()).toBeUndefined()
    yield* Deferred.succeed(isFree, undefined)
    expect(yield* Fiber.join(migrating)).toEqual(migrated)
  }).pipe(Effect.scoped),
)
