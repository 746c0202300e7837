import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, newEndpoint, newShop, order, startWorkers } from "../../conformance/testkit/workers/Fleet.ts"
import { type Received, webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { cancelOrder } from "../../core/usecases/orders/CancelOrder.ts"
import { listDeliveries, redeliver } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { enableEndpoint, pauseEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

const kills = inject("wholeMatrix") ? 40 : 5
const options = { concurrency: 8, lease: 3000, schedule: [100, 200, 300, 300, 300, 300] }

/** The number of the order that a delivery is about, or whose design it is about. */
const orderOf = ({ body }: Pick<Received, "body">): string => {
  const { design, order } = (JSON.parse(body) as Envelope).data
  return (order?.id ?? design?.id ?? "").replace("dsn_", "")
}

interface Envelope {
  readonly data: Partial<Record<"order" | "design", { readonly id: string }>>
}

const kindOf = ({ headers }: Received) => headers["x-service-event"]

const pending = SqlClient.SqlClient.use(
  (sql) => sql<{ count: number }>`SELECT count(*)::int4 AS count FROM designwire.deliveries WHERE status = 'pending'`,
)

/** The deliveries of an order in the order in which their first requests came, each once if nothing came between. */
const runsOf = (requests: ReadonlyArray<Received>): ReadonlyArray<Received> =>
  requests.filter(({ deliveryId }, index) => requests[index - 1]?.deliveryId !== deliveryId)

it.live(
  "three workers MUST keep the order of each object over SIGKILLs, redeliveries and pauses, and hold up no other (D53)",
  () =>
    Effect.gen(function* () {
      /** Requests that came while another delivery about the same order was open. */
      const beside: Array<Received> = []
      const tries = new Map<string, number>()
      const receiver = yield* webhookReceiver((received, { open }) => {
        const others = [...open].filter(({ deliveryId }) => deliveryId !== received.deliveryId)
        if (others.some((other) => orderOf(other) === orderOf(received))) beside.push(received)
        const made = (tries.get(received.deliveryId) ?? 0) + 1
        tries.set(received.deliveryId, made)
        // One of four fails twice, so that those behind it would overtake it.
        const fails = Number.parseInt(received.deliveryId.slice(-2), 16) % 4 === 0 && made <= 2
        return Effect.delay(Effect.succeed(fails ? 500 : 200), 20 + ((received.number * 37) % 100))
      })
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        const endpoint = yield* newEndpoint(shop, receiver, "/ordered", {
          events: ["design.ordered", "order.cancelled"],
          ordering: "object",
        })
        const working = [...(yield* startWorkers(3, url, options))]

        let placed = 0
        let ending = false
        const changing = yield* Effect.gen(function* () {
          while (!ending) {
            const id = String(placed++)
            yield* order(shop, id)
            yield* cancelOrder(shop, id)
            if (placed % 3 === 0) {
              const [newest] = yield* listDeliveries(shop, endpoint)
              if (newest !== undefined) yield* redeliver(shop, endpoint, newest.id)
            }
            if (placed % 20 === 0) {
              yield* pauseEndpoint(shop, endpoint)
              yield* Effect.sleep(50)
              yield* enableEndpoint(shop, endpoint)
            }
            yield* Effect.repeat(Effect.delay(pending, 20), { until: ([row]) => (row?.count ?? 0) < 60 })
          }
        }).pipe(Effect.forkScoped)

        for (let killed = 0; killed < kills; killed++) {
          yield* Effect.sleep(Math.random() * 200)
          yield* receiver.until(() => receiver.open.size > 0)
          working.splice(killed % 3, 1)[0]?.child.kill("SIGKILL")
          working.push(...(yield* startWorkers(1, url, options)))
        }
        ending = true
        yield* Fiber.join(changing)
        yield* Effect.repeat(Effect.delay(pending, 100), { until: ([row]) => row?.count === 0 })
        for (const worker of working) expect((yield* stop(worker)).code).toBe(0)

        expect(beside).toEqual([])
        const byOrder = Map.groupBy(receiver.requests, orderOf)
        expect(byOrder.size).toBe(placed)
        expect(placed).toBeGreaterThan(kills)
        for (const requests of byOrder.values()) {
          const runs = runsOf(requests)
          // A delivery whose turn is over never comes back.
          expect(new Set(runs.map(({ deliveryId }) => deliveryId)).size).toBe(runs.length)
          expect(runs.slice(0, 2).map(kindOf)).toEqual(["design.ordered", "order.cancelled"])
          for (const { deliveryId } of runs) {
            expect(requests.some((one) => one.deliveryId === deliveryId && one.status === 200)).toBe(true)
          }
        }
        expect([...byOrder.values()].some((requests) => runsOf(requests).length > 2)).toBe(true)
      }).pipe(Effect.provide(host(url)))
    }),
  300_000,
)
