import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { secrets, start } from "../../conformance/testkit/processes/Processes.ts"
import {
  host,
  localReceivers,
  newEndpoint,
  newShop,
  order,
  startWorkers,
} from "../../conformance/testkit/workers/Fleet.ts"
import { decided, type Received, webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { listDeliveries } from "../../core/usecases/webhooks/ManageDeliveries.ts"

/** `designwire worker` on a database, with an attempt in flight. */
const inFlight = Effect.gen(function* () {
  const { answering, decide } = decided()
  const receiver = yield* webhookReceiver(answering)
  const url = yield* migratedDatabase
  const worker = yield* start(["worker"], { DATABASE_URL: url, ...secrets, ...localReceivers })
  yield* worker.line(/worker is ready$/)
  const { endpointId, shop } = yield* Effect.gen(function* () {
    const shop = yield* newShop
    const endpointId = yield* newEndpoint(shop, receiver, "/hook")
    yield* order(shop, "first")
    yield* receiver.until(() => receiver.requests.length > 0)
    return { shop, endpointId }
  }).pipe(Effect.provide(host(url), { local: true }))
  return { decide, receiver, url, worker, shop, endpointId, first: receiver.requests[0] as Received }
})

it.live("a worker that is stopped MUST finish and settle its attempt, exit with 0, and leave the rest to others", () =>
  Effect.gen(function* () {
    const { decide, endpointId, first, receiver, shop, url, worker } = yield* inFlight
    yield* Effect.gen(function* () {
      worker.child.kill("SIGTERM")
      yield* order(shop, "second")
      expect(receiver.open.has(first)).toBe(true)
      decide(first, 200)
      const ended = yield* worker.ended
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(first).toMatchObject({ status: 200, abandoned: false, signed: true })
      const made = (yield* listDeliveries(shop, endpointId)).find(({ id }) => id === first.deliveryId)
      expect(made).toMatchObject({ status: "succeeded", attempts: [{ number: 1, statusCode: 200 }] })

      yield* startWorkers(1, url)
      yield* receiver.until(() => receiver.requests.length > 1)
      const [, second] = receiver.requests as ReadonlyArray<Received>
      expect(second?.deliveryId).not.toBe(first.deliveryId)
      expect(second?.worker).not.toBe("Designwire")
    }).pipe(Effect.provide(host(url)))
  }),
)

it.live("a worker that is stopped twice MUST end at once, whatever is in flight", () =>
  Effect.gen(function* () {
    const { endpointId, first, receiver, shop, url, worker } = yield* inFlight
    worker.child.kill("SIGTERM")
    // A second signal within a twentieth of a second counts as the same.
    yield* Effect.sleep(3000)
    worker.child.kill("SIGTERM")
    const ended = yield* worker.ended
    expect(ended.code).toBe(143)
    yield* receiver.until(() => receiver.open.size === 0)
    expect(first).toMatchObject({ status: null, abandoned: true })
    // The attempt was not settled: the delivery waits for the end of the lease.
    const [made] = yield* Effect.provide(listDeliveries(shop, endpointId), host(url))
    expect(made).toMatchObject({ id: first.deliveryId, status: "pending", attempts: [] })
  }),
)
