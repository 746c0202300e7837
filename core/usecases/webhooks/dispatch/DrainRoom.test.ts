import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"

it.effect("drain MUST continue while an attempt is under way, even if nothing more is due at that moment", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld({ worker: { perEndpoint: 1 } })
    const quick = yield* world.endpoint({ events: ["order.cancelled"] })
    yield* world.endpoint({ events: ["design.ordered"] })
    world.outside.respond = ({ request }) =>
      Effect.as(Effect.sleep(request.url === quick.url ? 500 : second), responseOf(200))
    yield* world.order("1", ["d-1", "d-2"])
    yield* world.cancel("1")
    const drained = yield* Effect.forkChild(world.drain)
    yield* world.outside.next
    yield* world.outside.next
    // The quick attempt ends first, while the other endpoint is at its limit.
    yield* TestClock.adjust(500)
    yield* TestClock.adjust(500)
    yield* world.outside.next
    yield* TestClock.adjust(second)
    expect(yield* Fiber.join(drained)).toEqual({ attempts: 3, succeeded: 3 })
  }),
)
