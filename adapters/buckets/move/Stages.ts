/** The stages of a move. Each continues the work of an earlier command that was cut off. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { targetState } from "./Copy.ts"
import { dropClosed, isClosed } from "./Fence.ts"
import { type Move, MoveError, type NamedPlace } from "./Places.ts"
import { requireCurrentSource } from "./Preconditions.ts"
import { beginCopy, dropSubscription, isCopying, removeCopy, resumeCopy, unpublish } from "./Replication.ts"
import { dropSlots, slotName } from "./Slots.ts"
import { reopenUnlessOpened, tryToSwitch } from "./Switch.ts"
import { analyze, type MoveProgress, untilCopied } from "./Watch.ts"

/** Seconds to wait after each try to switch that came to nothing. */
const pauses = [2, 2, 4, 8, 15, ...Array.from({ length: 10 }, () => 30)]

/** Copies the bucket and switches, as far as that is not done: afterwards the target is open, and the source closed. */
export const copyAndSwitch = Effect.fnUntraced(function* (
  move: Move,
  onProgress: (progress: MoveProgress) => Effect.Effect<void>,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  if ((yield* targetState(move)) === "open") return
  const copying = yield* isCopying(move)
  if (copying && (yield* isClosed(move)) && (yield* tryToSwitch(move))) return
  if (copying) yield* resumeCopy(move)
  else {
    yield* reopenUnlessOpened(move)
    yield* requireCurrentSource(move)
    yield* removeCopy(move)
    yield* beginCopy(move)
  }
  yield* untilCopied(move, onProgress)
  yield* move.step("analyze")
  yield* analyze(move)
  for (const pause of pauses) {
    yield* untilCopied(move, onProgress)
    if (yield* tryToSwitch(move)) return
    yield* Effect.sleep(`${pause} seconds`)
  }
  return yield* new MoveError({
    message: [
      `${move.schema} could not be switched in ${pauses.length} tries. Nothing is lost, and the copy goes on:`,
      "run the command again at a quieter time, or end the transactions that stay open for long",
    ].join(" "),
  })
})

/** Undoes a move whose target is not open. */
export const goBack = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  yield* reopenUnlessOpened(move)
  yield* removeCopy(move)
})

/** Drops all that the last move of a bucket has left behind, in the database that the bucket has come to and others. */
export const sweep = Effect.fnUntraced(function* (
  { schema, step }: Pick<Move, "schema" | "step">,
  here: NamedPlace,
  others: ReadonlyArray<NamedPlace>,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  yield* step("drop the old subscription")
  yield* dropSubscription(here, schema)
  for (const place of others) {
    yield* step("drop the old slot")
    yield* dropSlots(place, yield* slotName(place, schema), undefined)
    yield* step("drop the closed schema")
    yield* dropClosed(place, schema)
    yield* step("drop the old publication")
    yield* unpublish(place, schema)
  }
})
