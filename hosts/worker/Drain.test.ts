import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  host,
  keyRing,
  localPolicy,
  migratedDatabase,
  newEndpoint,
  newShop,
  order,
} from "../../conformance/worlds/Fleet.ts"
import { webhookReceiver } from "../../conformance/worlds/WebhookReceiver.ts"
import { defaultWorker } from "../../core/usecases/dispatch/Dispatch.ts"
import { drain } from "./index.ts"

it.live("drain MUST deliver what is due by the settings that it is told, within its limits, and end", () =>
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
