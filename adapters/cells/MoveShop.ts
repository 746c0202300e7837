/**
 * Moves a shop from one cell to another by Postgres' own logical replication, while hosts of both continue.
 *
 * Everything that a move knows is in the two databases: run again after it was broken off anywhere, it continues, and
 * `undoMove` takes it back until the shop is open at the target. The cell with its row of `shops` serves
 * the shop, and two cells never have it.
 */
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { clientIn } from "../sql/schema/Schema.ts"
import { withoutDefects } from "../sql/statements/Errors.ts"
import { dropHoldings } from "../sql/upkeep/RemoveShop.ts"
import { dropGate, hangGate, setGate } from "./Gate.ts"
import { type Cell, durably, type Move, MoveError, type NotYet } from "./Move.ts"
import { raisePositions } from "./Positions.ts"
import { requireMovable } from "./Preconditions.ts"
import { beginCopy, isCopying, type MoveProgress, removeReplication, resumeCopy, untilCopied } from "./Replication.ts"
import { enter, expect, type ShopInCell, shopIn } from "./States.ts"
import { Patience, step, watched } from "./Steps.ts"
import { tryToSwitch } from "./Switch.ts"
import { shopTables } from "./Tables.ts"

/** A shop, and the cells that it moves between. */
export interface MoveOptions {
  readonly shop: string
  readonly source: Cell
  readonly target: Cell
  /** The schema of the tables in both. Default: `designwire`. */
  readonly schema?: string | undefined
  readonly onProgress?: ((progress: MoveProgress) => Effect.Effect<void>) | undefined
  /** Runs as soon as the shop is open at the target, before what the move has made is taken down. */
  readonly onOpened?: Effect.Effect<void> | undefined
}

export type Failure = MoveError | SqlError.SqlError

/** Rows that one statement deletes. */
const atOnce = 10_000

/**
 * Seconds until a shop that can't be switched at the moment is tried again: more each time, because it is closed for up
 * to half a second at each.
 */
const pauseAfter = (tries: number): number => Math.min(2 ** tries, 16)

export const moveOf = Effect.fnUntraced(function* ({
  schema = "designwire",
  shop,
  source,
  target,
}: MoveOptions): Effect.fn.Return<Move, Failure> {
  const inSchema = (cell: Cell): Cell => ({ ...cell, sql: clientIn(cell.sql, schema) })
  const id = yield* idIn(source, schema, shop)
  const tables = yield* shopTables(source.sql, schema)
  return { shop, schema, id, tables, source: inSchema(source), target: inSchema(target) }
})

/** The short name of what moves of a shop make, out of a cell. */
const idIn = ({ sql }: Cell, schema: string, shop: string) =>
  Effect.map(
    sql<{ id: string }>`SELECT left(md5(concat_ws(' ', current_database(), ${schema}::text, ${shop}::text)), 16) AS id`,
    ([row]) => row?.id ?? "",
  )

/** Drops the gate that keeps a shop out of the target since it has left it, now that this move's gate does so. */
export const dropEarlierGate = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, Failure> {
  const { schema, shop, tables, target } = move
  const id = yield* idIn(target, schema, shop)
  // Databases of the same name give the same one.
  if (id === move.id) return
  yield* step("drop the earlier gate of the target")
  yield* patiently(dropGate(target, { id, shop, tables }))
})

/** Fails with what keeps a shop from moving. Changes nothing. */
export const checkMove = Effect.fnUntraced(function* (options: MoveOptions): Effect.fn.Return<void, Failure> {
  const { schema = "designwire", source, target } = options
  yield* requireMovable({ schema, source, target })
  const move = yield* moveOf(options)
  yield* requireStates(move, yield* shopIn(move.source, move.shop), yield* shopIn(move.target, move.shop))
})

/** Fails unless the shop is open at the source, or is on its way from there to this target. */
export const requireStates = (
  { shop, source, target }: Move,
  from: ShopInCell,
  to: ShopInCell,
): Effect.Effect<void, MoveError> => {
  const refuse = (message: string) => new MoveError({ message })
  if (to.isHere) return refuse(`${shop} is in ${target.name} already`)
  if (from.state === "copying" || from.state === "closed") {
    return to.run === from.run || from.other === target.name
      ? Effect.void
      : refuse(`${shop} is on its way to ${from.other}. End that with --to ${from.other}, or with --undo`)
  }
  if (from.state === "arriving") return refuse(`${shop} is on its way from ${from.other} to ${source.name}`)
  if (from.isHere) return Effect.void
  return refuse(
    from.state === null
      ? `${source.name} has no shop ${shop}`
      : `${shop} has moved from ${source.name} to ${from.other}`,
  )
}

/** Moves a shop, or works with it. Returns whether there was anything to do. */
export const moveShop = (options: MoveOptions): Effect.Effect<boolean, Failure> =>
  withoutDefects(watched(options.shop, [options.source, options.target], carryOut(options)))

const carryOut = Effect.fnUntraced(function* (options: MoveOptions): Effect.fn.Return<boolean, Failure> {
  const { onOpened = Effect.void, onProgress = () => Effect.void, schema = "designwire", source, target } = options
  const move = yield* moveOf(options)
  const { from, to } = yield* Effect.all({
    from: shopIn(move.source, move.shop),
    to: shopIn(move.target, move.shop),
  }).pipe(
    // A cell without tables, or whose tables the user may not read.
    Effect.tapError(() => requireMovable({ schema, source, target })),
  )
  const isOpened = to.isHere && !from.isHere && (from.state === "closed" || from.state === "moved")
  if (isOpened) {
    yield* onOpened
    yield* finish(move)
    return true
  }
  if (to.isHere && !from.isHere) return false
  yield* requireStates(move, from, to)
  if (from.state !== "closed" && from.state !== "copying") {
    yield* requireMovable({ schema, source, target })
    yield* step("enter")
    yield* enter(move)
  }
  const { end } = yield* Patience
  const began = yield* Clock.currentTimeMillis
  for (let tries = 0; ; tries++) {
    yield* copy(move, onProgress)
    const obstacle = yield* tryToSwitch(move)
    if (obstacle === undefined) break
    if ((yield* Clock.currentTimeMillis) - began >= end) {
      return yield* new MoveError({
        message: `${move.shop} is still open in ${source.name}: ${obstacle}. Run the command again, which continues`,
      })
    }
    yield* Effect.sleep(`${pauseAfter(tries)} seconds`)
  }
  yield* onOpened
  yield* finish(move)
  return true
})

/** Copies the shop, or continues with the copy, until the target is almost up to date. */
const copy = Effect.fnUntraced(function* (
  move: Move,
  onProgress: (progress: MoveProgress) => Effect.Effect<void>,
): Effect.fn.Return<void, Failure> {
  const { shop, source, target } = move
  const from = yield* shopIn(source, shop)
  const to = yield* shopIn(target, shop)
  if (from.state === "copying") {
    yield* step("gate of the source")
    yield* setGate(source, move, "open")
    yield* patiently(hangGate(source, move))
  }
  if (to.state === "arriving" && to.run === from.run && (yield* isCopying(move))) {
    yield* step("resume")
    yield* resumeCopy(move)
  } else {
    yield* removeReplication(move)
    yield* step("gate of the target")
    yield* setGate(target, move, "departed")
    yield* patiently(hangGate(target, move))
    yield* clear(move)
    yield* step("expect")
    yield* durably(
      target.sql,
      Effect.gen(function* () {
        yield* setGate(target, move, "closed")
        yield* target.sql`DELETE FROM designwire.removed_shops WHERE shop = ${shop}`
        yield* expect(move, from.run ?? "")
      }),
    )
    yield* dropEarlierGate(move)
    yield* raisePositions(move)
    yield* beginCopy(move)
  }
  yield* untilCopied(move, onProgress)
})

/** Deletes what the target has of a shop that is not open there: of an earlier copy, or from before it left. */
export const clear = ({ shop, target: { sql } }: Move): Effect.Effect<void, Failure> =>
  Effect.asVoid(
    Effect.repeat(Effect.andThen(step("clear"), sql.withTransaction(dropHoldings(sql, shop, atOnce))), {
      until: ({ isEmpty }) => isEmpty,
    }),
  )

/** Takes down what the move has made, once the shop is open at the target. */
const finish = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, Failure> {
  const { shop, source, target } = move
  // Before anything is deleted at the source: nothing must follow it.
  yield* removeReplication(move)
  yield* step("mark as moved")
  yield* durably(
    source.sql,
    Effect.andThen(
      setGate(source, move, "departed"),
      source.sql`UPDATE designwire.moves SET state = 'moved', at = now() WHERE shop = ${shop} AND state = 'closed'`,
    ),
  )
  yield* step("drop the gate of the target")
  yield* patiently(dropGate(target, move))
  yield* sweep(move)
})

/** Removes the gates of shops that have left the source, and whose rows upkeep has deleted. */
const sweep = Effect.fnUntraced(function* ({ schema, source, tables }: Move): Effect.fn.Return<void, Failure> {
  const gone = yield* source.sql<{ shop: string; id: string }>`SELECT m.shop,
  left(md5(concat_ws(' ', current_database(), ${schema}::text, m.shop)), 16) AS id
FROM designwire.moves m WHERE m.state = 'gone'`
  for (const { id, shop } of gone) yield* patiently(dropGate(source, { id, shop, tables }))
})

/** Fails if tables stay in use for a minute. */
export const patiently = <A, E>(effect: Effect.Effect<A, E | NotYet>) =>
  Effect.catchIf(
    effect,
    (error): error is NotYet => (error as { readonly _tag?: string })._tag === "NotYet",
    ({ message }) => new MoveError({ message: `${message}. Run the command again` }),
  )
