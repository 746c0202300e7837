/** Takes moves back. */
import { Effect } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { withoutDefects } from "../sql/statements/Errors.ts"
import { dropGate, setGate } from "./Gate.ts"
import { type Move, MoveError, nameOf } from "./Move.ts"
import { clear, dropEarlierGate, type Failure, type MoveOptions, moveOf, patiently, requireStates } from "./MoveShop.ts"
import { removeReplication } from "./Replication.ts"
import { dropSlots, slotsOf } from "./Slots.ts"
import { shopIn } from "./States.ts"
import { step, watched } from "./Steps.ts"
import { reopen, reopenAtSource } from "./Switch.ts"

/** A move to take back. */
export interface UndoOptions extends MoveOptions {
  /**
   * Whether the target is lost for good: the shop is then opened at the source without it. If the target comes back
   * after all and had opened the shop, two cells have it.
   */
  readonly isTargetLost?: boolean | undefined
}

/** Takes a move back that has not opened the shop at the target. Returns whether there was anything to do. */
export const undoMove = (options: UndoOptions): Effect.Effect<boolean, Failure> =>
  withoutDefects(
    options.isTargetLost === true
      ? watched(options.shop, [options.source], abandon(options))
      : watched(options.shop, [options.source, options.target], goBack(options)),
  )

const goBack = Effect.fnUntraced(function* (options: MoveOptions): Effect.fn.Return<boolean, Failure> {
  const move = yield* moveOf(options)
  const { shop, source, target } = move
  const from = yield* shopIn(source, shop)
  const to = yield* shopIn(target, shop)
  if (to.isHere && from.state !== null && !from.isHere) {
    return yield* new MoveError({
      message: `${shop} is open in ${target.name}. Move it back: --from ${target.name} --to ${source.name}`,
    })
  }
  if (from.state !== "copying" && from.state !== "closed" && to.state !== "arriving") return false
  if (from.state !== null) yield* requireStates(move, from, to)
  if (yield* reopen(move)) return yield* goBack(options)
  yield* removeReplication(move)
  yield* step("gate of the target")
  yield* setGate(target, move, "departed")
  yield* clear(move)
  yield* step("forget at the target")
  yield* target.sql`DELETE FROM designwire.moves WHERE shop = ${shop} AND state = 'arriving'`
  yield* patiently(dropGate(target, move))
  yield* dropEarlierGate(move)
  yield* forget(move)
  return true
})

/** Takes a move back at the source only. The target, should it come back, is cleared by {@link undoMove}. */
const abandon = Effect.fnUntraced(function* (options: MoveOptions): Effect.fn.Return<boolean, Failure> {
  const move = yield* moveOf(options)
  const { shop, source } = move
  yield* requireLost(move)
  const from = yield* shopIn(source, shop)
  if (from.state === "moved" || from.state === "gone") {
    return yield* new MoveError({
      message: `${shop} has moved from ${source.name} to ${from.other}. Restore a backup of ${from.other}`,
    })
  }
  if (from.state !== "copying" && from.state !== "closed") return false
  yield* requireStates(move, from, { isHere: false, state: null, run: null, other: null })
  const [named] = yield* source.sql<{ run: string }>`SELECT gen_random_uuid()::text AS run`
  yield* reopenAtSource(move, named?.run)
  yield* step("drop the slots")
  yield* dropSlots(source, nameOf(move), yield* tableSlots(move))
  yield* step("drop the publication")
  yield* source.sql.unsafe(`DROP PUBLICATION IF EXISTS ${nameOf(move)}`)
  yield* forget(move)
  return true
})

/** Fails if the target answers: it may have the shop, or open it at any moment. */
const requireLost = ({ shop, target }: Move): Effect.Effect<void, MoveError> =>
  shopIn(target, shop).pipe(
    Effect.timeout("10 seconds"),
    Effect.option,
    Effect.flatMap((found) =>
      found._tag === "None"
        ? Effect.void
        : new MoveError({
            message: `${target.name} answers, so it is not lost. Take the move back without --target-lost`,
          }),
    ),
  )

/**
 * The slots for copying single tables have the number of the target's subscription, which nobody knows any more. No
 * other move has any if no other is under way.
 */
const tableSlots = Effect.fnUntraced(function* ({ shop, source }: Move) {
  const others = yield* source.sql`SELECT 1 AS found FROM designwire.moves WHERE state = 'copying' AND shop <> ${shop}`
  if (others.length === 0) return "any" as const
  const left = (yield* slotsOf(source, "", "any")).join(", ")
  if (left !== "") {
    yield* Effect.logWarning(
      `Other shops are moving out of ${source.name}. After that, drop the replication slots of this list that still ` +
        `exist, because the server keeps its log for them: ${left}`,
    ).pipe(logged("cells.slots_left", { shop }))
  }
  return { of: undefined }
})

/** Removes what the move has left at the source. */
const forget = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, Failure> {
  const { shop, source } = move
  yield* step("drop the gate of the source")
  yield* patiently(dropGate(source, move))
  yield* step("forget at the source")
  yield* source.sql`DELETE FROM designwire.moves WHERE shop = ${shop} AND state = 'copying'`
})
