/**
 * Moves a shop into another bucket while hosts read and write it. Its rows are copied within one transaction at the
 * target, which follows their changes by triggers; then the source refuses writes for a moment, the target catches up
 * and is committed, and the directory sends hosts there.
 *
 * A move that is cut off at any point is completed by the same call again, or undone by a call that moves the shop
 * back. The directory shows how far it has got (`shop/ShopMoveRows.ts`): the row of a move is there from its beginning
 * until all is cleared, and its phase `leaving`, which the same transaction sets that names the new place, is the point
 * of no return. Before it the source has all that hosts have written, and what the target has is thrown away.
 *
 * Hosts read the directory every few seconds. While they know of the move, they ask the directory for the
 * shop's place at each call; a move switches only after all of them know of it. So none reads a place that it has left.
 * A host that can't read the directory is refused at the old place for good (`shop/Departures.ts`), and fails rather
 * than report a shop as missing.
 */
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { withoutDefects } from "../sql/statements/Errors.ts"
import { bucketName, bucketSchema } from "./BucketMap.ts"
import { RefreshEvery } from "./Directory.ts"
import { holdLock } from "./move/MoveLock.ts"
import { type Deployment, MoveError, placeIn, quoted } from "./move/Places.ts"
import { type Journey, type ShopMoveRow, shopMoveRows } from "./shop/ShopMoveRows.ts"
import { bring, leave, type ShopMove, type ShopProgress, undo, type Waits } from "./shop/ShopStages.ts"

/** How shops are moved. */
export interface MoveShopsOptions extends Deployment {
  /** How long moves wait for hosts. Only tests need others. */
  readonly waits?: Waits | undefined
  /** Called while a shop is copied, after every few hundred rows. */
  readonly onProgress?: ((progress: ShopProgress) => Effect.Effect<void>) | undefined
  /** Called before each change with its name; a failure ends the command there. For tests. */
  readonly onStep?: ((step: string) => Effect.Effect<void, MoveError>) | undefined
}

/** Which shop moves where. */
export interface MoveShopOptions extends MoveShopsOptions {
  readonly shop: string
  /** The number of the bucket. That which a move under way has come from undoes the move. */
  readonly to: number
}

/** The result of a command. */
export interface MoveShopResult {
  /** The bucket of the shop. */
  readonly bucket: number
  /** Whether this call has moved it: false if it was there already, or if a move was undone. */
  readonly moved: boolean
}

/** A command, while it keeps others from moving shops. */
interface Command {
  readonly options: MoveShopsOptions
  readonly rows: ReturnType<typeof shopMoveRows>
  /** The databases of the buckets. */
  readonly databases: ReadonlyArray<string>
  readonly id: string
  readonly step: ShopMove["step"]
}

type Failure = MoveError | SqlError.SqlError

/** Milliseconds for which a call may wait for a connection, and then read. */
const longestCall = 10_000

/**
 * Moves a shop, or completes or undoes its move. Interrupted, it leaves the source or the target open. Fails with a
 * {@link MoveError} that says what to do, and with an `SqlError` once a database can't be reached: run it again then,
 * for the shop may be closed.
 */
export const moveShop = (options: MoveShopOptions): Effect.Effect<MoveShopResult, Failure> =>
  withoutDefects(Effect.scoped(Effect.flatMap(begin(options), (command) => run(command, options))))

const begin = Effect.fnUntraced(function* (options: MoveShopsOptions): Effect.fn.Return<Command, Failure, Scope.Scope> {
  const rows = shopMoveRows(options.directory, options.schema)
  const held = yield* holdLock(options.directory, `shops of ${options.schema}`)
  const step = (name: string) => Effect.andThen(held, options.onStep?.(name) ?? Effect.void)
  return { options, rows, databases: yield* rows.databases, id: crypto.randomUUID(), step }
})

const run = Effect.fnUntraced(function* (
  command: Command,
  { shop, to }: MoveShopOptions,
): Effect.fn.Return<MoveShopResult, Failure> {
  const { rows } = command
  yield* requireBucket(command, to)
  let moved = false
  for (;;) {
    const row = yield* rows.moveOf(shop)
    const bucket = yield* rows.bucketOf(shop)
    if (row === undefined && bucket === to) {
      if (!moved) yield* requireShop(command, shop, bucket)
      return { bucket, moved }
    }
    if (row === undefined) {
      yield* requireShop(command, shop, bucket)
      yield* announce(command, [{ shop, to }])
    } else moved = (yield* proceed(command, row, to)) || moved
  }
})

/** Begins moves, so that hosts learn of them. */
const announce = Effect.fnUntraced(function* (
  command: Command,
  journeys: ReadonlyArray<Journey>,
): Effect.fn.Return<void, Failure> {
  const { id, rows, step } = command
  const all = yield* Effect.forEach(journeys, ({ shop, to }) =>
    Effect.map(rows.bucketOf(shop), (from) => ({ shop, from, to })),
  )
  yield* step("begin")
  yield* rows.begin(all, id)
})

/** Completes or undoes a move that has begun. Returns whether it is completed. */
const proceed = Effect.fnUntraced(function* (
  command: Command,
  row: ShopMoveRow,
  to: number,
): Effect.fn.Return<boolean, Failure> {
  const [source, target, other] = [row.source, row.target, to].map((bucket) => nameIn(command, bucket))
  if (to !== row.source && to !== row.target) {
    return yield* new MoveError({
      message:
        `The shop ${row.shop} is moving from ${source} to ${target}. Complete that by --to ${target}, ` +
        `or undo it by --to ${source}, before it moves to ${other}`,
    })
  }
  const move = yield* taken(command, row)
  if (row.phase !== "leaving") {
    if (to === row.source) {
      yield* undo(move)
      return false
    }
    yield* bring(move, command.options.onProgress ?? (() => Effect.void))
  }
  yield* leave(move)
  return true
})

/** Takes over a move. */
const taken = Effect.fnUntraced(function* (command: Command, row: ShopMoveRow): Effect.fn.Return<ShopMove, Failure> {
  const { id, options, rows, step } = command
  yield* rows.take(row.shop, id)
  const [source, target] = [yield* placeOf(command, row.source), yield* placeOf(command, row.target)]
  return {
    row,
    command: id,
    rows,
    gate: { shop: row.shop, number: row.number, ...source },
    target,
    waits: options.waits ?? { known: 2 * (yield* RefreshEvery), left: longestCall },
    step,
  }
})

/** The database and the schema of a bucket. */
const placeOf = Effect.fnUntraced(function* ({ databases, options }: Command, bucket: number) {
  const place = yield* placeIn(options, databases[bucket] ?? "")
  return { place, schema: bucketSchema(options.schema, bucket, databases.length) }
})

const nameIn = ({ databases }: Command, bucket: number) => bucketName(bucket, databases.length)

const requireBucket = (command: Command, bucket: number) =>
  bucket in command.databases
    ? Effect.void
    : new MoveError({
        message:
          `The bucket ${nameIn(command, bucket)} does not exist: they go from ${nameIn(command, 0)} to ` +
          nameIn(command, command.databases.length - 1),
      })

const requireShop = Effect.fnUntraced(function* (
  command: Command,
  shop: string,
  bucket: number,
): Effect.fn.Return<void, Failure> {
  const { place, schema } = yield* placeOf(command, bucket)
  const found = yield* place.sql.unsafe(`SELECT 1 AS found FROM ${quoted(schema, "shops")} WHERE id = $1::text`, [shop])
  if (found.length > 0) return
  return yield* new MoveError({
    message: `There is no shop ${shop}: it would be in the bucket ${nameIn(command, bucket)}, and is not`,
  })
})

/** Shops whose moves are begun together, so that all of them wait for hosts at the same time. */
const together = 25

/** Moves shops one after the other, those first whose moves have begun. `onDone` is called with each. */
export const moveShops = (
  options: MoveShopsOptions,
  journeys: ReadonlyArray<Journey>,
  onDone: (shop: string) => Effect.Effect<void>,
): Effect.Effect<void, Failure> =>
  withoutDefects(Effect.scoped(Effect.flatMap(begin(options), (command) => moveAll(command, journeys, onDone))))

const moveAll = Effect.fnUntraced(function* (
  command: Command,
  journeys: ReadonlyArray<Journey>,
  onDone: (shop: string) => Effect.Effect<void>,
): Effect.fn.Return<void, Failure> {
  const moving = (some: ReadonlyArray<Journey>) =>
    Effect.map(command.rows.moves, (rows) => rows.filter((row) => some.some(({ shop }) => shop === row.shop)))
  const leaveAll = (moves: ReadonlyArray<ShopMove>) =>
    Effect.forEach(moves, (move) => Effect.andThen(leave(move), onDone(move.row.shop)), { discard: true })

  const begun = yield* moving(journeys)
  const left = journeys.filter(({ shop }) => begun.every((row) => row.shop !== shop))
  let brought = yield* bringAll(command, begun)
  for (let first = 0; first < left.length; first += together) {
    const next = left.slice(first, first + together)
    // Hosts learn of these while they leave the places of those before.
    yield* announce(command, next)
    yield* leaveAll(brought)
    brought = yield* bringAll(command, yield* moving(next))
  }
  yield* leaveAll(brought)
})

/** Switches shops to their targets, as far as that is not done. */
const bringAll = (
  command: Command,
  rows: ReadonlyArray<ShopMoveRow>,
): Effect.Effect<ReadonlyArray<ShopMove>, Failure> =>
  Effect.forEach(rows, (row) =>
    Effect.gen(function* () {
      const move = yield* taken(command, row)
      if (row.phase !== "leaving") yield* bring(move, command.options.onProgress ?? (() => Effect.void))
      return move
    }),
  )

/** A shop's move that has begun and has not ended. */
export type ShopMoveStatus = ShopMoveRow

/** The moves of shops that have begun and have not ended, by shop. */
export const shopStatus = ({
  directory,
  schema,
}: Pick<Deployment, "directory" | "schema">): Effect.Effect<ReadonlyArray<ShopMoveStatus>, SqlError.SqlError> =>
  shopMoveRows(directory, schema).moves
