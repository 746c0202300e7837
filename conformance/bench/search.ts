/**
 * Pages of deliveries, what waits, and searches, in a shop with a million deliveries and a fifth as many orders, over
 * Postgres: `node --import ./conformance/testkit/processes/Tsx.ts conformance/bench/search.ts [deliveries]`. Each must
 * take at most 20 ms at the 99th percentile; the last line is JSON.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type postgres from "postgres"
import { layer } from "../../adapters/postgres/index.ts"
import type { DeliveryFilter, DeliveryPlace } from "../../core/model/deliveries/LoggedDelivery.ts"
import { DeliverySearch } from "../../core/ports/DeliverySearch.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { main, note, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"
import { seedManyOrders, seedShop, shopOf, tidy } from "./support/Seed.ts"
import { percentiles } from "./support/Statistics.ts"

const count = Number(process.argv[2] ?? 1_000_000)
const shop = shopOf("busy")
const first = Date.UTC(2026, 0, 1)
const orders = Math.ceil(count / 5)

/** Milliseconds at the 99th percentile. */
const most = 20

/**
 * Five endpoints; one delivery in 200 failed, one event in 10,000 was cancelled, one in 50,000 a test, the last 1 % are
 * pending, half of them suspended.
 */
const fill = async (sql: postgres.Sql): Promise<void> => {
  await seedShop(sql, shop, 1)
  await sql`INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret)
    SELECT ${shop.id}, 'whe_' || i, 'https://erp.example.com/' || i, '', '{design.ordered}', 'active', 0, now(), 'sealed'
    FROM generate_series(0, 4) i`
  await sql`CREATE TEMPORARY TABLE n AS SELECT i, lpad(i::text, 12, '0') AS id, to_timestamp(${first / 1000} + i * 2.5) AS at,
    CASE WHEN i % 10000 = 7 THEN 'order.cancelled' ELSE 'design.ordered' END AS event, i % 50000 = 9 AS test
    FROM generate_series(0, ${count}::int - 1) i`
  await sql`INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, body)
    SELECT ${shop.id}, 'evt_' || id, event, test, at, (i / 3)::text, 'design-' || i, '{"data":{},"pad":"' || repeat('x', 600) || '"}' FROM n`
  await sql`INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts, attempt_log)
    SELECT ${shop.id}, 'dlv_' || id || (i % 5), 'whe_' || (i % 5), 'evt_' || id, event, test,
      CASE WHEN i >= ${count}::int * 0.99 THEN 'pending' WHEN i % 200 = 11 THEN 'failed' ELSE 'succeeded' END, at,
      CASE WHEN i >= ${count}::int * 0.99 THEN at END,
      CASE WHEN i >= ${count}::int * 0.99 THEN CASE WHEN i % 2 = 0 THEN 'due' ELSE 'suspended' END END, 1,
      '[{"at":1,"error":null,"number":1,"durationMs":50,"statusCode":200,"responseStart":"ok"}]'
    FROM n`
  await sql`DROP TABLE n`
  await seedManyOrders(sql, shop, { count: orders, first, span: count * 2_500 })
  await tidy(sql)
}

const run = async (cleanup: Cleanup): Promise<void> => {
  const { sql, url } = await startDatabase(cleanup)
  note(`Filling a shop with ${count} deliveries`)
  await fill(sql)
  const runtime = ManagedRuntime.make(Layer.orDie(layer({ url: Redacted.make(url) })))
  cleanup.add(() => runtime.dispose())
  const ports = await runtime.context()
  const search = Context.get(ports, DeliverySearch)
  const ordersOf = (text: string, exact: boolean) =>
    Context.get(ports, OrderStore).search({
      ...{ shop: shop.id, text, exact, status: null, from: null, until: null, after: null, limit: exact ? 5 : 25 },
      designs: { skip: 0, limit: exact ? 0 : 3, bytes: 32 * 1_024 },
    })
  const middle: DeliveryPlace = { at: first + count * 1_250, id: "dlv" }
  const page =
    (filter: DeliveryFilter, after: DeliveryPlace | null = null) =>
    () =>
      search.page({ shop: shop.id, filter, after, limit: 25 })
  const numbered = () => Math.floor(Math.random() * count)
  const ofEvents = (about: Parameters<typeof search.events>[0]["about"]) =>
    Effect.flatMap(search.events({ shop: shop.id, about, limit: 200 }), (events) =>
      search.ofEvents({ shop: shop.id, events: events.map(({ id }) => id), after: null, limit: 25 }),
    )
  const calls: Readonly<Record<string, () => Effect.Effect<unknown, StorageError>>> = {
    "the first page": page({}),
    "a page in the middle": page({}, middle),
    "a page of one endpoint": page({ endpoint: "whe_3" }, middle),
    "a page of failed ones": page({ status: "failed" }),
    "failed ones of a rare kind (next part)": page({ status: "failed", kind: "order.cancelled" }),
    "a page of pending ones": page({ status: "pending" }),
    "pending ones where there are none (next part)": page({ status: "pending" }, middle),
    "a page of a rare kind (next part)": page({ kind: "order.cancelled" }, middle),
    "a page of tests (next part)": page({ test: true }, middle),
    "a page of one day": page({ from: first + 86_400_000, until: first + 2 * 86_400_000 }),
    "failed ones of one day": page({ status: "failed", from: first + 86_400_000, until: first + 2 * 86_400_000 }),
    "what waits": () => search.pending({ shop: shop.id, after: null, limit: 25 }),
    "an order": () => ofEvents({ order: String(Math.floor(numbered() / 3)) }),
    "a design": () => ofEvents({ design: `design-${numbered()}` }),
    "an event": () => ofEvents({ event: `evt_${String(numbered()).padStart(12, "0")}` }),
    "an id of nothing": () => ofEvents({ order: "nothing" }),
    "orders by a common beginning of names": () => ordersOf("#0", false),
    "an order by its exact name": () => ordersOf(`#${String(numbered() % orders).padStart(9, "0")}`, true),
  }
  const findings: Array<Finding> = []
  for (const [name, call] of Object.entries(calls)) {
    const times: Array<number> = []
    for (let round = 0; round < 220; round++) {
      const begin = performance.now()
      await runtime.runPromise(Effect.suspend(call))
      times.push(performance.now() - begin)
    }
    const { p50, p99 } = percentiles(times.slice(20))
    findings.push(finding(`${name}, p99`, "ms", { designwire: p99 }, { most }, { p50 }))
  }
  const context = { deliveries: count, orders, cores: availableParallelism(), node: process.version }
  print("search", { findings, context }, (bar) => ("least" in bar ? bar.least : bar.most))
}

await main(() => withCleanup(run))
