/** Every worker clears the delivery log now and then, whatever has failed before. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { keyRing, memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import * as Worker from "./index.ts"

it.effect.each([
  ["a failure of the store", Effect.fail(new StorageError({ message: "down", cause: null, isRetryable: true }))],
  ["a defect", Effect.die(new TypeError("rows is not iterable"))],
] as const)("a worker MUST log %s while it clears the log, and clear it ten minutes later", ([_, failing]) =>
  Effect.gen(function* () {
    const ports = yield* Layer.build((yield* memory.open).ports)
    const upkeep = Context.get(ports, Upkeep)
    const calls: Array<"failed" | "cleared"> = []
    const failingOnce = Upkeep.of({
      ...upkeep,
      prune: (step) =>
        Effect.suspend(() => {
          calls.push(calls.length === 0 ? "failed" : "cleared")
          return calls.length === 1 ? failing : upkeep.prune(step)
        }),
    })
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    yield* Layer.build(
      Worker.layer({ keyRing }).pipe(
        Layer.provide(Layer.succeedContext(Context.add(ports, Upkeep, failingOnce))),
        Layer.provideMerge(Logger.layer([logger])),
      ),
    )
    yield* TestClock.adjust("1 minute")
    expect(calls).toEqual(["failed"])
    expect(lines).toEqual([expect.stringMatching(/^Warn Could not clear the delivery log; trying again later/)])
    yield* TestClock.adjust("10 minutes")
    expect(calls).toEqual(["failed", "cleared"])
  }),
)
