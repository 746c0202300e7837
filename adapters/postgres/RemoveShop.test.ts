/** The rows that removing a shop reads. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { planned, statementsOf } from "../../conformance/testkit/databases/Plans.ts"
import { dropHoldings } from "../sql/upkeep/RemoveShop.ts"
import { layer } from "./index.ts"

/** Events of the shop, and of one step. */
const [many, step] = [6_000, 500]

/** Stores events of a shop, or each of another one. */
const addEvents = (shop: "large" | "each", count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, body)
SELECT CASE ${shop}::text WHEN 'each' THEN 'other-' || i ELSE 'large' END, 'evt_' || i, 'design.ordered', false, now(),
  '1', 'design', '{}' FROM generate_series(1, ${count}::int4) i`,
  )

it.live.each(["from before it grew", "of the moment"])(
  "a step of a shop's removal MUST read no more rows than it deletes, with statistics %s (D43)",
  (statistics) =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* migratedDatabase)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE designwire.events SET (autovacuum_enabled = false)`
        yield* addEvents("each", 1_000)
        yield* sql`ANALYZE designwire.events`
        yield* addEvents("large", many)
        if (statistics === "of the moment") yield* sql`ANALYZE designwire.events`
        const dropping = sql.withTransaction(dropHoldings(sql, "large", step))
        const statements = yield* statementsOf(dropping)
        const parts = yield* sql.withTransaction(planned(statements))
        const reads = parts.filter((part) => part["Relation Name"] === "events" && part["Node Type"].endsWith("Scan"))
        // The places of the rows, then the rows.
        expect(reads).toHaveLength(2)
        for (const read of reads) {
          expect(read).toMatchObject({ "Actual Rows": step, "Actual Loops": 1 })
          expect(read["Rows Removed by Filter"] ?? 0).toBe(0)
        }
        const [set] = yield* sql<{ scans: string }>`SELECT current_setting('enable_seqscan') AS scans`
        expect(set).toEqual({ scans: "on" })
      }).pipe(Effect.provide(layer({ url, maxConnections: 1 })))
    }).pipe(Effect.scoped),
)
