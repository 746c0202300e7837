/** Metrics of attempts (hosts/cli/README.md). */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import { noResponse, responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { lasting } from "../../../conformance/testkit/workers/WorkerSteps.ts"

it.effect("The metrics MUST count attempts by outcome, and their durations in seconds", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    yield* world.endpoint()
    const responses = [200, 299, 500, 302].map((status) => responseOf(status))
    for (const [index, response] of [...responses, noResponse("tls")].entries()) {
      world.outside.respond = lasting(response, 300)
      yield* world.order(`${index}`, [`d-${index}`])
      const drained = yield* Effect.forkChild(world.drain)
      yield* world.outside.next
      yield* TestClock.adjust(300)
      yield* Fiber.join(drained)
    }
    const metrics = yield* Metric.snapshot
    const counted = metrics.flatMap(({ attributes, id, state }) =>
      id === "designwire_delivery_attempts_total" && "count" in state
        ? [[attributes?.["outcome"], state.count] as const]
        : [],
    )
    expect(new Map(counted)).toEqual(
      new Map([
        ["success", 2],
        ["refused", 1],
        ["redirect", 1],
        ["tls", 1],
      ]),
    )
    const [took] = metrics.filter(({ id }) => id === "designwire_delivery_attempt_seconds")
    expect(took?.state).toMatchObject({ count: 5, sum: expect.closeTo(1.5), min: 0.3, max: 0.3 })
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)
