/** The stages of a shop's move. */
import { Clock, Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { withoutDefects } from "../../sql/statements/Errors.ts"
import { NotYet } from "../move/Fence.ts"
import { MoveError, type NamedPlace, quoted } from "../move/Places.ts"
import { requireCurrentSource } from "../move/Preconditions.ts"
import { beginArrival } from "./Arrival.ts"
import { admit, dropGates, hasDepartures, noteDeparture, refuseAgain } from "./Departures.ts"
import { beginCopy, type Copy, changesAtOnce, copyRows, followChanges, followSome, raiseSequences } from "./ShopCopy.ts"
import {
  awaitWriters,
  closeGate,
  type Gate,
  hangGate,
  hasGateOn,
  makeGate,
  openGate,
  passingGate,
  removeGate,
} from "./ShopGate.ts"
import type { ShopMoveRow, shopMoveRows } from "./ShopMoveRows.ts"
import { type ShopTable, shopTables } from "./ShopTables.ts"

/** How far a copy has got. */
export type { ShopProgress } from "./ShopCopy.ts"

/** How long a move waits for hosts, in milliseconds. */
export interface Waits {
  /** From its beginning to its switch: hosts read the directory in this time, and ask it for the shop from then on. */
  readonly known: number
  /** From its switch until the source is cleared: calls that have begun there end in this time. */
  readonly left: number
}

/** A move of a shop. */
export interface ShopMove {
  readonly row: ShopMoveRow
  /** The command that moves it. */
  readonly command: string
  readonly rows: ReturnType<typeof shopMoveRows>
  /** The gate at the source. */
  readonly gate: Gate
  readonly target: { readonly place: NamedPlace; readonly schema: string }
  readonly waits: Waits
  /** Runs before each change. Fails if another command may move shops. */
  readonly step: (name: string) => Effect.Effect<void, MoveError | SqlError.SqlError>
}

/** Milliseconds for which the gate may be closed until the target has everything. */
const draining = 1_500

/** Seconds to wait after each try that came to nothing. */
const pauses = [1, 1, 2, 4, 8, 15, ...Array.from({ length: 10 }, () => 30)]

/** Tries again while something keeps open what has to be locked. */
const patiently = Effect.fnUntraced(function* <A>(
  what: string,
  tried: Effect.Effect<A, NotYet | MoveError | SqlError.SqlError>,
): Effect.fn.Return<A, MoveError | SqlError.SqlError> {
  for (const pause of pauses) {
    const done = yield* tried.pipe(
      Effect.map((value) => ({ value })),
      Effect.catchTag("NotYet", ({ message }) =>
        Effect.as(Effect.logWarning(`${what} yet: ${message}`).pipe(logged("bucket.waits")), undefined),
      ),
    )
    if (done !== undefined) return done.value
    yield* Effect.sleep(`${pause} seconds`)
  }
  return yield* new MoveError({
    message:
      `${what} after ${pauses.length} tries. Nothing is lost: run the command again at a quieter time, ` +
      "or end the transactions that stay open for long",
  })
})

/** Copies a shop and switches it to the target: the directory sends hosts there afterwards. */
export const bring = (
  move: ShopMove,
  onProgress: Parameters<typeof copyRows>[1],
): Effect.Effect<void, MoveError | SqlError.SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { gate, step, target } = move
      yield* reopen(move)
      yield* requireCurrentSource({ schema: gate.schema, source: gate.place })
      yield* requireCurrentSource({ schema: target.schema, source: target.place })
      yield* step("begin the copy")
      const arrival = yield* beginArrival(target.place, gate.shop)
      yield* step("make the gate")
      yield* owned(move, makeGate(gate))
      yield* patiently(`${gate.shop} can't be followed`, hangGate(gate))
      yield* admit(arrival, target, gate.shop)
      const copy = yield* beginCopy(gate, arrival, target.schema)
      yield* step("copy")
      yield* copyRows(copy, onProgress)
      yield* followUntilKnown(move, copy)
      yield* patiently(`${gate.shop} can't be switched`, Effect.andThen(followChanges(copy), attempt(move, copy)))
      yield* step("quieten the source")
      yield* quieten(gate)
    }),
  )

const owned = <A, E>({ command, row, rows }: ShopMove, effect: Effect.Effect<A, E>) =>
  rows.owned(row.shop, command, effect)

/** Follows changes until all hosts know that the shop is moving. */
const followUntilKnown = Effect.fnUntraced(function* ({ row, rows, step, waits }: ShopMove, copy: Copy) {
  for (;;) {
    yield* step("follow")
    yield* followChanges(copy)
    if ((yield* rows.since(row.shop, "begun_at")) >= waits.known) return
    yield* Effect.sleep("200 millis")
  }
})

/** Tries to switch. If that fails before the directory has the new place, the source is open again. */
const attempt = (move: ShopMove, copy: Copy): Effect.Effect<void, NotYet | MoveError | SqlError.SqlError> =>
  Effect.onError(switched(move, copy), () =>
    Effect.catchCause(Effect.retry(withoutDefects(reopen(move)), again), (cause) =>
      Effect.logError(`${move.row.shop} may be closed: run the command again`, cause).pipe(
        logged("bucket.maybe_closed", { shop: move.row.shop }),
      ),
    ),
  )

/** A lost connection may come back. */
const again = { schedule: Schedule.spaced("1 second"), times: 5, while: SqlError.isSqlError }

const switched = Effect.fnUntraced(function* (
  move: ShopMove,
  copy: Copy,
): Effect.fn.Return<void, NotYet | MoveError | SqlError.SqlError> {
  const { gate, row, rows, step } = move
  yield* step("announce")
  yield* owned(move, rows.setPhase(row.shop, "switching"))
  yield* step("close")
  yield* owned(move, closeGate(gate))
  yield* awaitWriters(gate)
  yield* step("drain")
  const since = yield* Clock.currentTimeMillis
  while ((yield* followSome(copy)) === changesAtOnce) {
    if ((yield* Clock.currentTimeMillis) - since > draining) {
      return yield* new NotYet({ message: `the target was not up to date after ${draining} ms` })
    }
  }
  yield* raiseSequences(copy)
  yield* step("commit the copy")
  yield* copy.arrival.commit
  // The point of no return: hosts write to the target from now on.
  yield* step("switch")
  yield* owned(move, rows.complete(row.shop, row.target))
})

/**
 * Takes the shop's work out of the queues of the source. Walks and claims for all shops would change it there, and be
 * refused, until it is cleared.
 */
const quieten = (gate: Gate): Effect.Effect<void, SqlError.SqlError> => {
  const { place, schema, shop } = gate
  const run = (name: string, change: (table: string) => string) =>
    place.sql.unsafe(`${change(quoted(schema, name))} AND ${hasGateOn(gate, name)}`, [shop])
  return passingGate(
    gate,
    Effect.gen(function* () {
      yield* run(
        "deliveries",
        (table) => `UPDATE ${table} SET queue = NULL WHERE shop = $1::text AND queue IS NOT NULL`,
      )
      yield* run(
        "notices",
        (table) => `UPDATE ${table} SET next_attempt_at = NULL WHERE shop = $1::text AND next_attempt_at IS NOT NULL`,
      )
    }),
  )
}

/** Opens the source, if the directory does not send hosts to the target yet. */
const reopen = (move: ShopMove) =>
  Effect.andThen(
    move.step("reopen"),
    owned(move, Effect.andThen(openGate(move.gate), move.rows.setPhase(move.row.shop, "copying"))),
  )

/** Clears the source of a shop that hosts have left, and ends its move. */
export const leave = Effect.fnUntraced(function* (
  move: ShopMove,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { gate, row, rows, step, waits } = move
  yield* quieten(gate)
  const since = yield* rows.since(row.shop, "switched_at")
  if (since < waits.left) yield* Effect.sleep(waits.left - since)
  const tables = yield* shopTables(gate.place.sql, gate.schema)
  // First the shop itself, so that no host finds the shop here with a part of its rows.
  yield* step("clear the shop")
  for (const table of tables.filter(({ name }) => name === "shops")) yield* clear(gate, table)
  yield* step("clear the source")
  for (const table of tables) yield* clear(gate, table)
  yield* step("note the departure")
  yield* noteDeparture(gate, gate.shop, hasGateOn(gate, "shops"))
  yield* removed(move)
})

/** Rows that a transaction deletes. */
const deletedAtOnce = 2_000

/** Deletes the shop's rows in a table of the source. */
const clear = Effect.fnUntraced(function* (gate: Gate, each: ShopTable): Effect.fn.Return<void, SqlError.SqlError> {
  const [table, isOfShop] = [quoted(gate.schema, each.name), `${quoted(each.shop)} = $1::text`]
  const some = gate.place.sql.unsafe<{ deleted: number }>(
    `WITH deleted AS (
  DELETE FROM ${table} WHERE ${isOfShop} AND ${hasGateOn(gate, each.name)} AND ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${isOfShop} LIMIT ${deletedAtOnce}
  )) RETURNING 1
) SELECT count(*)::int4 AS deleted FROM deleted`,
    [gate.shop],
  )
  yield* Effect.repeat(passingGate(gate, some), { until: ([row]) => row === undefined || row.deleted === 0 })
})

/** Undoes a move whose shop is still in the source. */
export const undo = Effect.fnUntraced(function* (
  move: ShopMove,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { gate, step, target } = move
  yield* reopen(move)
  yield* step("drop the copy")
  yield* Effect.scoped(
    Effect.gen(function* () {
      const arrival = yield* beginArrival(target.place, gate.shop)
      // From here on no other command can complete the move.
      yield* owned(move, Effect.void)
      yield* beginCopy(gate, arrival, target.schema)
      yield* refuseAgain(arrival, target, gate.shop)
      yield* arrival.commit
    }),
  )
  yield* removed(move)
})

/** Removes all that the move has made, and its row last. */
const removed = Effect.fnUntraced(function* ({ gate, row, rows, step }: ShopMove) {
  yield* step("remove the gate")
  yield* patiently(`The triggers for ${row.shop} can't be dropped`, removeGate(gate))
  const others = (yield* rows.moves).filter(({ shop, source }) => source === row.source && shop !== row.shop)
  if (others.length === 0 && !(yield* hasDepartures(gate))) yield* dropGates(gate.place.sql, gate.schema)
  yield* step("end")
  yield* rows.end(row.shop)
})
