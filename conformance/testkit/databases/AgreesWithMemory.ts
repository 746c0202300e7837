/** Whether a kind of store answers random commands as memory does. */
import { expect } from "@effect/vitest"
import { Arbitrary, type Context, Effect, Layer, type Schema } from "effect"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { memory, type StoreKind } from "../hosts/TestHost.ts"

type Ports = Layer.Success<Layer.Layer<StoragePorts>>

/**
 * Carries out a number of runs of commands on both, and expects the same answers. `answers` is asked once for each run,
 * and its effect is run in either store.
 */
export const agreesWithMemory = Effect.fnUntraced(function* <C>(
  kind: StoreKind,
  command: Schema.Codec<C, unknown>,
  runs: number,
  answers: (commands: ReadonlyArray<C>) => Effect.Effect<unknown, unknown, Ports>,
) {
  const open = ({ open }: StoreKind) => Effect.flatMap(open, ({ ports }) => Layer.build(ports))
  const stores: readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>] = [
    yield* open(memory),
    yield* open(kind),
  ]
  const result = yield* Arbitrary.checkEffect(
    Arbitrary.array(Arbitrary.schema(command), { minLength: 5, maxLength: 30 }),
    (commands) =>
      Effect.gen(function* () {
        const run = answers(commands)
        const expected = yield* Effect.provideContext(run, stores[0])
        expect(yield* Effect.provideContext(run, stores[1])).toEqual(expected)
        return true
      }).pipe(Effect.catchCause((cause) => Effect.fail(cause))),
    { runs, seed: 2026, size: 30, maxShrinks: 200 },
  )
  expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
}, Effect.scoped)
