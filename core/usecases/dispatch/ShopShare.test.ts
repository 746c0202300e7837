/** What one shop may have of a worker (D45). */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeWorld } from "../../../conformance/worlds/TestWorker.ts"
import { orders, second } from "../../../conformance/worlds/WorkerSteps.ts"

it.effect("A shop MUST have half of a worker's slots at most, though nobody else has anything due (D45)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld({ worker: { concurrency: 7, perEndpoint: 7 } })
    yield* Effect.all([world.endpoint(), world.endpoint(), world.endpoint()])
    yield* orders(world, 6)
    world.outside.respond = () => Effect.never
    const worker = yield* Effect.forkScoped(world.work)
    for (let index = 0; index < 4; index++) yield* world.outside.next
    yield* TestClock.adjust(second)
    expect(world.outside.sent).toHaveLength(4)
    yield* Effect.forkScoped(Fiber.interrupt(worker))
    yield* TestClock.adjust(10 * second)
  }),
)
