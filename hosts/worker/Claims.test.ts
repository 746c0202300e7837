import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import {
  host,
  newEndpoint,
  newShop,
  order,
  standby,
  startWorkers,
  type WorkerProcess,
} from "../../conformance/testkit/workers/Fleet.ts"
import { decided, type Received, webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import type { Delivery } from "../../core/model/webhooks/Delivery.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { listDeliveries, redeliver } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { readEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

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

it.live("a settlement after the end of the lease MUST change nothing: the other worker's attempt counts", () =>
  Effect.gen(function* () {
    const { answering, decide } = decided()
    const receiver = yield* webhookReceiver(answering)
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const shop = yield* newShop
      const endpointId = yield* newEndpoint(shop, receiver, "/hook")
      const streak = Effect.map(readEndpoint(shop, endpointId), ({ consecutiveFailures }) => consecutiveFailures)
      /** The next request, which this worker must have sent. */
      const next = Effect.fnUntraced(function* (worker: WorkerProcess) {
        const number = receiver.requests.length + 1
        yield* receiver.until(() => receiver.requests.length >= number)
        const request = receiver.requests[number - 1] as Received
        expect(request.worker).toBe(worker.name)
        return request
      })
      const options = { concurrency: 1, schedule: [3_600_000] }
      const slow = yield* standby(url, { ...options, lease: 2000 })
      const quick = yield* standby(url, { ...options, lease: 60_000 })

      yield* slow.begin
      const [late] = yield* Effect.all([next(slow), order(shop, "first")], { concurrency: 2 })
      slow.child.kill("SIGSTOP")
      yield* quick.begin
      // After the lease and not before: until then the first worker is still attempting it.
      const good = yield* next(quick)
      expect(good.deliveryId).toBe(late.deliveryId)
      expect(good.at - late.at).toBeGreaterThan(1500)

      // The first worker comes back with a success, while the other's attempt is still open.
      decide(late, 204)
      slow.child.kill("SIGCONT")
      const [second] = yield* Effect.all([next(slow), order(shop, "second")], { concurrency: 2 })
      decide(second, 500)
      // A worker with one slot has one claim of a shop at a time, until its attempt is settled.
      const [third] = yield* Effect.all([next(slow), order(shop, "third")], { concurrency: 2 })
      expect(yield* streak).toBe(1)
      const { attempts, status } = (yield* listDeliveries(shop, endpointId)).at(-1) as Delivery
      expect({ attempts, status }).toEqual({ attempts: [], status: "pending" })

      decide(good, 503)
      decide(third, 500)
      expect((yield* stop(slow)).code).toBe(0)
      expect((yield* stop(quick)).code).toBe(0)
      expect(yield* streak).toBe(3)
      const log = (yield* listDeliveries(shop, endpointId)).toReversed()
      expect(
        log.map(({ attempts, id, status }) => [id, status, attempts.map((made) => [made.number, made.statusCode])]),
      ).toEqual([
        [late.deliveryId, "pending", [[1, 503]]],
        [second.deliveryId, "pending", [[1, 500]]],
        [third.deliveryId, "pending", [[1, 500]]],
      ])
      expect(log[0]?.attempts[0]?.responseStart).toBe(String(good.number))
    }).pipe(Effect.provide(host(url)))
  }),
)
