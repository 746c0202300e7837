import { Cause, Effect, Exit } from "effect"
import { StorageError } from "../../core/ports/StorageError.ts"
import { AssertionFailed, equal, holds, show, some } from "../Assertion.ts"
import { type Calls, callsOfPorts } from "./FaultCalls.ts"
import { retrying } from "./Fixtures.ts"
import { Cut, calling, type ListedCase, type StorageCase } from "./StorageCase.ts"

/** A call while the store is cut fails as the port says. */
const failsRightly = Effect.fnUntraced(function* (method: string, call: Effect.Effect<unknown, unknown>) {
  const exit = yield* Effect.exit(call)
  if (Exit.isSuccess(exit)) {
    return yield* new AssertionFailed({ message: `${method}: answered ${show(exit.value)}, expected StorageError` })
  }
  yield* holds(`${method} fails, and does not die: ${show(Cause.squash(exit.cause))}`, !Cause.hasDies(exit.cause))
  const error = yield* Effect.flip(exit)
  if (!(error instanceof StorageError)) {
    return yield* new AssertionFailed({ message: `${method}: got ${show(error)}, expected StorageError` })
  }
  yield* equal(`${method}: whether calling it again may help`, error.isRetryable, true)
  yield* holds(`${method} says why`, error.message.length > 0 && !error.message.includes("\n"))
})

/** While the store is cut, all fail; afterwards nothing has changed, and each works. */
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

/** What every port promises of a store that can't be reached. */
export const faultCases: ReadonlyArray<StorageCase> = callsOfPorts.flatMap(({ id, make, name, ports }) =>
  calling(...ports)([
    {
      id: `faults.cut.${id}`,
      title: `MUST fail with a StorageError that says that it may be tried again from every method of ${name} while the store is cut, change nothing, and go on afterwards`,
      requirements: ["D23"],
      needs: ["faults"],
      alone: true,
      run: Effect.flatMap(make, cutOff),
    },
    {
      id: `faults.none.${id}`,
      title: `MUST answer from every method of ${name}, since the store can't be cut from its hosts`,
      requirements: ["D23"],
      without: "faults",
      alone: true,
      run: Effect.flatMap(make, ({ calls }) => Effect.forEach(Object.values(calls), (call) => call, { discard: true })),
    },
  ] satisfies ReadonlyArray<ListedCase>),
)
