import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, newEndpoint, newShop, order, startWorkers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const kills = inject("wholeMatrix") ? 20 : 4
// A lease is longer than an attempt: another worker must not have it while a slow machine still makes one.
const options = { concurrency: 8, lease: 6000, schedule: [100, 200, 300, 300, 300, 300] }
const [maxPerSecond, maxConcurrent] = [20, 2]

const pending = SqlClient.SqlClient.use(
  (sql) => sql<{ count: number }>`SELECT count(*)::int4 AS count FROM designwire.deliveries WHERE status = 'pending'`,
)

/** When the attempts in the log began, in order: of the newest deliveries at least. */
const starts = SqlClient.SqlClient.use(
  (sql) => sql<{ at: number }>`SELECT (a.value ->> 'at')::float8 AS at
FROM designwire.deliveries d CROSS JOIN LATERAL jsonb_array_elements(d.attempt_log) a ORDER BY 1`,
)

it.live(
  "three workers MUST keep the pace of an endpoint over SIGKILLs, and deliver everything (D54)",
  () =>
    Effect.gen(function* () {
      let most = 0
      const receiver = yield* webhookReceiver((_, { open }) => {
        most = Math.max(most, open.size)
        // Long enough that three would be under way at this pace.
        return Effect.delay(Effect.succeed(200), 150)
      })
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        yield* newEndpoint(shop, receiver, "/paced", { maxPerSecond, maxConcurrent })
        const ids: Array<string> = []
        const orderTen = Effect.suspend(() => {
          const ten = Array.from({ length: 10 }, (_, index) => String(ids.length + index))
          ids.push(...ten)
          return Effect.forEach(ten, (id) => order(shop, id), { discard: true })
        })
        yield* orderTen
        const working = [...(yield* startWorkers(3, url, options))]
        for (let killed = 0; killed < kills; killed++) {
          // Ten more requests come at least, however slow this process is. The kill comes with one of them.
          const arrived = receiver.requests.length
          const ordering = yield* Effect.forkChild(orderTen)
          yield* receiver.until(() => receiver.requests.length > arrived + (killed % 5))
          working.splice(killed % 3, 1)[0]?.child.kill("SIGKILL")
          working.push(...(yield* startWorkers(1, url, options)))
          yield* Fiber.join(ordering)
        }
        yield* Effect.repeat(Effect.delay(pending, 100), { until: ([row]) => row?.count === 0 })
        for (const worker of working) expect((yield* stop(worker)).code).toBe(0)

        expect(most).toBeLessThanOrEqual(maxConcurrent)
        const began = (yield* starts).map(({ at }) => at)
        expect(began.length).toBeGreaterThanOrEqual(50)
        const crowded = began.filter(
          (at, index) => (began[index + maxPerSecond] ?? Number.POSITIVE_INFINITY) < at + 1000,
        )
        expect(crowded).toEqual([])
        const delivered = receiver.requests.filter(({ status }) => status === 200).map(({ deliveryId }) => deliveryId)
        expect(new Set(delivered).size).toBe(ids.length)
      }).pipe(Effect.provide(host(url)))
    }),
  120_000,
)
