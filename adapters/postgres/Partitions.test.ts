/** Tables partitioned by a hash of the shop. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { describe } from "vitest"
import { OuterTransaction, register, storage } from "../../conformance/index.ts"
import { makeDesign, makeOrder, makeShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { createEndpoint, makeEvent, request } from "../../conformance/suites/storage/support/Webhooks.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { type Claim, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { fromPgPool, layerStores, type OwnPool, type Query } from "../connection/index.ts"
import { partitioningSql } from "../sql/index.ts"
import { layer, layerClient, migrate, type PostgresOptions } from "./index.ts"

/** Creates the tables in 16 partitions. */
const partition = (options: PostgresOptions) =>
  Effect.gen(function* () {
    yield* migrate
    yield* (yield* SqlClient.SqlClient).unsafe(partitioningSql(16, options.schema))
  }).pipe(Effect.provide(layerClient({ ...options, maxConnections: 1 }), { local: true }))

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

register(
  storage({
    name: "storage in 16 partitions",
    ...variantCases,
    lacks: { faults: "the suite over Postgres cuts the same connections" },
    open: Effect.gen(function* () {
      const options: PostgresOptions = { url: Redacted.make(yield* freshDatabase), schema: "parts" }
      yield* partition(options)
      return Layer.provideMerge(outerTransaction, layer(options))
    }),
  }),
  { describe, it },
)

interface Plan {
  readonly "Relation Name"?: string
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Plan>
}

/** The tables that a plan has read; partitions have names of their own. */
const tablesOf = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Relation Name"] !== undefined && plan["Actual Loops"] > 0 ? [plan["Relation Name"]] : []),
  ...(plan.Plans ?? []).flatMap(tablesOf),
]

/** A pool that reports the tables that each statement reads, by EXPLAIN. */
const explained = (pool: OwnPool, note: (text: string, tables: ReadonlyArray<string>) => void): OwnPool => {
  const explaining = (query: Query): Query => {
    let begun = false
    return async (text, values) => {
      if (text === "BEGIN") begun = true
      if (text === "COMMIT" || text === "ROLLBACK") begun = false
      if (/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(text)) return query(text, values)
      if (!begun) await query("BEGIN", [])
      await query("SAVEPOINT explained", [])
      const [row] = await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
      await query("ROLLBACK TO explained", [])
      const plans = (row?.["QUERY PLAN"] ?? []) as ReadonlyArray<{ readonly Plan: Plan }>
      note(
        text,
        plans.flatMap(({ Plan }) => tablesOf(Plan)),
      )
      const rows = await query(text, values)
      if (!begun) await query("COMMIT", [])
      return rows
    }
  }
  const reserve = async () => {
    const { query, release } = await pool.reserve()
    return { query: explaining(query), release }
  }
  return {
    reserve,
    query: async (text, values) => {
      const { query, release } = await reserve()
      const rows = await query(text, values)
      release(false)
      return rows
    },
  }
}

/** Fills the tables so far that the server reads them by their indexes. */
const fill = `INSERT INTO designwire.shops SELECT 's' || i, 'a.example.com', 'EUR', 'pro', 1, '' FROM generate_series(0, 49) i;
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret, proven)
SELECT id, 'whe_' || id, 'https://example.com/', '', '{design.ordered}', 'active', 0, now(), '', true FROM designwire.shops;
CREATE TEMPORARY TABLE numbers AS SELECT i, 's' || i % 50 AS shop FROM generate_series(1, 20000) i;
INSERT INTO designwire.events SELECT shop, 'evt_' || i, 'design.ordered', false, now(), '{}' FROM numbers;
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, attempts)
SELECT shop, 'dlv_' || i, 'whe_' || shop, 'evt_' || i, 'design.ordered', false, 'succeeded', now(), 1 FROM numbers;
INSERT INTO designwire.orders SELECT shop, i::text, now(), '{', 'tag', 1 FROM numbers;
INSERT INTO designwire.designs SELECT shop, i::text, 'ordered', i::text, 0, now(), '{}', 'tag', 1 FROM numbers;
ANALYZE`

const settlement = (claim: Claim, statusCode: number) => ({
  claim,
  attempt: { number: claim.attempt, at: someTime, durationMs: 5, statusCode, responseStart: "", error: null },
  status: "succeeded" as const,
  nextAttemptAt: null,
})

it.live("reads, commits and settlements of one shop MUST touch one partition of each table", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* partition({ url: Redacted.make(url) })
    const pool = new pg.Pool({ connectionString: url })
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))
    yield* Effect.promise(() => pool.query(fill))
    let statements = 0
    const several: Array<string> = []
    let watching = true
    const own = explained(fromPgPool(pool), (text, tables) => {
      // A NOTIFY of its own reads no table, and comes only if commits follow each other quickly.
      if (!watching || tables.length === 0) return
      statements++
      const parts = new Set(tables.flatMap((table) => /_(\d+)$/.exec(table)?.[1] ?? []))
      if (parts.size > 1) several.push(text)
    })
    yield* Effect.gen(function* () {
      const shop = makeShop()
      const [orders, queue, log] = [yield* OrderStore, inTurn(yield* DeliveryQueue), yield* DeliveryLog]
      yield* ShopStore.use((shops) => shops.put(shop))
      const endpoint = yield* createEndpoint(shop.id)
      const commit = (revision: number) =>
        orders.commit({
          shop: shop.id,
          designs: [makeDesign(shop.id, "d", { revision, orderId: "1" })],
          order: makeOrder(shop.id, "1", { revision }),
          events: [makeEvent(shop.id)],
        })
      yield* commit(1)
      yield* commit(2)
      yield* orders.readDesign(shop.id, "d")
      yield* orders.designs(shop.id, ["d"])
      yield* orders.order(shop.id, "1")
      yield* orders.latestOrderedDesign(shop.id)
      for (const orderedAfter of [null, someTime]) {
        yield* orders.readOrders({ shop: shop.id, limit: 25, bytes: 100_000, after: null, orderedAfter })
      }
      watching = false
      const [first, second] = yield* queue.claim(request({ now: someTime }))
      watching = true
      const advance = {
        status: "active",
        consecutiveFailures: 1,
        switchedOffAt: null,
        proven: false,
        troubled: true,
      } as const
      for (const claim of [first, second]) {
        expect(
          yield* queue.settle([settlement(claim as Claim, 200)], (health) => (claim === first ? health : advance)),
        ).toEqual([true])
      }
      expect((yield* log.list(shop.id, endpoint.id, 50)).map(({ status }) => status)).toEqual([
        "succeeded",
        "succeeded",
      ])
      expect(yield* log.missed(shop.id, endpoint.id, 0)).toBe(0)
    }).pipe(Effect.provide(layerStores(own), { local: true }))
    expect(statements).toBeGreaterThanOrEqual(20)
    expect(several).toEqual([])
  }).pipe(Effect.scoped),
)
