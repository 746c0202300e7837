/** A target that is lost while a shop is on its way to it. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, References, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { endedBefore, newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import * as Postgres from "../postgres/index.ts"
import { type Cell, moveShop, undoMove } from "./index.ts"

/** A cell whose server is not there. */
const lost = Effect.gen(function* () {
  const port = yield* Effect.promise(freePort)
  const url = Redacted.make(`postgres://postgres:postgres@127.0.0.1:${port}/lost`)
  const client = yield* Layer.build(Layer.fresh(Postgres.layerClient({ url, maxConnections: 2 })))
  const cell: Cell = { name: "target", url, sql: yield* Effect.provideContext(SqlClient.SqlClient, client) }
  return cell
})

/** Ends the workers of a cell's subscriptions, which would make slots again: a lost server has none that work. */
const stopWorkers = Effect.fnUntraced(function* ({ sql }: Cell) {
  const names = yield* sql<{ name: string }>`SELECT quote_ident(subname) AS name
FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()`
  expect(names).toHaveLength(1)
  for (const { name } of names) yield* sql.unsafe(`ALTER SUBSCRIPTION ${name} DISABLE`)
  const running = sql`SELECT FROM pg_stat_activity
WHERE datname = current_database() AND backend_type LIKE 'logical replication%'`
  const none = Effect.repeat(running, { until: (rows) => rows.length === 0, schedule: Schedule.spaced("20 millis") })
  yield* Effect.timeout(none, "60 seconds")
})

it.live.each(["watch", "drain"])(
  "a shop whose target is lost before %s MUST open at the source by a flag (D92)",
  (step) =>
    Effect.gen(function* () {
      const { options, remains, rowsOf, source, target } = yield* Effect.flatMap(
        Effect.all([migratedDatabase, migratedDatabase]),
        ([source, target]) => openCells(source, target),
      )
      const { check, shop, write } = yield* source.onHost(newShopInUse)
      yield* source.onHost(write)
      yield* endedBefore(step, moveShop(options(shop)))
      yield* stopWorkers(target)
      const without = { ...options(shop), target: yield* lost }
      // Without the flag the shop stays closed, because the target might have it.
      yield* Effect.flip(undoMove(without))
      expect(yield* Effect.flip(undoMove({ ...options(shop), isTargetLost: true }))).toMatchObject({
        message: expect.stringContaining("target answers"),
      })
      expect(yield* undoMove({ ...without, isTargetLost: true })).toBe(true)
      yield* source.onHost(write)
      yield* source.onHost(check)
      expect(yield* source.sql`SELECT FROM pg_replication_slots WHERE database = current_database()`).toEqual([])
      expect(yield* source.sql`SELECT FROM designwire.moves`).toEqual([])
      expect(yield* undoMove({ ...without, isTargetLost: true })).toBe(false)
      // It comes back after all.
      expect(yield* undoMove(options(shop))).toBe(true)
      expect([yield* rowsOf(target, shop), yield* remains]).toEqual([{}, []])
      expect(yield* moveShop(options(shop))).toBe(true)
      yield* target.onHost(check)
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)

it.live("a shop that is open at the target MUST NOT open at the source, whether the target is lost or not (D92)", () =>
  Effect.gen(function* () {
    const { options, source } = yield* Effect.flatMap(
      Effect.all([migratedDatabase, migratedDatabase]),
      ([source, target]) => openCells(source, target),
    )
    const { shop } = yield* source.onHost(newShopInUse)
    yield* moveShop(options(shop))
    const without = { ...options(shop), target: yield* lost, isTargetLost: true }
    expect(yield* Effect.flip(undoMove(without))).toMatchObject({
      message: expect.stringContaining("Restore a backup"),
    })
  }).pipe(Effect.scoped),
)
