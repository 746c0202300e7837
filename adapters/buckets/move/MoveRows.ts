/** The rows of the directory about a bucket and its move. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { bucketName } from "../BucketMap.ts"
import { directoryRows } from "./DirectoryRows.ts"
import { MoveError, type MovePhase } from "./Places.ts"
import { durably } from "./Tables.ts"

/** A move that has begun and has not ended. */
export interface MoveRow {
  readonly bucket: number
  /** The names of the databases. The bucket is in `source` until the move ends. */
  readonly source: string
  readonly target: string
  readonly phase: MovePhase
  readonly begunAt: Date
}

/** A bucket as the directory has it. */
export interface BucketRow {
  readonly database: string
  readonly epoch: number
}

/** The rows of the directory that a move reads and writes. `sql` is the client of its database. */
export const moveRows = (sql: SqlClient.SqlClient, schema: string) => {
  const { beginning, databases, directory, notify } = directoryRows(sql, schema)

  /** The moves under way, by bucket. */
  const moves: Effect.Effect<ReadonlyArray<MoveRow>, SqlError.SqlError> = directory<MoveRow>`SELECT bucket, source,
  target, phase, begun_at AS "begunAt" FROM designwire.moves ORDER BY bucket`

  /** How many buckets there are. */
  const count: Effect.Effect<number, SqlError.SqlError> = Effect.map(databases, ({ length }) => length)

  const bucket = Effect.fnUntraced(function* (
    number: number,
  ): Effect.fn.Return<BucketRow, MoveError | SqlError.SqlError> {
    const [row] = yield* directory<BucketRow>`SELECT database, epoch FROM designwire.buckets WHERE bucket = ${number}`
    if (row !== undefined) return row
    return yield* new MoveError({
      message: `Bucket ${number} does not exist: the deployment has ${yield* count}, and the first is 0`,
    })
  })

  /** The move of a bucket that is under way. */
  const moveOf = (number: number) => Effect.map(moves, (rows) => rows.find(({ bucket }) => bucket === number))

  /** Begins a move, unless a shop is moving out of the bucket or into it. */
  const begin = (number: number, source: string, target: string): Effect.Effect<void, MoveError | SqlError.SqlError> =>
    beginning(
      Effect.gen(function* () {
        const [moving] = yield* directory<{ shop: string }>`SELECT shop FROM designwire.shop_moves
WHERE ${number} IN (source, target) ORDER BY 1 LIMIT 1`
        if (moving !== undefined) {
          const name = bucketName(number, yield* count)
          return yield* new MoveError({
            message: `Bucket ${name} can't move while the shop ${moving.shop} is moved out of it or into it`,
          })
        }
        yield* directory`INSERT INTO designwire.moves (bucket, source, target, phase)
VALUES (${number}, ${source}, ${target}, 'copying')`
      }),
    )

  const setPhase = (number: number, phase: MovePhase): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(directory`UPDATE designwire.moves SET phase = ${phase} WHERE bucket = ${number}`)

  /** Ends a move that has come to nothing. */
  const giveUp = (number: number): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(directory`DELETE FROM designwire.moves WHERE bucket = ${number}`)

  /** Ends a move: the bucket is at the target from now on, and hosts hear of it. */
  const complete = (number: number): Effect.Effect<void, SqlError.SqlError> =>
    durably(
      directory,
      Effect.gen(function* () {
        const ended = yield* directory<{ target: string }>`WITH ended AS (
  DELETE FROM designwire.moves WHERE bucket = ${number} RETURNING source, target
)
UPDATE designwire.buckets b SET database = e.target, epoch = b.epoch + 1
FROM ended e WHERE b.bucket = ${number} AND b.database = e.source RETURNING e.target`
        if (ended.length > 0) yield* notify(String(number))
      }),
    )

  return { moves, count, bucket, moveOf, begin, setPhase, giveUp, complete }
}
