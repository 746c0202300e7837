/** The clock of a process whose store is elsewhere (D33). */
import { expect, it } from "@effect/vitest"
import { Clock, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { StorageError } from "../ports/StorageError.ts"
import { Upkeep } from "../ports/Upkeep.ts"
import { followStore, layerStoreClock } from "./StoreClock.ts"

const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })

/** A store with a clock of its own, and a machine whose clock the test sets; real time passes for both. */
const world = Effect.gen(function* () {
  const test = yield* TestClock.testClockWith(Effect.succeed)
  yield* test.setTime(someTime)
  /** Milliseconds by which the machine's clock is ahead of real time, and the store's clock. */
  const state = { machine: 0, store: 0, isDown: false, reading: 0 }
  const machine: Clock.Clock = {
    ...test,
    currentTimeMillisUnsafe: () => test.currentTimeMillisUnsafe() + state.machine,
    currentTimeMillis: Effect.sync(() => test.currentTimeMillisUnsafe() + state.machine),
  }
  const time = Effect.suspend(() =>
    state.isDown
      ? down
      : Effect.andThen(
          state.reading === 0 ? Effect.void : test.adjust(state.reading),
          Effect.sync(() => test.currentTimeMillisUnsafe() + state.store),
        ),
  )
  const log: Array<string> = []
  const upkeep = { ...({} as Upkeep["Service"]), time }
  const logger = Logger.layer([Logger.make(({ logLevel, message }) => void log.push(`${logLevel} ${message}`))])
  const follow = followStore.pipe(
    Effect.provideService(Upkeep, upkeep),
    Effect.provideService(Clock.Clock, machine),
    Effect.provide(logger),
  )
  return { state, test, upkeep, follow, log, logger, real: () => test.currentTimeMillisUnsafe() }
})

const day = 86_400_000

it.effect("MUST have the store's time, whatever the machine's clock is set to and becomes (D33a)", () =>
  Effect.gen(function* () {
    for (const ahead of [-500 * day, -1, 0, 1, 40 * day, 500 * day]) {
      const { follow, real, state, test } = yield* world
      state.machine = ahead
      const clock = yield* follow
      expect(clock.currentTimeMillisUnsafe()).toBe(real())
      for (const jump of [0, 40 * day, -40 * day]) {
        state.machine = jump
        expect(clock.currentTimeMillisUnsafe()).toBe(real())
        expect(clock.currentTimeNanosUnsafe() / 1_000_000n).toBe(BigInt(real()))
        yield* test.adjust(31_000)
        expect(clock.currentTimeMillisUnsafe()).toBe(real())
      }
    }
  }),
)

it.effect("MUST follow the store's clock within half a minute, and no further than a slow reading is sure of", () =>
  Effect.gen(function* () {
    const { follow, real, state, test } = yield* world
    const clock = yield* follow
    state.store = 5_000
    yield* test.adjust(30_000)
    expect(clock.currentTimeMillisUnsafe()).toBe(real() + 5_000)
    state.store = 6_000
    state.reading = 2_000
    yield* clock.measure
    // The reading took two seconds, and the store's clock may have been read at any moment of them.
    expect(clock.currentTimeMillisUnsafe() - real()).toBeGreaterThanOrEqual(5_000)
    expect(clock.currentTimeMillisUnsafe() - real()).toBeLessThanOrEqual(6_000)
  }),
)

it.effect("MUST be unfit while the clocks differ by more than a minute, log it once, and recover (D33a)", () =>
  Effect.gen(function* () {
    const { follow, log, logger, state, test } = yield* world
    const clock = yield* follow
    const fails = Effect.provide(
      Effect.match(clock.requireClose, { onFailure: ({ message }) => message, onSuccess: () => undefined }),
      logger,
    )
    for (const near of [-60_000, 0, 60_000]) {
      state.machine = near
      expect(yield* fails).toBe(undefined)
    }
    expect(log).toEqual([])
    state.machine = 60_001
    const sentence = "This machine's clock is 60 seconds ahead of the store's: let both be set by NTP"
    expect([yield* fails, yield* fails]).toEqual([sentence, sentence])
    expect(log).toEqual([`Warn ${sentence}. The store's time counts`])
    state.machine = -60_001
    expect(yield* fails).toBe("This machine's clock is 60 seconds behind the store's: let both be set by NTP")
    state.machine = 0
    yield* test.adjust(30_000)
    expect(log.slice(1)).toEqual(["Info This machine's clock is as the store's again"])
    state.machine = 40 * day
    yield* test.adjust(30_000)
    expect(log.slice(2)).toEqual([expect.stringContaining("3456000 seconds ahead")])
    state.machine = 0
    expect(yield* fails).toBe(undefined)
    state.isDown = true
    expect(yield* fails).toBe("down")
  }),
)

it.effect("MUST ask a store that is down again every second until it answers", () =>
  Effect.gen(function* () {
    const { follow, real, state, test } = yield* world
    state.isDown = true
    state.machine = 40 * day
    const clock = yield* follow
    let isKnown = false
    yield* Effect.forkScoped(
      Effect.andThen(
        clock.known,
        Effect.sync(() => (isKnown = true)),
      ),
    )
    yield* test.adjust(10_000)
    expect(isKnown).toBe(false)
    state.isDown = false
    yield* test.adjust(1_000)
    expect([isKnown, clock.currentTimeMillisUnsafe()]).toEqual([true, real()])
  }),
)

it.effect("MUST be one clock for everything that is built on it", () =>
  Effect.gen(function* () {
    const { upkeep } = yield* world
    const two = Effect.all([Clock.Clock, followStore]).pipe(
      Effect.provide(layerStoreClock),
      Effect.provideService(Upkeep, upkeep),
    )
    const [outer, inner] = yield* two
    expect(inner).toBe(outer)
  }),
)
