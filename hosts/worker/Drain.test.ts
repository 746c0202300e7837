import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { host, keyRing, localPolicy, newEndpoint, newShop, order } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { logLength } from "../../core/model/webhooks/Delivery.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { defaultWorker } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { drain } from "./index.ts"

it.live("drain MUST deliver what is due, by its options and within its limits, and end", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const shop = yield* newShop
      yield* newEndpoint(shop, receiver, "/hook")
      for (const id of ["first", "second", "third"]) yield* order(shop, id)
      const settings = { keyRing, serviceName: "Cron", webhookPolicy: localPolicy, worker: defaultWorker }
      const drainAtMost = (max: number, seconds = 60) => drain(settings, { max, deadline: Date.now() + seconds * 1000 })
      expect(yield* drainAtMost(10, 0)).toEqual({ attempts: 0, succeeded: 0 })
      expect(yield* drainAtMost(1)).toEqual({ attempts: 1, succeeded: 1 })
      expect(yield* drainAtMost(10)).toEqual({ attempts: 2, succeeded: 2 })
      expect(yield* drainAtMost(10)).toEqual({ attempts: 0, succeeded: 0 })
      expect(receiver.requests.map(({ signed, worker }) => [signed, worker])).toEqual(Array(3).fill([true, "Cron"]))
    }).pipe(Effect.provide(host(url)))
  }),
)

it.live("drain MUST clear the delivery log in the time left", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const shop = yield* newShop
      const endpointId = yield* newEndpoint(shop, receiver, "/hook")
      for (let index = 0; index < logLength + 2; index++) yield* order(shop, `${index}`)
      const logged = DeliveryLog.use((log) => Effect.map(log.list(shop, endpointId, 100), (found) => found.length))
      const settings = { keyRing, webhookPolicy: localPolicy }
      expect((yield* drain(settings, { max: 100, deadline: Date.now() + 60_000 })).succeeded).toBe(logLength + 2)
      expect(yield* logged).toBe(logLength)
      yield* order(shop, "one more")
      expect(yield* drain(settings, { max: 100, deadline: 0 })).toEqual({ attempts: 0, succeeded: 0 })
      expect(yield* logged).toBe(logLength + 1)
    }).pipe(Effect.provide(host(url)))
  }),
)
