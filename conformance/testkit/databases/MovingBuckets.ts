/** A deployment of two buckets in two databases, and a host of it that reads the directory before every call. */
import { Context, Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll, beforeAll, expect } from "vitest"
import { bucketSchema } from "../../../adapters/buckets/BucketMap.ts"
import { directorySchema, migrateDirectory } from "../../../adapters/buckets/DirectorySchema.ts"
import type { MoveOptions } from "../../../adapters/buckets/Move.ts"
import type { Place } from "../../../adapters/buckets/move/Places.ts"
import { layerClient, layerStores, migrate } from "../../../adapters/postgres/index.ts"
import { SchemaName } from "../../../adapters/sql/index.ts"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { readToEnd, wholeFeed } from "../../suites/storage/events/FeedCases.ts"
import { newShop, someTime } from "../../suites/storage/support/Fixtures.ts"
import { happen } from "../../suites/storage/support/Webhooks.ts"
import { type StartedPostgres, startPostgres } from "./EmbeddedPostgres.ts"
import { freshDatabaseOn } from "./FreshDatabase.ts"

/** The bucket that moves. The other one, 0, stays. */
const bucket = 1

/** Its schema. */
export const schema = bucketSchema("designwire", bucket, 2)

/** A server of the file's own whose databases can be replicated, with further settings. */
export const replicatingServer = (settings: ReadonlyArray<string> = []): { readonly url: () => string } => {
  let started: StartedPostgres | undefined
  beforeAll(async () => {
    started = await startPostgres([
      ...["max_replication_slots=40", "max_wal_senders=40", "max_worker_processes=40"],
      ...["max_logical_replication_workers=30", "max_sync_workers_per_subscription=8"],
      // Workers that were ended start again soon.
      "wal_retrieve_retry_interval=500ms",
      ...settings,
    ])
  })
  afterAll(() => started?.stop())
  return { url: () => started?.url ?? "" }
}

/** The names of the databases. */
export type DatabaseName = "first" | "second"

/** A deployment whose buckets are in the database `first`. */
export interface TestDeployment {
  readonly first: Place
  readonly second: Place
  readonly options: (to: string) => MoveOptions
  /** The directory's rows of the bucket: its database, how often it has moved, and the phase of its move. */
  readonly whereabouts: Effect.Effect<
    { readonly database: DatabaseName; readonly epoch: number; readonly phase: string | null },
    SqlError.SqlError
  >
  /** What moves leave behind in a database: schemas, slots, publications and subscriptions, sorted. */
  readonly remains: (name: DatabaseName) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  /** Runs a call of a store in a database, whatever the directory says. */
  readonly at: (name: DatabaseName) => <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.Effect<A, E>
  /** Runs a call in the database that the directory names. */
  readonly once: <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.Effect<A, E | SqlError.SqlError>
  /** Runs a call as {@link once} does, again and again until it succeeds. */
  readonly routed: <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.Effect<A, E | SqlError.SqlError>
}

/** A new database, of a user of its own if a role has to be made for it. */
const placeOn = Effect.fnUntraced(function* (
  server: string,
  role: Role | undefined,
): Effect.fn.Return<Place, unknown, Scope.Scope> {
  const database = new URL(yield* freshDatabaseOn(server))
  if (role !== undefined) {
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe(`ALTER DATABASE ${database.pathname.slice(1)} OWNER TO ${role.name}`),
    ).pipe(Effect.provide(layerClient({ url: Redacted.make(server), maxConnections: 1 }), { local: true }))
    database.username = role.name
    database.password = role.password
  }
  const url = Redacted.make(database.href)
  const client = yield* Layer.build(layerClient({ url }))
  return { sql: Context.get(client, SqlClient.SqlClient), url }
})

/** A user of a server without the rights of a superuser. */
export interface Role {
  readonly name: string
  readonly password: string
}

/** The stores of the bucket in a database. */
const storesIn = ({ url }: Place) =>
  Layer.build(layerStores().pipe(Layer.provide(layerClient({ url, schema, maxConnections: 4 }))))

const remainsIn = ({ sql }: Place) =>
  Effect.map(
    sql<{ name: string }>`SELECT 'schema ' || nspname AS name FROM pg_namespace
WHERE starts_with(nspname, 'designwire') AND nspname NOT IN ('designwire_00', 'designwire_directory')
UNION ALL SELECT 'slot ' || slot_name FROM pg_replication_slots WHERE database = current_database()
UNION ALL SELECT 'publication ' || pubname FROM pg_publication
UNION ALL SELECT 'subscription ' || subname FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
WHERE d.datname = current_database()
UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgname <> 'line_goes_on' ORDER BY 1`,
    (rows) => rows.map(({ name }) => name),
  )

/** A new deployment in databases of one server or of two, with a user of its own if it is given. */
export const newDeployment = Effect.fnUntraced(function* (
  server: string,
  { other = server, role }: { readonly other?: string; readonly role?: Role } = {},
): Effect.fn.Return<TestDeployment, unknown, Scope.Scope> {
  const places = { first: yield* placeOn(server, role), second: yield* placeOn(other, role) }
  const { sql } = places.first
  yield* migrateDirectory(sql, "designwire")
  yield* sql.unsafe(`INSERT INTO ${directorySchema("designwire")}.buckets (bucket, database)
VALUES (0, 'first'), (${bucket}, 'first')`)
  yield* migrate.pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.provideService(SchemaName, schema))
  const stores = { first: yield* storesIn(places.first), second: yield* storesIn(places.second) }
  const whereabouts = Effect.map(
    sql.unsafe<{ database: DatabaseName; epoch: number; phase: string | null }>(`SELECT b.database, b.epoch, m.phase
FROM designwire_directory.buckets b LEFT JOIN designwire_directory.moves m USING (bucket) WHERE b.bucket = ${bucket}`),
    ([row]) => row ?? { database: "first" as const, epoch: -1, phase: null },
  )
  const at =
    (name: DatabaseName) =>
    <A, E>(call: Effect.Effect<A, E, StoragePorts>) =>
      Effect.provideContext(call, stores[name])
  const once = <A, E>(call: Effect.Effect<A, E, StoragePorts>) =>
    Effect.flatMap(whereabouts, ({ database }) => at(database)(call))
  return {
    ...places,
    options: (to) => ({ schema: "designwire", bucket, to, directory: sql, databases: places }),
    whereabouts,
    remains: (name) => remainsIn(places[name]),
    at,
    once,
    routed: (call) => Effect.retry(once(call), { schedule: Schedule.spaced("20 millis"), times: 1_500 }),
  }
})

/** A shop's use of a bucket. */
export interface BucketUse {
  /** Writes an event, and counts a request of a token. */
  readonly write: Effect.Effect<void, unknown>
  /** Expects all events once and in order, also from the last check on, and every counted request. */
  readonly check: Effect.Effect<void, unknown>
}

/** A new shop in the bucket that moves. */
export const useOf = Effect.fnUntraced(function* ({ routed }: TestDeployment): Effect.fn.Return<BucketUse, unknown> {
  const shop = yield* routed(newShop)
  const written: Array<string> = []
  const read: Array<string> = []
  let after: FeedPosition | null = null
  const request = { shop, tokenId: "tok_1", now: someTime, rate: { limit: 10_000, window: 60_000 } }
  return {
    write: Effect.gen(function* () {
      const [event] = yield* routed(happen(shop))
      written.push(event.body)
      yield* routed(RateLimits.use((limits) => limits.take(request)))
    }),
    check: Effect.gen(function* () {
      const next = yield* routed(EventStore.use((store) => readToEnd(store, wholeFeed(shop, after))))
      read.push(...next.bodies)
      after = next.next
      expect(read).toEqual(written)
      const all = yield* routed(EventStore.use((store) => readToEnd(store, wholeFeed(shop))))
      expect(all.bodies).toEqual(written)
      const { remaining } = yield* routed(RateLimits.use((limits) => limits.peek(request)))
      expect(request.rate.limit - remaining).toBe(written.length)
    }),
  }
})
