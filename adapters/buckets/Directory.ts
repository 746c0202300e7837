/** The directory of a deployment: the place of each bucket, and the shop of each token. */
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { StorageError } from "../../core/ports/StorageError.ts"
import type { DirectoryChanges } from "../sql/schema/DirectoryChanges.ts"
import { clientIn } from "../sql/schema/Schema.ts"
import { batched } from "../sql/statements/Batch.ts"
import { mapped } from "../sql/statements/Errors.ts"
import { type Bucket, BucketMap, bucketName } from "./BucketMap.ts"
import { directorySchema } from "./DirectorySchema.ts"

/** How long a call waits for a bucket that is being switched to another database, and how often it looks. */
const longestSwitch = 5_000
const lookEvery = "50 millis"

/** How often a host reads the map again, though no bucket has refused it and it heard of no change. */
const refreshEvery = "5 seconds"

/** The directory, as hosts use it. */
export interface Directory {
  /** The map as it was read last: without buckets before it was. */
  readonly map: () => BucketMap
  /** Reads the map again. Calls at the same time share one statement. */
  readonly refresh: Effect.Effect<void, StorageError>
  /**
   * Waits until the map has another place for a bucket that has refused a call, while the bucket is being moved, at
   * most five seconds. Returns whether it has: otherwise the refusal has another reason.
   */
  readonly hasMoved: (from: Bucket) => Effect.Effect<boolean, StorageError>
  /** Whether a bucket is being moved, or has another place in the map than this one. */
  readonly hasLeft: (from: Bucket) => boolean
  /** The shop whose token has this digest. The shop's bucket decides whether the token is still good. */
  readonly shopOf: (digest: string) => Effect.Effect<Option.Option<string>, StorageError>
  /** Enters a token, before it is stored. */
  readonly enter: (digest: string, shop: string) => Effect.Effect<void, StorageError>
  /** Forgets tokens, after they are gone. */
  readonly forget: (digests: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
}

/** Reads the map, and the buckets that are being moved. */
const read = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  // One statement, so that a bucket is either moving or has moved.
  const rows = yield* sql<Bucket & { isMoving: boolean; exceptions: ReadonlyArray<string> | null }>`SELECT
  b.bucket AS number, b.database, b.epoch, m.bucket IS NOT NULL AS "isMoving",
  (SELECT array_agg(s.shop) FROM designwire.shops s WHERE s.bucket = b.bucket) AS exceptions
FROM designwire.buckets b LEFT JOIN designwire.moves m ON m.bucket = b.bucket ORDER BY b.bucket`
  const exceptions = rows.flatMap(({ exceptions, number }) => (exceptions ?? []).map((shop) => [shop, number] as const))
  return {
    map: new BucketMap(
      rows.map(({ database, epoch, number }) => ({ number, database, epoch })),
      new Map(exceptions),
    ),
    moving: new Set(rows.filter(({ isMoving }) => isMoving).map(({ number }) => number)),
  }
})

/**
 * Opens the directory in the first database, which may have none yet. Until the scope closes, reads the map again
 * whenever it has changed, and every few seconds.
 */
export const openDirectory = Effect.fnUntraced(function* (
  first: SqlClient.SqlClient,
  changes: DirectoryChanges["Service"],
  schema: string,
) {
  const changed = yield* changes.subscribe
  const sql = clientIn(first, directorySchema(schema))
  let current = { map: new BucketMap([], new Map()), moving: new Set<number>() }

  const refreshed = yield* batched({
    concurrency: 1,
    run: (asked: ReadonlyArray<null>) =>
      read(sql).pipe(
        mapped("Reading the directory"),
        Effect.map((found) => {
          current = found
          return asked.map(() => undefined)
        }),
      ),
  }).pipe(Effect.provideService(SqlClient.SqlClient, first))
  const refresh = Effect.suspend(() => refreshed(null))
  // The database may be down, or not migrated yet: calls that need the map try again, and report that.
  yield* Effect.ignore(refresh)

  const shopOf = yield* batched({
    concurrency: 1,
    run: (digests: ReadonlyArray<string>) =>
      sql<{ digest: string; shop: string }>`SELECT digest, shop FROM designwire.tokens
WHERE digest = ANY(${digests})`.pipe(
        Effect.map((rows) => {
          const shops = new Map(rows.map(({ digest, shop }) => [digest, shop]))
          return digests.map((digest) => Option.fromUndefinedOr(shops.get(digest)))
        }),
        mapped("Finding the shop of a token"),
      ),
  }).pipe(Effect.provideService(SqlClient.SqlClient, first))

  yield* Effect.timeoutOption(changed, refreshEvery).pipe(
    // Calls that need the directory report that it can't be read.
    Effect.andThen(Effect.ignore(refresh)),
    Effect.forever,
    Effect.forkScoped,
  )

  const isElsewhere = (from: Bucket) => {
    const now = current.map.all[from.number]
    return now !== undefined && (now.database !== from.database || now.epoch !== from.epoch)
  }

  const directory: Directory = {
    map: () => current.map,
    refresh,
    hasLeft: (from) => isElsewhere(from) || current.moving.has(from.number),
    hasMoved: Effect.fnUntraced(function* (from) {
      const until = (yield* Clock.currentTimeMillis) + longestSwitch
      while (true) {
        yield* refresh
        if (isElsewhere(from)) return true
        if (!current.moving.has(from.number)) return false
        if ((yield* Clock.currentTimeMillis) >= until) return yield* beingMoved(from, current.map.all.length)
        yield* Effect.sleep(lookEvery)
      }
    }),
    shopOf,
    enter: (digest, shop) =>
      sql`INSERT INTO designwire.tokens (digest, shop) VALUES (${digest}, ${shop})
ON CONFLICT (digest) DO UPDATE SET shop = excluded.shop`.pipe(Effect.asVoid, mapped("Entering a token")),
    forget: (digests) =>
      digests.length === 0
        ? Effect.void
        : sql`DELETE FROM designwire.tokens WHERE digest = ANY(${digests})`.pipe(
            Effect.asVoid,
            mapped("Forgetting tokens"),
          ),
  }
  return directory
})

const beingMoved = ({ database, number }: Bucket, count: number) =>
  new StorageError({
    message:
      `Bucket ${bucketName(number, count)} is being moved from the database ${database}: try again. ` +
      "If its move was broken off, run `designwire bucket move` again",
    cause: undefined,
    isRetryable: true,
  })
