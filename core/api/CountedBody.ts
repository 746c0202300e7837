import { Cause, Effect, Schema, Stream } from "effect"

/** A body that its client left standing: the connection ends without the rest. */
export class StoodStill extends Schema.Error<StoodStill>("designwire/api/StoodStill")({ message: Schema.String }) {
  readonly _tag = "StoodStill"
}

/** Bytes that are handed over at once. */
const piece = 65_536

/** A client that takes nothing for as long has lost the rest. */
const patience = "10 seconds"

/** The bytes of a body in pieces, for servers that take them as their client reads. `hold` counts them until then. */
export const countedBody = (body: Uint8Array, hold: () => () => void): Stream.Stream<Uint8Array, StoodStill> =>
  Stream.unwrap(
    Effect.gen(function* () {
      let left: Uint8Array | undefined = body
      let position = 0
      const release = hold()
      // Nobody may ever read the body, or end it.
      const watch = Effect.gen(function* () {
        for (let seen = -1; seen !== position; ) {
          seen = position
          yield* Effect.sleep(patience)
        }
        left = undefined
        release()
      })
      const watching = yield* Effect.forkDetach(watch)
      type Piece = Effect.Effect<readonly [Uint8Array], StoodStill | Cause.Done>
      const next = Effect.suspend((): Piece => {
        if (left === undefined) return Effect.fail(new StoodStill({ message: "The client stopped reading" }))
        if (position === left.length) return Cause.done()
        const bytes = left.subarray(position, position + piece)
        position += bytes.length
        return Effect.succeed([bytes] as const)
      })
      const ended = Effect.andThen(
        Effect.sync(release),
        Effect.sync(() => watching.interruptUnsafe()),
      )
      return Stream.ensuring(Stream.fromPull(Effect.succeed(next)), ended)
    }),
  )
