import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { bucketSchema } from "../BucketMap.ts"
import { isClosed } from "./Fence.ts"
import { moveRows } from "./MoveRows.ts"
import { closedSchema, type Deployment, type MoveError, type MovePhase, placeIn } from "./Places.ts"
import { type MoveProgress, progressOf } from "./Watch.ts"

/** A move that has begun and has not ended. */
export interface MoveStatus {
  readonly bucket: number
  /** The names of the databases. */
  readonly source: string
  readonly target: string
  readonly phase: MovePhase
  readonly begunAt: Date
  /** Whether hosts find the bucket nowhere. If no command runs, it was killed while it switched: run it again at once. */
  readonly isClosed: boolean
  /** `undefined` while nothing is copied. */
  readonly progress: MoveProgress | undefined
}

/** The moves that have begun and have not ended, by bucket. Fails with a `MoveError` if a database is not known. */
export const status = Effect.fnUntraced(function* (
  deployment: Deployment,
): Effect.fn.Return<ReadonlyArray<MoveStatus>, MoveError | SqlError.SqlError> {
  const rows = moveRows(deployment.directory, deployment.schema)
  const count = yield* rows.count
  return yield* Effect.forEach(
    yield* rows.moves,
    Effect.fnUntraced(function* (row) {
      const schema = bucketSchema(deployment.schema, row.bucket, count)
      const source = yield* placeIn(deployment, row.source)
      const target = yield* placeIn(deployment, row.target)
      return {
        ...row,
        isClosed: yield* isClosed({ schema, source }),
        progress: yield* progressOf({ schema, source, target }),
      }
    }),
  )
})

/**
 * The schemas that moves have left in databases which their buckets have left, by database. The command of the move
 * drops them; if it was killed before, the same command again.
 */
export const leftovers = Effect.fnUntraced(function* (
  deployment: Deployment,
): Effect.fn.Return<ReadonlyArray<{ readonly database: string; readonly schema: string }>, SqlError.SqlError> {
  const { databases, directory, schema } = deployment
  const rows = moveRows(directory, schema)
  const [count, moves] = [yield* rows.count, yield* rows.moves]
  const names = Array.from({ length: count }, (_, bucket) => bucket)
    .filter((bucket) => moves.every((row) => row.bucket !== bucket))
    .map((bucket) => closedSchema(bucketSchema(schema, bucket, count)))
  const found = yield* Effect.forEach(Object.entries(databases), ([database, { sql }]) =>
    Effect.map(
      sql<{ schema: string }>`SELECT nspname::text AS schema FROM pg_catalog.pg_namespace
WHERE ${sql.in("nspname", names)} ORDER BY 1`,
      (schemas) => schemas.map((row) => ({ database, schema: row.schema })),
    ),
  )
  return found.flat()
})
