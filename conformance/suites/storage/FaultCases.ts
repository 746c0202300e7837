import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { AssertionFailed, equal, holds, show, some } from "../Assertion.ts"
import { type Calls, callsOfPorts } from "./FaultCalls.ts"
import { Cut, calling, type ListedCase, type StorageCase } from "./StorageCase.ts"
import { retrying } from "./support/Fixtures.ts"

/** Expects a call to a cut store to fail as the port says. */
const failsRightly = Effect.fnUntraced(function* (method: string, call: Effect.Effect<unknown, unknown>) {
  const exit = yield* Effect.exit(call)
  if (Exit.isSuccess(exit)) {
    return yield* new AssertionFailed({ message: `${method}: returned ${show(exit.value)}, expected StorageError` })
  }
  yield* isRight(method, exit)
})

/** Expects a failure that the port names. */
const isRight = Effect.fnUntraced(function* (method: string, exit: Exit.Failure<unknown, unknown>) {
  yield* holds(`${method} fails, and does not die: ${show(Cause.squash(exit.cause))}`, !Cause.hasDies(exit.cause))
  const error = yield* Effect.flip(exit)
  if (!(error instanceof StorageError)) {
    return yield* new AssertionFailed({ message: `${method}: got ${show(error)}, expected StorageError` })
  }
  yield* equal(`${method}: whether it can be retried`, error.isRetryable, true)
  yield* holds(`${method} says why`, error.message.length > 0 && !error.message.includes("\n"))
})

/** All calls fail while the store is cut; afterwards nothing has changed and each call works. */
const cutOff = ({ calls, state }: Calls) =>
  Effect.gen(function* () {
    const cut = yield* some("Cut in the layer of the host", yield* Effect.serviceOption(Cut))
    const before = yield* state
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* cut
        for (const [method, call] of Object.entries(calls)) yield* failsRightly(method, call)
      }),
    )
    yield* equal("what is kept", yield* retrying(state), before)
    for (const call of Object.values(calls)) yield* retrying(call)
  })

/**
 * Makes all calls at once and cuts the store when this many have ended, in the middle of the others. Each ends as if
 * alone, and works afterwards.
 */
const cutMidway = ({ calls, state }: Calls, ended: number) =>
  Effect.gen(function* () {
    const cut = yield* some("Cut in the layer of the host", yield* Effect.serviceOption(Cut))
    const isTime = yield* Deferred.make<void>()
    let left = ended
    const count = Effect.suspend(() => (--left > 0 ? Effect.void : Deferred.succeed(isTime, undefined)))
    const calling = Effect.forEach(
      Object.entries(calls),
      ([method, call]) => Effect.map(Effect.ensuring(Effect.exit(call), count), (exit) => [method, exit] as const),
      { concurrency: "unbounded" },
    )
    const exits = yield* Effect.scoped(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkScoped(calling, { startImmediately: true })
        if (ended > 0) yield* Deferred.await(isTime)
        yield* cut
        return yield* Fiber.join(fiber)
      }),
    )
    for (const [method, exit] of exits) if (Exit.isFailure(exit)) yield* isRight(method, exit)
    yield* retrying(state)
    for (const call of Object.values(calls)) yield* retrying(call)
  })

/** The contract of every port for an unreachable store. */
export const faultCases: ReadonlyArray<StorageCase> = callsOfPorts.flatMap(({ id, make, name, ports }) =>
  calling(...ports)([
    {
      id: `faults.cut.${id}`,
      title: `MUST fail with a retryable StorageError from all of ${name} while the store is cut, and work afterwards`,
      requirements: ["D23"],
      needs: ["faults"],
      alone: true,
      run: Effect.flatMap(make, cutOff),
    },
    {
      id: `faults.midway.${id}`,
      // The moment at which a cut meets a call is random. Each run has as many of them as there are methods.
      rounds: 2,
      title: `MUST succeed or fail with a retryable StorageError from all of ${name} if the store is cut at work`,
      requirements: ["D23"],
      needs: ["faults"],
      alone: true,
      run: Effect.flatMap(make, (made) =>
        Effect.forEach(Object.keys(made.calls), (_, ended) => cutMidway(made, ended), { discard: true }),
      ),
    },
    {
      id: `faults.none.${id}`,
      title: `MUST return from every method of ${name}, since the store can't be cut from its hosts`,
      requirements: ["D23"],
      without: "faults",
      alone: true,
      run: Effect.flatMap(make, ({ calls }) => Effect.forEach(Object.values(calls), (call) => call, { discard: true })),
    },
  ] satisfies ReadonlyArray<ListedCase>),
)
