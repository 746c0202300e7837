import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { responseOf } from "../../../conformance/worlds/Outside.ts"
import { makeWorld } from "../../../conformance/worlds/TestWorker.ts"
import { second } from "../../../conformance/worlds/WorkerSteps.ts"

it.effect("drain MUST go on while something is under way, though it finds nothing more at that moment", () =>
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
    // The quick one ends first, when the other's endpoint is at its limit.
    yield* TestClock.adjust(500)
    yield* TestClock.adjust(500)
    yield* world.outside.next
    yield* TestClock.adjust(second)
    expect(yield* Fiber.join(drained)).toEqual({ attempts: 3, succeeded: 3 })
  }),
)
