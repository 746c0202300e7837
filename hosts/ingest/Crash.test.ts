/** A platform sends orders to hosts that are killed (D57). */
import { randomInt } from "node:crypto"
import { expect, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, type Process, secrets, start } from "../../conformance/testkit/processes/Processes.ts"
import { host, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import { saveDesign } from "../../core/usecases/catalog/SaveDesign.ts"
import { applyWaiting } from "../../core/usecases/ingest/ApplyEvent.ts"
import { defaultProperty } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { shopifyOrder } from "./samples/ShopifyOrder.ts"
import { signedHeaders } from "./samples/SignedWebhook.ts"

const kills = inject("wholeMatrix") ? Number(process.env["KILLS"] ?? 500) : 7
const senders = 4
const secret = "shpss_0123456789abcdef"

/** Sends the webhook of an order, the same one each time, and returns whether it was acknowledged. */
const sent = (base: string, shop: string, order: number): Effect.Effect<boolean> => {
  const properties = { [defaultProperty]: `design-${order}` }
  const body = JSON.stringify(shopifyOrder({ id: order, lines: [{ id: 1, properties }] }))
  const headers = signedHeaders.shopify({ topic: "orders/create", body, secret, id: `delivery-${order}` })
  return Effect.promise(async () => {
    try {
      const { status } = await fetch(`${base}/ingest/shopify/${shop}`, { method: "POST", headers, body })
      // A host whose store is busy with those that were killed refuses: the platform sends the order again.
      if (status !== 200 && status !== 503) throw new RangeError(`An order was answered ${status}`)
      return status === 200
    } catch (error) {
      if (error instanceof RangeError) throw error
      return false
    }
  })
}

/** Kills a process a moment after that is due. */
const killed = Effect.fnUntraced(function* (process: Process, isDue: () => boolean) {
  yield* Effect.repeat(Effect.delay(Effect.sync(isDue), "1 millis"), { until: (is) => is })
  yield* Effect.sleep(randomInt(0, 60))
  process.child.kill("SIGKILL")
})

/** Counts of orders and what belongs to them: all are the same if none is lost or doubled. */
const counted = SqlClient.SqlClient.use(
  (sql) => sql<Readonly<Record<string, number>>>`
SELECT (SELECT count(*)::int4 FROM designwire.orders) AS orders,
  (SELECT count(*)::int4 FROM designwire.designs d JOIN designwire.orders o ON o.shop = d.shop AND o.id = d.order_id
   WHERE d.id = 'design-' || o.id) AS designs,
  (SELECT count(*)::int4 FROM designwire.events WHERE event = 'design.ordered') AS events,
  (SELECT count(*)::int4 FROM designwire.inbox WHERE state = 'applied' AND body IS NULL) AS applied,
  (SELECT count(*)::int4 FROM designwire.inbox) AS kept`,
)

it.live(
  "hosts killed while they receive orders MUST lose none that they acknowledged, and place none twice (D57)",
  () =>
    Effect.gen(function* () {
      const DATABASE_URL = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop

        // Replacements stand by, so that a killed host is replaced at once.
        const ready = yield* Queue.bounded<{ readonly process: Process; readonly base: string }>(2)
        const standby = Effect.gen(function* () {
          const process = yield* start(["serve"], { ...secrets, DATABASE_URL, DESIGNWIRE_SHOPIFY_SECRET: secret })
          yield* Queue.offer(ready, { process, base: yield* address(process) })
        })
        yield* Effect.forkScoped(Effect.forever(standby))
        yield* Effect.forkScoped(Effect.forever(standby))

        let orders = 0
        let interrupted = 0
        const unacknowledged = new Set<number>()
        const acknowledged = new Set<number>()
        const next = Effect.fnUntraced(function* () {
          const [again] = unacknowledged
          if (again !== undefined) {
            unacknowledged.delete(again)
            return again
          }
          orders += 1
          const order = orders
          // Some designs come only after their order.
          if (order % 5 !== 0) yield* saveDesign(shop, `design-${order}`, ringInput)
          return order
        })
        for (let kill = 0; kill < kills; kill++) {
          const { base, process } = yield* Queue.take(ready)
          const underWay = { count: 0, answered: 0 }
          const sending = Effect.gen(function* () {
            while (!process.child.killed) {
              const order = yield* next()
              underWay.count += 1
              const isAcknowledged = yield* sent(base, shop, order)
              underWay.count -= 1
              underWay.answered += 1
              if (isAcknowledged) acknowledged.add(order)
              else unacknowledged.add(order)
            }
          })
          // Kills come early or late: during the first requests, or after some were answered.
          const isDue = () => underWay.answered >= kill % 4 && underWay.count > 0
          const killing = Effect.map(killed(process, isDue), () => {
            interrupted += underWay.count
          })
          yield* Effect.all([killing, ...Array.from({ length: senders }, () => sending)], {
            concurrency: "unbounded",
          })
        }

        // The platform continues until everything is acknowledged.
        const { base } = yield* Queue.take(ready)
        for (const order of unacknowledged) {
          yield* Effect.repeat(sent(base, shop, order), { until: (isAcknowledged) => isAcknowledged })
        }
        for (let order = 5; order <= orders; order += 5) yield* saveDesign(shop, `design-${order}`, ringInput)
        yield* applyWaiting()
        const all = { orders, designs: orders, events: orders, applied: orders, kept: orders }
        expect((yield* counted)[0]).toEqual(all)
        // It sends some again that were acknowledged.
        for (const order of [...acknowledged].slice(0, 50)) expect(yield* sent(base, shop, order)).toBe(true)
        expect((yield* counted)[0]).toEqual(all)
        // Kills hit requests under way, and some orders were acknowledged between them.
        expect(interrupted).toBeGreaterThanOrEqual(kills)
        expect(acknowledged.size).toBeGreaterThanOrEqual(kills / 2)
      }).pipe(Effect.provide(host(DATABASE_URL)))
    }).pipe(Effect.scoped),
  3_600_000,
)
