import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { envelopeOf, responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { minute } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { redeliver, sendTestEvent } from "./ManageDeliveries.ts"

it.effect(
  "A test that is sent again MUST stay a test: not retried, not counted, and marked as one (§6, D27, D29)",
  () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      const sent = yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect([sent.id, sent.eventId]).toEqual([
        expect.stringMatching(/^dlv_[0-9A-Za-z]{22}$/),
        expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
      ])
      yield* world.drain
      const again = yield* world.run(redeliver(world.shop, endpoint.id, sent.id))
      expect(again).toMatchObject({
        id: expect.stringMatching(/^dlv_[0-9A-Za-z]{22}$/),
        eventId: sent.eventId,
        test: true,
      })
      yield* world.drain
      yield* TestClock.adjust(minute)
      expect(yield* world.drain).toEqual({ attempts: 0, succeeded: 0 })
      expect(world.outside.sent.map((one) => envelopeOf(one).test)).toEqual([true, true])
      expect((yield* world.log(endpoint)).map(({ status }) => status)).toEqual(["failed", "failed"])
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
    }),
)
