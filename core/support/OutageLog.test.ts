/** The log of a process whose store is down for a while, by virtual time. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { StorageError } from "../ports/StorageError.ts"
import { layerOutageLog } from "./OutageLog.ts"

const down = (what: string, isRetryable = true) =>
  new StorageError({ message: `${what}: connect ECONNREFUSED 127.0.0.1:5432`, cause: undefined, isRetryable })

/** Runs an effect whose log is kept short, and returns the lines. */
const lines = Effect.fnUntraced(function* (effect: Effect.Effect<unknown>) {
  const log: Array<string> = []
  const inner = Logger.make(({ logLevel, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    log.push([logLevel, ...parts.map((part) => (part instanceof StorageError ? part.message : part))].join(" "))
  })
  const running = yield* Effect.forkChild(
    effect.pipe(Effect.provide(layerOutageLog, { local: true }), Effect.provide(Logger.layer([inner]))),
  )
  yield* TestClock.adjust("1 hour")
  yield* Fiber.join(running)
  return log
})

/** A process with many requests and a worker, whose store is down for some seconds. */
const outageOf = (seconds: number, after = "30 seconds") =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second++) {
      for (const what of ["Reading the orders", "Reading the shops"]) yield* Effect.logError(down(what))
      yield* Effect.logWarning("The store of deliveries fails; trying again", down("Claiming deliveries"))
      yield* Effect.sleep("1 second")
    }
    yield* Effect.sleep(after as "30 seconds")
  })

const beginning = "Error Reading the orders: connect ECONNREFUSED 127.0.0.1:5432"

describe("The log during an outage of the store", () => {
  it.effect("MUST say once why it fails, and at the end how often", () =>
    Effect.gen(function* () {
      expect(yield* lines(outageOf(25))).toEqual([
        beginning,
        "Info The store has not failed for 10 seconds; before, it failed 75 times within 24 seconds",
      ])
    }),
  )

  it.effect("MUST have a line a minute with the number of failures", () =>
    Effect.gen(function* () {
      const last = "the last time: Reading the orders: connect ECONNREFUSED 127.0.0.1:5432"
      expect(yield* lines(outageOf(150))).toEqual([
        beginning,
        `Error The store has failed 181 times within 60 seconds, ${last}`,
        `Error The store has failed 361 times within 120 seconds, ${last}`,
        "Info The store has not failed for 10 seconds; before, it failed 450 times within 149 seconds",
      ])
    }),
  )

  it.effect("MUST report the next outage as the first", () =>
    Effect.gen(function* () {
      const log = yield* lines(Effect.andThen(outageOf(2), outageOf(1)))
      expect(log).toEqual([
        beginning,
        "Info The store has not failed for 10 seconds; before, it failed 6 times within 1 seconds",
        beginning,
        "Info The store has not failed for 10 seconds; before, it failed 3 times within 0 seconds",
      ])
    }),
  )

  it.effect("MUST have a line for each of the first five reasons", () =>
    Effect.gen(function* () {
      const failing = Effect.forEach([1, 2, 3, 4, 5, 6, 1, 2], (code) =>
        Effect.logError(new StorageError({ message: `Reading: E${code}`, cause: undefined, isRetryable: true })),
      )
      const log = yield* lines(Effect.andThen(failing, Effect.sleep("30 seconds")))
      expect(log.slice(0, -1)).toEqual([1, 2, 3, 4, 5].map((code) => `Error Reading: E${code}`))
      expect(log.at(-1)).toMatch(/it failed 8 times within 0 seconds$/)
    }),
  )

  it.effect("MUST be one outage while something fails at least every ten seconds", () =>
    Effect.gen(function* () {
      const log = yield* lines(Effect.andThen(outageOf(1, "8 seconds"), outageOf(1)))
      expect(log).toEqual([beginning, expect.stringMatching(/it failed 6 times within 9 seconds$/)])
    }),
  )

  it.effect("MUST leave every other line as it is, also failures that do not pass by themselves", () =>
    Effect.gen(function* () {
      const others = Effect.gen(function* () {
        yield* Effect.logError(down("Reading the orders"))
        for (let time = 0; time < 3; time++) {
          yield* Effect.logError(down("Placing an order", false))
          yield* Effect.log("Settings", 3)
        }
      })
      const three = ["Error Placing an order: connect ECONNREFUSED 127.0.0.1:5432", "Info Settings 3"]
      expect((yield* lines(Effect.andThen(others, Effect.sleep("30 seconds")))).slice(1)).toEqual([
        ...[...three, ...three, ...three],
        expect.stringMatching(/it failed once within 0 seconds$/),
      ])
    }),
  )
})
