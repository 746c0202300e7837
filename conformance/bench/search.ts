/**
 * Pages of deliveries, what waits, and searches, in a shop with a million deliveries and a fifth as many orders, over
 * Postgres: `node --import ./conformance/testkit/processes/Tsx.ts conformance/bench/search.ts [deliveries]`. Each must
 * take at most 20 ms at the 99th percentile; the last line is JSON.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { layer } from "../../adapters/postgres/index.ts"
import type { DeliveryFilter, DeliveryPlace } from "../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { main, note, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"
import { shopOf } from "./support/Seed.ts"
import { seedDeliveries } from "./support/SeedDeliveries.ts"
import { percentiles } from "./support/Statistics.ts"

const count = Number(process.argv[2] ?? 1_000_000)
const shop = shopOf("busy")
const first = Date.UTC(2026, 0, 1)
const orders = Math.ceil(count / 5)

/** Milliseconds at the 99th percentile. */
const most = 20

const run = async (cleanup: Cleanup): Promise<void> => {
  const { sql, url } = await startDatabase(cleanup)
  note(`Filling a shop with ${count} deliveries`)
  await seedDeliveries(sql, shop, { count, first })
  const runtime = ManagedRuntime.make(Layer.orDie(layer({ url: Redacted.make(url) })))
  cleanup.add(() => runtime.dispose())
  const ports = await runtime.context()
  const [log, stored] = [Context.get(ports, DeliveryLog), Context.get(ports, EventStore)]
  const ordersOf = (text: string, exact: boolean) =>
    Context.get(ports, OrderStore).search({
      ...{ shop: shop.id, text, exact, status: null, from: null, until: null, after: null, limit: exact ? 5 : 25 },
      designs: { skip: 0, limit: exact ? 0 : 3, bytes: 32 * 1_024 },
    })
  const middle: DeliveryPlace = { at: first + count * 1_250, id: "dlv" }
  const page =
    (filter: DeliveryFilter, after: DeliveryPlace | null = null) =>
    () =>
      log.page({ shop: shop.id, filter, after, limit: 25 })
  const numbered = () => Math.floor(Math.random() * count)
  const ofEvents = (about: Parameters<typeof stored.find>[0]["about"]) =>
    Effect.flatMap(stored.find({ shop: shop.id, about, limit: 200 }), (events) =>
      log.page({ shop: shop.id, events: events.map(({ id }) => id), after: null, limit: 25 }),
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
    "what waits": () => log.page({ shop: shop.id, pending: {}, after: null, limit: 25 }),
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
