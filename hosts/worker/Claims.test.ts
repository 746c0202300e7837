import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, newEndpoint, newShop, order, startWorkers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { redeliver } from "../../core/usecases/webhooks/ManageDeliveries.ts"

it.live(
  "three workers MUST deliver each delivery once, one at a time, and each at most 8 to one endpoint at once",
  () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver(({ number }) => Effect.delay(Effect.succeed(204), (number * 7) % 40))
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        const paths = ["/one", "/two", "/three"]
        const endpoints = yield* Effect.forEach(paths, (path) => newEndpoint(shop, receiver, path))
        const workers = yield* startWorkers(3, url)
        const orders = 150
        yield* Effect.forEach(
          Array.from({ length: orders }),
          (_, index) =>
            Effect.tap(order(shop, `${index}`), () =>
              // A burst now and then: the same event again, due at the same moment for all workers.
              index % 50 === 49
                ? Effect.gen(function* () {
                    const [endpointId = ""] = endpoints
                    const log = yield* DeliveryLog.use((log) => log.list(shop, endpointId, 30))
                    yield* Effect.forEach(log, ({ id }) => redeliver(shop, endpointId, id), {
                      concurrency: "unbounded",
                    })
                  })
                : Effect.void,
            ),
          { concurrency: 4 },
        )
        const deliveries = orders * 3 + 3 * 30
        let most = 0
        yield* receiver.until(() => {
          const busy = Map.groupBy(receiver.open, ({ path, worker }) => `${worker} ${path}`)
          most = Math.max(most, ...[...busy.values()].map((open) => open.length))
          return receiver.requests.length >= deliveries && receiver.open.size === 0
        })
        for (const worker of workers) expect((yield* stop(worker)).code).toBe(0)

        expect(receiver.overlaps).toEqual([])
        expect(receiver.requests.every(({ signed, status }) => signed === true && status === 204)).toBe(true)
        expect(new Set(receiver.requests.map(({ deliveryId }) => deliveryId)).size).toBe(deliveries)
        expect(receiver.requests.length).toBe(deliveries)
        expect(new Set(receiver.requests.map(({ worker }) => worker)).size).toBe(3)
        expect(most).toBeLessThanOrEqual(8)
        const statistics = yield* Upkeep.use((upkeep) => upkeep.statistics(Date.now()))
        expect(statistics).toMatchObject({ pending: 0, endpointsSwitchedOff: 0 })
        for (const id of endpoints) {
          const log = yield* DeliveryLog.use((log) => log.list(shop, id, 50))
          expect(log.map(({ attempts }) => attempts.length)).toEqual(log.map(() => 1))
        }
      }).pipe(Effect.provide(host(url)))
    }),
)
