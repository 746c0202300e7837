/** Moves alongside VACUUM, which takes long on large tables. */
import { expect, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
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

const looking = (sql: SqlClient.SqlClient) =>
  endsWithin(
    "VACUUM",
    "60 seconds",
    Effect.repeat(
      Effect.delay(
        sql`SELECT 1 AS found FROM pg_stat_progress_vacuum
WHERE relid = 'designwire.events'::regclass AND phase = 'scanning heap'`,
        "20 millis",
      ),
      { until: (rows) => rows.length > 0 },
    ),
  )

const fill = (sql: SqlClient.SqlClient) => sql`
INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, body)
SELECT 'other', 'evt_' || i, 'design.ordered', false, now(), '1', 'design', repeat('x', 1800)
FROM generate_series(1, 1200) i`

/** Fills `events`, and waits until the server vacuums it. That takes half a minute, a tenth of a second for a page. */
const vacuumedByServer = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`ALTER TABLE designwire.events SET (autovacuum_vacuum_insert_threshold = 1,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`
  yield* fill(sql)
  yield* looking(sql)
})

/** The same at once, as the time in which a shop is closed is short; until the scope ends. */
const vacuumedByHand = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, url: string) {
  const client = new Client(url)
  client.on("error", () => {})
  yield* Effect.promise(() => client.connect())
  yield* Effect.promise(() => client.query("SET vacuum_cost_delay = 100; SET vacuum_cost_limit = 1"))
  const vacuum = client.query("VACUUM designwire.events").catch(() => {})
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.ignore(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_progress_vacuum
WHERE relid = 'designwire.events'::regclass`),
      Effect.promise(() => vacuum),
    ),
  )
  yield* looking(sql)
})

it.live.each(["gate of the source", "close"])(
  "a shop MUST move while its source vacuums a table, from before %s on (D91)",
  (begin) =>
    Effect.gen(function* () {
      const urls = yield* Effect.all([migratedDatabase, migratedDatabase])
      const { options, source, target } = yield* openCells(...urls)
      const { sql } = (yield* openCells(...urls)).source
      const { check, shop } = yield* source.onHost(newShopInUse)
      const scope = yield* Effect.scope
      if (begin === "close") yield* fill(sql)
      const vacuumed = begin === "close" ? vacuumedByHand(sql, urls[0]) : vacuumedByServer(sql)
      // A busy machine may try the switch again.
      const once = yield* Effect.cached(Effect.orDie(Effect.provideService(vacuumed, Scope.Scope, scope)))
      yield* moveShop(options(shop)).pipe(
        Effect.provideService(BeforeStep, (step) => (step === begin ? once : Effect.void)),
      )
      yield* target.onHost(check)
      const ended = yield* sql`SELECT (autovacuum_count + vacuum_count)::int4 AS count
FROM pg_stat_user_tables WHERE relname = 'events'`
      expect(ended).toEqual([{ count: 0 }])
    }).pipe(Effect.scoped),
)
