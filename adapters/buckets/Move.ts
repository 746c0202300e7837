/**
 * Moves a bucket into another database while hosts read and write it. Replication copies its tables and follows their
 * changes; then, within about a second, the source is closed, the target catches up and is opened, and the directory
 * sends hosts there.
 *
 * A move that is cut off at any point is completed by the same call again, or undone by a call that moves the bucket
 * back. The databases show how far it has got:
 *
 * - The source is open while its schema has the bucket's name, and closed once it has another (`move/Fence.ts`).
 * - The target is a copy while its schema has a mark, and then opened in one transaction (`move/Copy.ts`). That is the
 *   point of no return: before it the source can be opened again, after it the move can only be completed.
 * - The directory has a row of the move from its beginning until it sends hosts to the target.
 */
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { withoutDefects } from "../sql/statements/Errors.ts"
import { bucketSchema } from "./BucketMap.ts"
import { requireNoSchema, targetState } from "./move/Copy.ts"
import { holdLock } from "./move/MoveLock.ts"
import { type MoveRow, moveRows } from "./move/MoveRows.ts"
import { type Deployment, type Move, MoveError, type NamedPlace, placeIn } from "./move/Places.ts"
import { requireMovable } from "./move/Preconditions.ts"
import { copyAndSwitch, goBack, sweep } from "./move/Stages.ts"
import { hasSchema } from "./move/Tables.ts"
import type { MoveProgress } from "./move/Watch.ts"

export { type Deployment, MoveError } from "./move/Places.ts"
export { obstaclesAtSource, obstaclesAtTarget } from "./move/Preconditions.ts"
export { leftovers, type MoveStatus, status } from "./move/Status.ts"
export type { MoveProgress } from "./move/Watch.ts"

/** Which bucket moves where. */
export interface MoveOptions extends Deployment {
  /** Its number, from 0. */
  readonly bucket: number
  /** The name of the database. That which a move under way has come from undoes the move. */
  readonly to: string
  /** Called twice a second while the bucket is copied. */
  readonly onProgress?: ((progress: MoveProgress) => Effect.Effect<void>) | undefined
  /** Called before each change with its name; a failure ends the command there. For tests. */
  readonly onStep?: ((step: string) => Effect.Effect<void, MoveError>) | undefined
}

/** The result of a command. */
export interface MoveResult {
  readonly database: string
  /** How often it has moved. */
  readonly epoch: number
  /** Whether this call has moved it: false if it was there already, or if a move was undone. */
  readonly moved: boolean
}

/** A call to {@link move}, while it keeps other commands from moving the bucket. */
interface Command {
  readonly options: MoveOptions
  readonly rows: ReturnType<typeof moveRows>
  readonly schema: string
  readonly step: Move["step"]
}

/**
 * Moves a bucket, or completes or undoes its move. Takes as long as copying does. Interrupted, it leaves the source or
 * the target open. Fails with a {@link MoveError} that says what to do, and with an `SqlError` once a database can't be
 * reached: run it again then, for the bucket may be closed.
 */
export const move = (options: MoveOptions): Effect.Effect<MoveResult, MoveError | SqlError.SqlError> =>
  withoutDefects(Effect.scoped(Effect.flatMap(begin(options), run)))

const begin = Effect.fnUntraced(function* (
  options: MoveOptions,
): Effect.fn.Return<Command, MoveError | SqlError.SqlError, Scope.Scope> {
  const rows = moveRows(options.directory, options.schema)
  const schema = bucketSchema(options.schema, options.bucket, yield* rows.count)
  const held = yield* holdLock(options.directory, schema)
  const step = (name: string) => Effect.andThen(held, options.onStep?.(name) ?? Effect.void)
  return { options, rows, schema, step }
})

const run = Effect.fnUntraced(function* (
  command: Command,
): Effect.fn.Return<MoveResult, MoveError | SqlError.SqlError> {
  const { bucket, to } = command.options
  const { rows } = command
  const place = yield* placeIn(command.options, to)
  let moved = false
  for (;;) {
    const { database, epoch } = yield* rows.bucket(bucket)
    const row = yield* rows.moveOf(bucket)
    if (row === undefined && database === to) {
      if (!moved) yield* sweepAll(command, place)
      return { database, epoch, moved }
    }
    if (row === undefined) yield* start(command, database)
    else moved = (yield* proceed(command, row)) || moved
  }
})

/** Begins a move, if nothing stands in its way. */
const start = Effect.fnUntraced(function* (
  command: Command,
  from: string,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { options, rows, step } = command
  const next = yield* moveBetween(command, from, options.to)
  yield* requireMovable(next)
  // An earlier move away from the target may have been cut off at its end.
  yield* sweep(command, next.source, [next.target])
  yield* requireNoSchema(next)
  yield* step("begin")
  yield* rows.begin(options.bucket, from, options.to)
})

/** Completes or undoes a move that has begun. Returns whether it is completed. */
const proceed = Effect.fnUntraced(function* (
  command: Command,
  row: MoveRow,
): Effect.fn.Return<boolean, MoveError | SqlError.SqlError> {
  const { options, rows, step } = command
  const current = yield* moveBetween(command, row.source, row.target)
  if (![row.source, row.target].includes(options.to)) {
    return yield* new MoveError({
      message: [
        `Bucket ${row.bucket} is moving from ${row.source} to ${row.target}.`,
        `Complete that by --to ${row.target}, or undo it by --to ${row.source}, before it moves to ${options.to}`,
      ].join(" "),
    })
  }
  // A target that is open may have been written: the move is completed, and the bucket then moves back like any other.
  if (options.to === row.source && (yield* targetState(current)) !== "open") {
    yield* goBack(current)
    yield* step("give up")
    yield* rows.giveUp(row.bucket)
    return false
  }
  yield* copyAndSwitch(current, options.onProgress ?? (() => Effect.void))
  yield* step("complete")
  yield* rows.complete(row.bucket)
  yield* sweep(command, current.target, [current.source])
  return true
})

/** Drops all that the last move of a bucket has left behind, if it was cut off at its end. */
const sweepAll = Effect.fnUntraced(function* (
  command: Command,
  here: NamedPlace,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  if (!(yield* hasSchema(here.sql, command.schema))) {
    return yield* new MoveError({
      message: `The directory says that ${command.schema} is in ${here.name}, but that schema does not exist`,
    })
  }
  const names = Object.keys(command.options.databases).filter((name) => name !== here.name)
  yield* sweep(command, here, yield* Effect.forEach(names, (name) => placeIn(command.options, name)))
})

const moveBetween = Effect.fnUntraced(function* (
  command: Command,
  from: string,
  to: string,
): Effect.fn.Return<Move, MoveError> {
  const { options, rows, schema, step } = command
  const { bucket } = options
  const [source, target] = [yield* placeIn(options, from), yield* placeIn(options, to)]
  return { bucket, schema, source, target, step, setPhase: (phase) => rows.setPhase(bucket, phase) }
})
