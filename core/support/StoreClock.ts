/** The time in a process: the store's, so that everything ends at the same moment on all hosts. */
import { Clock, Data, Deferred, Effect, Layer, type Scope } from "effect"
import { logged } from "../model/log/LogEvent.ts"
import type { StorageError } from "../ports/StorageError.ts"
import { Upkeep } from "../ports/Upkeep.ts"

/** Nanoseconds of a millisecond. */
const milli = 1_000_000n

/** Milliseconds by which the clocks of a machine and of its store may differ. */
export const tolerance = 60_000

/** How often the store's clock is read, and how often while it has never been. */
const interval = "30 seconds"
const firstInterval = "1 second"

/** The clock of this machine differs too much from the store's. */
export class ClocksApart extends Data.TaggedError("ClocksApart")<{ readonly message: string }> {}

/**
 * A clock that follows the store's. Between two readings it goes by the monotonic time of the machine, so that setting
 * the machine's clock moves nothing.
 */
export class StoreClock implements Clock.Clock {
  readonly #local: Clock.Clock
  /** Nanoseconds from the monotonic time to the store's time. */
  #offset: bigint
  readonly #read: Effect.Effect<number, StorageError>
  readonly #known = Deferred.makeUnsafe<void>()
  #isApart = false

  constructor(local: Clock.Clock, upkeep: Upkeep["Service"]) {
    this.#local = local
    this.#offset = BigInt(Math.trunc(local.currentTimeMillisUnsafe())) * milli - local.monotonicTimeNanosUnsafe()
    // A store in memory has the clock of its caller.
    this.#read = Effect.provideService(upkeep.time, Clock.Clock, local)
  }

  /** Reads the store's clock, and logs if the machine's begins or ceases to differ. */
  readonly measure: Effect.Effect<void, StorageError> = Effect.suspend(() => {
    const begin = this.#local.monotonicTimeNanosUnsafe()
    return Effect.flatMap(this.#read, (time) => {
      const [at, end] = [BigInt(time) * milli, this.#local.monotonicTimeNanosUnsafe()]
      // It was read at some moment between the two. The clock moves no further than it must.
      if (this.#offset < at - end) this.#offset = at - end
      if (this.#offset > at + milli - 1n - begin) this.#offset = at + milli - 1n - begin
      Deferred.doneUnsafe(this.#known, Effect.void)
      return this.#report
    })
  })

  /** Completes once the store's clock has been read. */
  readonly known: Effect.Effect<void> = Deferred.await(this.#known)

  /** Fails while the clock of the machine differs too much from the store's, or the store can't be asked. */
  readonly requireClose: Effect.Effect<void, StorageError | ClocksApart> = Effect.suspend(() =>
    Effect.andThen(
      this.measure,
      Effect.suspend(() => (this.#isApart ? new ClocksApart({ message: this.#sentence }) : Effect.void)),
    ),
  )

  /** Measures until it is interrupted. */
  readonly follow: Effect.Effect<never> = Effect.suspend(() => {
    const isKnown = Deferred.isDoneUnsafe(this.#known)
    return Effect.andThen(Effect.sleep(isKnown ? interval : firstInterval), Effect.ignore(this.measure))
  }).pipe(Effect.forever)

  get #apart(): number {
    return Math.trunc(this.#local.currentTimeMillisUnsafe()) - this.currentTimeMillisUnsafe()
  }

  get #sentence(): string {
    const seconds = Math.round(Math.abs(this.#apart) / 1000)
    const direction = this.#apart > 0 ? "ahead of" : "behind"
    return `This machine's clock is ${seconds} seconds ${direction} the store's: let both be set by NTP`
  }

  readonly #report = Effect.suspend(() => {
    const isApart = Math.abs(this.#apart) > tolerance
    if (isApart === this.#isApart) return Effect.void
    this.#isApart = isApart
    return isApart
      ? Effect.logWarning(`${this.#sentence}. The store's time counts`).pipe(logged("clock.apart"))
      : Effect.log("This machine's clock is as the store's again").pipe(logged("clock.together"))
  })

  currentTimeMillisUnsafe(): number {
    return Number((this.#local.monotonicTimeNanosUnsafe() + this.#offset) / milli)
  }
  currentTimeNanosUnsafe(): bigint {
    return this.#local.monotonicTimeNanosUnsafe() + this.#offset
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.#local.monotonicTimeNanosUnsafe()
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())
  sleep: Clock.Clock["sleep"] = (duration) => this.#local.sleep(duration)
}

/** A clock that follows the store's until its scope closes; the current clock if it does so already. */
export const followStore: Effect.Effect<StoreClock, never, Upkeep | Scope.Scope> = Effect.gen(function* () {
  const local = yield* Clock.Clock
  if (local instanceof StoreClock) return local
  const clock = new StoreClock(local, yield* Upkeep)
  // A store that is down is asked again, and its calls say so.
  yield* Effect.ignore(clock.measure)
  yield* clock.follow.pipe(Effect.withTracerEnabled(false), Effect.forkScoped)
  return clock
})

/** Gives what is built on it the store's clock. Each store of a process has its own. */
export const layerStoreClock: Layer.Layer<never, never, Upkeep> = Layer.fresh(Layer.effect(Clock.Clock, followStore))

/** Fails while the current clock follows a store, and the machine's differs too much from it. */
export const requireClose: Effect.Effect<void, StorageError | ClocksApart> = Effect.flatMap(Clock.Clock, (clock) =>
  clock instanceof StoreClock ? clock.requireClose : Effect.void,
)

/** Completes once the current clock is the store's. */
export const known: Effect.Effect<void> = Effect.flatMap(Clock.Clock, (clock) =>
  clock instanceof StoreClock ? clock.known : Effect.void,
)
