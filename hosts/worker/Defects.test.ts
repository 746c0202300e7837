/** A sender that dies: a fault of ours, which counts for nothing (D27). */
import { expect, layer as testLayer } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { memory, postgres } from "../../conformance/testkit/hosts/TestHost.ts"
import { responseOf } from "../../conformance/testkit/workers/Outside.ts"
import { makeWorld, SharedStore, sharedStore } from "../../conformance/testkit/workers/TestWorker.ts"
import { never, second } from "../../conformance/testkit/workers/WorkerSteps.ts"

/** The level, message and cause of every line of the log. */
const logged = () => {
  const lines: Array<{ readonly level: string; readonly message: string; readonly cause: string }> = []
  const logger = Logger.make(({ cause, logLevel, message }) => {
    // As Effect's own loggers print it: a cause among the messages is not the line's cause.
    lines.push({ level: logLevel, message: String(message), cause: Cause.pretty(cause) })
  })
  return { lines, layer: Logger.layer([logger]) }
}

for (const kind of [memory, postgres]) {
  testLayer(sharedStore(kind), { excludeTestServices: true })(`A sender that dies, on ${kind.name}`, (it) => {
    it.effect.each([
      ["as an effect", () => Effect.die(new TypeError("client.destroy is not a function"))],
      [
        "by an exception",
        () => {
          throw new TypeError("client.destroy is not a function")
        },
      ],
    ] as const)("MUST be logged as a defect, count for nothing, and leave the delivery due: %s (D27)", ([_, dying]) =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ ports: yield* SharedStore, worker: { lease: 30 * second } })
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        const untouched = { log: yield* world.log(endpoint), endpoint: yield* world.endpointNow(endpoint) }
        world.outside.respond = dying
        const { layer, lines } = logged()
        // More often than an endpoint may fail before it is switched off.
        for (let time = 1; time <= 21; time++) {
          yield* Effect.provide(world.drainWithin({ max: never, deadline: never }), layer)
          // Due again when the lease ends, and no sooner.
          yield* Effect.provide(world.drainWithin({ max: never, deadline: never }), layer)
          expect(world.outside.sent).toHaveLength(time)
          expect({ log: yield* world.log(endpoint), endpoint: yield* world.endpointNow(endpoint) }).toEqual(untouched)
          yield* TestClock.adjust(30 * second)
        }
        expect(world.settlements).toEqual([])
        expect(lines).toHaveLength(21)
        const [delivery] = untouched.log
        for (const { cause, level, message } of lines) {
          expect([level, message.includes(delivery?.id ?? "no id"), message.includes(endpoint.id)]).toEqual([
            "Error",
            true,
            true,
          ])
          expect(cause).toContain("client.destroy is not a function")
        }
        world.outside.respond = () => Effect.succeed(responseOf(200))
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        expect(yield* world.log(endpoint)).toMatchObject([
          { status: "succeeded", attempts: [{ number: 1, at: someTime + 21 * 30 * second }] },
        ])
      }).pipe(Effect.provide(TestClock.layer())),
    )
  })
}
