import { resolve } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import type { OrderingOptions } from "../../conformance/testkit/processes/OrderingProcess.ts"
import { type Process, start } from "../../conformance/testkit/processes/Processes.ts"
import { host, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import { createEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

const kills = inject("wholeMatrix") ? 100 : 6
const concurrency = 4

const entry = resolve(import.meta.dirname, "../../conformance/testkit/processes/OrderingProcess.ts")

it.live(
  "a backend killed many times in transactions of pg MUST leave each row with its order, event and delivery, or none",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE carts (id text COLLATE "C" PRIMARY KEY)`
        const shop = yield* newShop
        yield* createEndpoint(shop, { url: "https://127.0.0.1/hook", events: ["design.ordered"] })
        const options: OrderingOptions = { url, shop, design: ringInput, concurrency }

        // Replacements stand by, so that a killed process is replaced at once.
        const ready = yield* Queue.bounded<Process>(2)
        const standby = Effect.gen(function* () {
          const process = yield* start([JSON.stringify(options)], {}, { entry })
          yield* process.line(/^standby$/)
          yield* Queue.offer(ready, process)
        })
        yield* Effect.forkScoped(Effect.forever(standby))
        yield* Effect.forkScoped(Effect.forever(standby))

        let open = 0
        for (let kill = 0; kill < kills; kill++) {
          const process = yield* Queue.take(ready)
          process.child.kill("SIGUSR2")
          // Kills early or late: during its first transactions, or after some have ended.
          const ended = Effect.sync(() => said(process.printed(), "end "))
          yield* process.line(/^begin /)
          yield* Effect.repeat(Effect.delay(ended, "2 millis"), { until: (count) => count >= kill % 4 })
          yield* Effect.sleep(Math.random() * 50)
          process.child.kill("SIGKILL")
          const { signal, stderr, stdout } = yield* process.ended
          expect([signal, stderr]).toEqual(["SIGKILL", ""])
          open += said(stdout, "begin ") - said(stdout, "end ")
        }

        // The server rolls back open transactions once it notices that the process was killed.
        const busy = sql<{ count: number }>`SELECT count(*)::int4 AS count FROM pg_stat_activity
WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`
        yield* Effect.repeat(Effect.delay(busy, "10 millis"), { until: ([row]) => row?.count === 0 })

        const [kept] = yield* sql<{
          carts: number
          whole: number
          orders: number
          designs: number
          events: number
          deliveries: number
        }>`
SELECT (SELECT count(*)::int4 FROM carts) AS carts, (
  SELECT count(*)::int4 FROM carts c
  JOIN designwire.orders o ON o.shop = ${shop} AND o.id = c.id
  JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id
  JOIN designwire.events e ON e.shop = o.shop AND e.event = 'design.ordered' AND e.body LIKE '%"#' || c.id || '"%'
  JOIN designwire.deliveries v ON v.shop = e.shop AND v.event_id = e.id
) AS whole,
  (SELECT count(*)::int4 FROM designwire.orders) AS orders, (SELECT count(*)::int4 FROM designwire.designs) AS designs,
  (SELECT count(*)::int4 FROM designwire.events WHERE event = 'design.ordered') AS events,
  (SELECT count(*)::int4 FROM designwire.deliveries) AS deliveries`
        const carts = kept?.carts ?? 0
        expect(kept).toEqual({ carts, whole: carts, orders: carts, designs: carts, events: carts, deliveries: carts })
        // Kills hit open transactions, and some transactions were committed.
        expect(open).toBeGreaterThanOrEqual(kills)
        expect(carts).toBeGreaterThanOrEqual(kills / 2)
      }).pipe(Effect.provide(host(url)))
    }).pipe(Effect.scoped),
)

/** The number of lines that begin with a word. */
const said = (text: string, word: string): number => text.split("\n").filter((line) => line.startsWith(word)).length
