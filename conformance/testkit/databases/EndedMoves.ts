/** Moves that are refused, and commands that end before a change. */
import { Effect, References } from "effect"
import { expect } from "vitest"
import { MoveError } from "../../../adapters/buckets/move/Places.ts"

/** The options of a move that commands can end in. */
interface Steps {
  readonly onStep?: ((step: string) => Effect.Effect<void, MoveError>) | undefined
}

/** What tests expect of moves of buckets, or of shops, that come to no end. */
export const endedMoves = <Options extends Steps, E extends { readonly _tag: string; readonly message: string }>(
  move: (options: Options) => Effect.Effect<unknown, E>,
) => {
  /** The message of a refused command. */
  const refused = (options: Options) =>
    Effect.map(Effect.flip(move(options)), (error) => {
      expect(error._tag).toBe("MoveError")
      return error.message
    })

  /** Ends a command before a change: it makes no change any more. */
  const endedBefore = (options: Options, change: string) => {
    let ended = false
    const onStep = (step: string) => {
      ended ||= step === change
      return ended ? Effect.fail(new MoveError({ message: `ended before: ${change}` })) : Effect.void
    }
    return refused({ ...options, onStep }).pipe(
      Effect.map((message) => expect(message).toBe(`ended before: ${change}`)),
      Effect.provideService(References.MinimumLogLevel, "None"),
    )
  }

  return { refused, endedBefore }
}
