/** Moves alongside VACUUM, which takes long on large tables. */
import { expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import type { SqlClient } from "effect/sql"
import { Client } from "pg"
import { afterAll, beforeAll, inject } from "vitest"
import { endsWithin, newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { moveShop } from "./index.ts"
import { BeforeStep } from "./Move.ts"

/** Sets how often the server looks for tables to vacuum: a step that waits for that for long would be repeated. */
const setNaptime = async (setting: string) => {
  const client = new Client(inject("postgresUrl"))
  await client.connect()
  await client.query(`ALTER SYSTEM ${setting}`)
  await client.query("SELECT pg_reload_conf()")
  await client.end()
}

beforeAll(() => setNaptime("SET autovacuum_naptime = '1s'"))
afterAll(() => setNaptime("RESET autovacuum_naptime"))

/** Fills `events`, and waits until the server vacuums it. That takes half a minute, a tenth of a second for a page. */
const vacuumed = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`ALTER TABLE designwire.events SET (autovacuum_vacuum_insert_threshold = 1,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`
  yield* sql`INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, body)
SELECT 'other', 'evt_' || i, 'design.ordered', false, now(), '1', 'design', repeat('x', 1800)
FROM generate_series(1, 1200) i`
  const looking = sql`SELECT 1 AS found FROM pg_stat_progress_vacuum
WHERE relid = 'designwire.events'::regclass AND phase = 'scanning heap'`
  yield* endsWithin(
    "VACUUM",
    "60 seconds",
    Effect.repeat(Effect.delay(looking, "20 millis"), { until: (rows) => rows.length > 0 }),
  )
})

it.live.each(["gate of the source", "close"])(
  "a shop MUST move while its source vacuums a table, from before %s on (D91)",
  (begin) =>
    Effect.gen(function* () {
      const urls = yield* Effect.all([migratedDatabase, migratedDatabase])
      const { options, source, target } = yield* openCells(...urls)
      const { sql } = (yield* openCells(...urls)).source
      const { check, shop } = yield* source.onHost(newShopInUse)
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const beforeStep = (step: string) => (step === begin ? Effect.orDie(vacuumed(sql)) : Effect.void)
      yield* moveShop(options(shop)).pipe(
        Effect.provideService(BeforeStep, beforeStep),
        Effect.provide(Logger.layer([logger])),
      )
      yield* target.onHost(check)
      // No try of the switch has failed, and no VACUUM has ended since.
      expect(lines).toEqual([])
      const ended = yield* sql`SELECT autovacuum_count::int4 AS count FROM pg_stat_user_tables WHERE relname = 'events'`
      expect(ended).toEqual([{ count: 0 }])
    }).pipe(Effect.scoped),
)
