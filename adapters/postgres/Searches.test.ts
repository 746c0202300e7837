/** The rows that pages of deliveries and searches read. */

import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { connect } from "../../conformance/bench/support/Postgres.ts"
import { shopOf } from "../../conformance/bench/support/Seed.ts"
import { seedDeliveries } from "../../conformance/bench/support/SeedDeliveries.ts"
import { everyOrder } from "../../conformance/suites/storage/support/Fixtures.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { planned, statementsOf } from "../../conformance/testkit/databases/Plans.ts"
import type { OrderSearch } from "../../core/model/orders/OrderSearch.ts"
import type { DeliveryFilter } from "../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { layer } from "./index.ts"

const shop = shopOf("busy")
const first = Date.UTC(2026, 0, 1)

/** Orders are a fifth as many. */
const count = 100_000

/** The rows of the tables that grow with what happens in a shop. */
const sizes: Readonly<Record<string, number>> = {
  deliveries: count,
  events: count,
  orders: count / 5,
  designs: count / 5,
  inbox: count,
}

/** The large tables of which the statements of a call read all by the plan, or more than a quarter in fact. */
const readAtLength = Effect.fnUntraced(function* (call: Effect.Effect<unknown, unknown>) {
  const statements = yield* statementsOf(call)
  expect(statements.length).toBeGreaterThan(0)
  const parts = yield* planned(statements)
  return Object.entries(sizes).flatMap(([table, size]) => {
    const own = parts.filter((part) => part["Relation Name"] === table)
    const rows = own.reduce(
      (sum, part) => sum + part["Actual Loops"] * (part["Actual Rows"] + (part["Rows Removed by Filter"] ?? 0)),
      0,
    )
    const isScan = own.some((part) => part["Node Type"] === "Seq Scan")
    return isScan || rows > size / 4 ? [`${table}: ${Math.round(rows)} rows${isScan ? " by a scan" : ""}`] : []
  })
})

/** Adds events of a platform, and makes drafts of all designs, one a second each. */
const seedTimes = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`INSERT INTO designwire.inbox (shop, id, source, topic, property, received_at, state)
SELECT ${shop.id}, 'inb_' || i, 'shopify', '', '', to_timestamp(i), 'applied' FROM generate_series(100000, 199999) i`
  yield* sql`UPDATE designwire.designs SET status = 'draft', saved_at = to_timestamp(right(id, 9)::int)`
  yield* sql`ANALYZE designwire.inbox, designwire.designs`
})

it.live("no page of deliveries and no search MUST read more than a small part of a table that grows (D32, D69)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.promise(async () => {
      const connection = connect(url)
      try {
        await seedDeliveries(connection, shop, { count, first })
      } finally {
        await connection.end()
      }
    })
    yield* Effect.gen(function* () {
      const [sql, log, stored] = [yield* SqlClient.SqlClient, yield* DeliveryLog, yield* EventStore]
      const [orders, shops, inbox] = [yield* OrderStore, yield* ShopStore, yield* Inbox]
      const part = { shop: shop.id, after: null, limit: 25 }
      const middle = { at: first + count * 1_250, id: "dlv" }
      const page = (filter: DeliveryFilter, after: typeof middle | null = null) => log.page({ ...part, filter, after })
      const found = (query: Partial<OrderSearch>) =>
        orders.search({ ...everyOrder, shop: shop.id, limit: 20, ...query })
      const position = { orderedAt: middle.at, id: "55" }
      const day = { from: first + 86_400_000, until: first + 2 * 86_400_000 }
      // Spelled in as many ways as an id can be.
      const anyId = (prefix: string) => `${prefix}_ABCDEFGHIJKLMNOPQRSTUV`
      const events = (number: number) => `evt_${String(number).padStart(12, "0")}`
      yield* seedTimes(sql)
      const ids = { ...part, from: "inb_140000", after: "inb_150000" }
      const seconds = { savedFrom: 4_000_000, savedBefore: 5_000_000, bytes: 1_000_000 }
      const calls: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
        "deliveries, all": page({}),
        "deliveries, a later page": page({}, middle),
        "deliveries of an endpoint": page({ endpoint: "whe_3" }, middle),
        "deliveries that failed": page({ status: "failed" }, middle),
        "deliveries that are pending": page({ status: "pending" }),
        "deliveries of a kind": page({ kind: "order.cancelled" }),
        "deliveries of tests": page({ test: true }),
        "deliveries of a day": page(day),
        "deliveries that were attempted on a day": page({ attempts: { ...day, failed: true } }),
        "what waits": log.page({ ...part, pending: {} }),
        "what waits and why": log.page({ ...part, pending: { why: { now: first, causes: ["due", "retry"] } } }),
        "what waits for an endpoint": log.page({ ...part, pending: { endpoint: "whe_3" }, after: middle }),
        "a delivery": log.find(shop.id, null, "dlv_0000000050000"),
        "events of an order": stored.find({ shop: shop.id, about: { order: "5000" }, limit: 200 }),
        "events of a design": stored.find({ shop: shop.id, about: { design: "design-5000" }, limit: 200 }),
        "an event": stored.find({ shop: shop.id, about: { event: events(5_000) }, limit: 1 }),
        "deliveries of events": log.page({
          ...part,
          events: Array.from({ length: 200 }, (_, index) => events(index * 37)),
        }),
        "designs in another case": log.spellings({ shop: shop.id, of: "design", id: anyId("dsn") }),
        "events in another case": log.spellings({ shop: shop.id, of: "event", id: anyId("evt") }),
        "deliveries in another case": log.spellings({ shop: shop.id, of: "delivery", id: anyId("dlv") }),
        "whether there is a design": orders.existing(shop.id, "designs", ["dsn_000005000"]),
        "an order": found({ ids: ["55000005000"], limit: 1 }),
        "orders by their ids": found({ ids: Array.from({ length: 50 }, (_, at) => String(55_000_005_000 + at)) }),
        "orders, all": found({}),
        "orders, a later page": found({ after: position }),
        "orders by the beginning of a text": found({ text: "#00000" }),
        "orders by a whole text": found({ text: "#000005000", exact: true }),
        "orders by a whole text, a later page": found({ text: "#000005000", exact: true, after: position }),
        "orders that were cancelled": found({ status: "cancelled" }),
        "orders of a day": found({ ...day }),
        "orders of an hour, counted": found({ from: day.from, until: day.from + 3_600_000, isCounted: true }),
        "orders of a rare customizer": found({ customizer: 99 }),
        "events of a platform of a time": inbox.list({ ...ids, state: null }),
        "events of a platform of a time in a state": inbox.list({ ...ids, state: "failed" }),
        "drafts of a time and a customizer": orders.drafts({ ...part, ...seconds, customizer: 0 }),
        "the mark of a shop": shops.mark(shop.id, Date.now()),
      }
      for (const [what, call] of Object.entries(calls)) {
        expect([what, yield* readAtLength(call)]).toEqual([what, []])
      }
      // Without its index, a search reads them all.
      yield* sql`DROP INDEX designwire.orders_by_name`
      const byName = found({ text: "#000005000", exact: true })
      expect(yield* readAtLength(byName)).toEqual([expect.stringMatching(/^orders: 20\d\d\d rows/)])
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)
