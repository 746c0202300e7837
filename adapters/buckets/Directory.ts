/** The directory of a deployment: the place of each bucket, and the shop of each token. */
import { Clock, Context, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { DirectoryChanges } from "../sql/schema/DirectoryChanges.ts"
import { clientIn } from "../sql/schema/Schema.ts"
import { batched } from "../sql/statements/Batch.ts"
import { mapped } from "../sql/statements/Errors.ts"
import { type Bucket, BucketMap, hashOf } from "./BucketMap.ts"
import { directorySchema } from "./DirectorySchema.ts"
import { type Known, moveWaits } from "./MoveWaits.ts"

/**
 * How often a host reads the map again, though no bucket has refused it, in milliseconds. Moves of shops wait for that.
 * Default: 5,000.
 */
export const RefreshEvery = Context.Reference<number>("designwire/buckets/RefreshEvery", { defaultValue: () => 5_000 })

/** How often a process notes the time, and after how many milliseconds without a note it was stopped meanwhile. */
const noteEvery = "1 second"
const stoppedAfter = 4_000

/** How long calls of such a process wait for the map. Without it they go on, as they do while the directory is down. */
const longestWait = "2 seconds"

/** The directory, as hosts use it. */
export interface Directory {
  /** The map as it was read last: without buckets before it was. */
  readonly map: () => BucketMap
  /** Whether this process was stopped for a while, as a suspended machine is: its map may be old. */
  readonly wasStopped: (now: number) => boolean
  /** Reads the map after this process was stopped. */
  readonly resume: Effect.Effect<void>
  /** Reads the map again. Calls at the same time share one statement. */
  readonly refresh: Effect.Effect<void, StorageError>
  /** The bucket of a shop that moves, by the directory as it is now. Calls at the same time share one statement. */
  readonly bucketOf: (shop: string) => Effect.Effect<Bucket, StorageError>
  /**
   * Waits until the map has another place for a bucket that has refused a call, while the bucket is being moved, at
   * most five seconds. Returns whether it has: otherwise the refusal has another reason.
   */
  readonly hasMoved: (from: Bucket) => Effect.Effect<boolean, StorageError>
  /**
   * {@link hasMoved} for a bucket that has refused a call for a shop, which may have moved alone. Also returns true
   * once the bucket takes calls for the shop again.
   */
  readonly hasShopMoved: (shop: string, from: Bucket) => Effect.Effect<boolean, StorageError>
  /** Whether a bucket, or a shop in it, is being moved, or the bucket has another place in the map than this one. */
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
  // One statement, so that a bucket or a shop is either moving or has moved.
  const rows = yield* sql<
    Bucket & {
      isMoving: boolean
      exceptions: ReadonlyArray<string> | null
      leaving: ReadonlyArray<string> | null
      switching: ReadonlyArray<string> | null
    }
  >`SELECT b.bucket AS number, b.database, b.epoch, m.bucket IS NOT NULL AS "isMoving",
  (SELECT array_agg(s.shop) FROM designwire.shops s WHERE s.bucket = b.bucket) AS exceptions,
  (SELECT array_agg(s.shop) FROM designwire.shop_moves s WHERE s.source = b.bucket) AS leaving,
  (SELECT array_agg(s.shop) FROM designwire.shop_moves s WHERE s.source = b.bucket AND s.phase = 'switching') AS switching
FROM designwire.buckets b LEFT JOIN designwire.moves m ON m.bucket = b.bucket ORDER BY b.bucket`
  const exceptions = rows.flatMap(({ exceptions, number }) => (exceptions ?? []).map((shop) => [shop, number] as const))
  const moves = rows.flatMap(({ leaving, number, switching }) =>
    (leaving ?? []).map((shop) => [shop, { source: number, isSwitching: switching?.includes(shop) === true }] as const),
  )
  return {
    map: new BucketMap(
      rows.map(({ database, epoch, number }) => ({ number, database, epoch })),
      new Map(exceptions),
      new Map(moves),
    ),
    moving: new Set(rows.filter(({ isMoving }) => isMoving).map(({ number }) => number)),
  }
})

/** Looks up single tokens and shops. Calls at the same time share one statement. */
const lookUps = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, map: () => BucketMap) {
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
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

  const bucketOf = yield* batched({
    concurrency: 1,
    run: (shops: ReadonlyArray<string>) =>
      sql<{ shop: string; bucket: number }>`SELECT shop, bucket FROM designwire.shops WHERE shop = ANY(${shops})`.pipe(
        Effect.map((rows) => {
          const { all } = map()
          const buckets = new Map(rows.map(({ bucket, shop }) => [shop, bucket]))
          return shops.map((shop) => all[buckets.get(shop) ?? hashOf(shop) % all.length] as Bucket)
        }),
        mapped("Finding the bucket of a shop"),
      ),
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

  return { bucketOf, shopOf }
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
  let current: Known = { map: new BucketMap([]), moving: new Set() }

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

  const { bucketOf, shopOf } = yield* lookUps(sql, () => current.map)

  yield* Effect.timeoutOption(changed, yield* RefreshEvery).pipe(
    // Calls that need the directory report that it can't be read.
    Effect.andThen(Effect.ignore(refresh)),
    Effect.forever,
    Effect.forkScoped,
  )

  let noted = yield* Clock.currentTimeMillis
  const wasStopped = (now: number) => now - noted > stoppedAfter
  const note = Effect.map(Clock.currentTimeMillis, (now) => {
    noted = now
  })
  const resume = Effect.andThen(Effect.ignore(Effect.timeout(refresh, longestWait)), note)
  yield* Effect.sleep(noteEvery).pipe(
    Effect.andThen(Effect.flatMap(Clock.currentTimeMillis, (now) => (wasStopped(now) ? resume : note))),
    Effect.forever,
    Effect.forkScoped,
  )

  const directory: Directory = {
    map: () => current.map,
    wasStopped,
    resume,
    refresh,
    bucketOf,
    ...moveWaits(() => current, refresh),
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
