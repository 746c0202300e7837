import { expect, it } from "@effect/vitest"
import { Effect, Exit, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AnswerBytes } from "./AnswerBytes.ts"
import { countedBody } from "./CountedBody.ts"

const body = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251)

/** A body of a shop that can hold nothing alongside it. */
const makeWorld = () => {
  const bytes = new AnswerBytes({ maximum: 200_000, page: 100_000 })
  return { isHeld: () => !bytes.fits("s", 100_000), stream: countedBody(body, () => bytes.hold("s", body.length)) }
}

it.effect("a body MUST arrive whole, and count until it is sent (D46)", () =>
  Effect.gen(function* () {
    const { isHeld, stream } = makeWorld()
    const pieces: Array<Uint8Array> = []
    yield* Stream.runForEach(stream, (piece) =>
      Effect.sync(() => {
        expect(isHeld()).toBe(true)
        pieces.push(piece)
      }),
    )
    expect(Buffer.concat(pieces).equals(body)).toBe(true)
    expect(isHeld()).toBe(false)
  }),
)

it.effect("a body whose client leaves MUST count no longer (D46)", () =>
  Effect.gen(function* () {
    const { isHeld, stream } = makeWorld()
    yield* Stream.runDrain(Stream.take(stream, 1))
    expect(isHeld()).toBe(false)
  }),
)

it.effect(
  "a body that nothing is taken of for 10 seconds MUST be dropped, and one that is taken slowly MUST NOT (D46)",
  () =>
    Effect.gen(function* () {
      const { isHeld, stream } = makeWorld()
      const scope = yield* Scope.make()
      const pull = yield* Scope.provide(Stream.toPull(stream), scope)
      for (const _ of [1, 2]) {
        yield* pull
        yield* TestClock.adjust("9 seconds")
        expect(isHeld()).toBe(true)
      }
      yield* TestClock.adjust("20 seconds")
      expect(isHeld()).toBe(false)
      expect(Exit.isFailure(yield* Effect.exit(pull))).toBe(true)
      yield* Scope.close(scope, Exit.void)
    }),
)
