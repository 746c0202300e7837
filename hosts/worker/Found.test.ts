/** Workers are killed while they look for lost orders (D88). */
import { randomInt } from "node:crypto"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { listening } from "../../conformance/testkit/platforms/PlatformServer.ts"
import { accessKeys } from "../../conformance/testkit/platforms/PlatformWorld.ts"
import { shopifyServer } from "../../conformance/testkit/platforms/ShopifyServer.ts"
import { secrets, start } from "../../conformance/testkit/processes/Processes.ts"
import { host, localReceivers, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import { lineWith } from "../../conformance/testkit/workers/PlatformEvents.ts"
import { saveDesign } from "../../core/usecases/catalog/SaveDesign.ts"
import { putPlatform } from "../../core/usecases/ingest/ManagePlatforms.ts"
import { shopifyOrder } from "../ingest/samples/ShopifyOrder.ts"

const kills = inject("wholeMatrix") ? Number(process.env["KILLS"] ?? 500) : 5

/** Orders that the shop gets for each kill: more than a page of 20, unless there are many kills. */
const ordersOfKill = inject("wholeMatrix") ? 6 : 30

/** Counts of orders and what belongs to them: all are the same if none is lost or doubled. */
const counted = SqlClient.SqlClient.use(
  (sql) => sql<Readonly<Record<string, number>>>`
SELECT (SELECT count(*)::int4 FROM designwire.orders) AS orders,
  (SELECT count(*)::int4 FROM designwire.designs WHERE order_id IS NOT NULL) AS designs,
  (SELECT count(*)::int4 FROM designwire.events WHERE event = 'design.ordered') AS events,
  (SELECT count(*)::int4 FROM designwire.inbox WHERE state = 'applied' AND topic = 'orders/found') AS found,
  (SELECT count(*)::int4 FROM designwire.inbox) AS kept`,
)

/** The time of the lease, or of the hour, has passed. */
const due = SqlClient.SqlClient.use((sql) => sql`UPDATE designwire.platforms SET due_at = NULL`)

it.live(
  "workers killed while they look for lost orders MUST lose none, and place none twice (D88)",
  () =>
    Effect.gen(function* () {
      const DATABASE_URL = yield* migratedDatabase
      const shopify = shopifyServer(accessKeys.shopify)
      const { domain } = yield* listening(shopify)
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        yield* putPlatform(shop, "shopify", { domain, accessKey: accessKeys.shopify })
        let orders = 0
        for (let kill = 0; kill < kills; kill++) {
          for (let each = 0; each < ordersOfKill; each++) {
            orders += 1
            // Some designs come only after their order.
            if (orders % 5 !== 0) yield* saveDesign(shop, `design-${orders}`, ringInput)
            const updatedAt = new Date(Date.now() - 60_000 + orders).toISOString()
            shopify.orders.set(
              orders,
              shopifyOrder({ id: orders, lines: [lineWith(1, `design-${orders}`)], updatedAt }),
            )
          }
          const asked = shopify.requests.length
          yield* due
          // A worker looks when it starts: then it is killed early or late in a look.
          const process = yield* start(["worker"], { ...secrets, ...localReceivers, DATABASE_URL })
          const isAsking = Effect.sync(() => shopify.requests.length > asked || kill % 4 === 3)
          yield* Effect.repeat(Effect.delay(isAsking, "2 millis"), { until: (is) => is }).pipe(
            Effect.timeoutOption("70 seconds"),
          )
          yield* Effect.sleep(randomInt(0, 150))
          process.child.kill("SIGKILL")
          yield* process.ended
        }
        for (let order = 5; order <= orders; order += 5) yield* saveDesign(shop, `design-${order}`, ringInput)
        const last = yield* start(["serve"], { ...secrets, ...localReceivers, DATABASE_URL })
        yield* due
        const all = { orders, designs: orders, events: orders, found: orders, kept: orders }
        yield* Effect.repeat(Effect.delay(counted, "500 millis"), {
          until: ([now]) => now?.["orders"] === orders,
        }).pipe(Effect.timeoutOption("3 minutes"))
        expect((yield* counted)[0]).toEqual(all)
        const again = yield* start(["reconcile"], { ...secrets, ...localReceivers, DATABASE_URL })
        expect(yield* again.ended).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(" 0 of them had not come"),
        })
        expect((yield* counted)[0]).toEqual(all)
        last.child.kill("SIGTERM")
      }).pipe(Effect.provide(host(DATABASE_URL)))
    }).pipe(Effect.scoped),
  7_200_000,
)
