import { setFlagsFromString } from "node:v8"
import { Context, Effect, Layer, Metric, type Redacted } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import * as Buckets from "../../adapters/buckets/index.ts"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import * as Sql from "../../adapters/sql/index.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { type DatabaseUnavailable, untilUp } from "./DatabaseWait.ts"
import { embeddedPackages, missingPackages } from "./Prerequisites.ts"
import { type Buckets as BucketsConfig, type ConfigError, configError, type HostConfig } from "./ReadConfig.ts"

/** The adapter of the embedded database: a Postgres server needs none of its packages. */
const pglite = Effect.suspend(() => {
  const message = missingPackages(embeddedPackages)
  if (message !== undefined) return configError(message)
  // Its code as it is compiled at first: to optimize it takes a second and half a gigabyte.
  setFlagsFromString("--no-wasm-tier-up")
  setFlagsFromString("--no-wasm-dynamic-tiering")
  return Effect.promise(() => import("../../adapters/pglite/index.ts"))
})

/** The reason why the configured database can't be opened. */
type OpenError = DataDirectoryError | ConfigError | DatabaseUnavailable | SqlError.SqlError

/** The reason why the content of the database can't be used. */
type SchemaError =
  | Sql.SchemaNotCurrent
  | Postgres.NewerSchema
  | Migrator.MigrationError
  | SqlError.SqlError
  | StorageError

/** The configured stores: Postgres servers, or the embedded database, which is brought up to date as it opens. */
export const stores = (config: HostConfig): Layer.Layer<StoragePorts | Sql.SchemaState, OpenError | SchemaError> => {
  const { autoMigrate, buckets, databaseUrl } = config
  if (buckets !== undefined) return Layer.unwrap(Effect.map(openBuckets(config, buckets), bucketStores(autoMigrate)))
  return inSchema<StoragePorts | Sql.SchemaState, OpenError | SchemaError>(
    config,
    databaseUrl === undefined
      ? Sql.SchemaState.layer.pipe(
          Layer.provideMerge(
            Layer.unwrap(Effect.map(pglite, ({ layer }) => layer({ directory: config.dataDirectory }))),
          ),
        )
      : Postgres.layerStores(config).pipe(
          Layer.provideMerge(upToDate(autoMigrate)),
          Layer.provideMerge(Sql.SchemaState.layer),
          Layer.provideMerge(server(config, databaseUrl)),
        ),
  )
}

const upToDate = (autoMigrate: boolean): Layer.Layer<never, SchemaError, Sql.SchemaState> =>
  Layer.effectDiscard(
    Sql.SchemaState.use(
      ({ migrate }) => (autoMigrate ? migrate : requireCurrent) as Effect.Effect<unknown, SchemaError, Sql.SchemaState>,
    ),
  )

/** The state of the configured database's schema, to migrate it. */
export const schemaState = (config: HostConfig): Layer.Layer<Sql.SchemaState, OpenError> =>
  config.buckets === undefined
    ? Layer.provide(Sql.SchemaState.layer, client(config))
    : Layer.unwrap(Effect.map(openBuckets(config, config.buckets), ({ deployment }) => Buckets.layerState(deployment)))

/** The connection to the configured database, without buckets. */
export const client = (config: HostConfig): Layer.Layer<SqlClient.SqlClient, OpenError> =>
  inSchema<SqlClient.SqlClient, OpenError>(
    config,
    config.databaseUrl === undefined
      ? Layer.unwrap(Effect.map(pglite, ({ layerClient }) => layerClient({ directory: config.dataDirectory })))
      : server(config, config.databaseUrl),
  )

/** Opens every database of the buckets, once it is up. */
export const openBuckets = Effect.fnUntraced(function* (
  config: HostConfig,
  { count, databases, listenUrls }: BucketsConfig,
) {
  const services = yield* Effect.forEach(
    Object.entries(databases),
    ([name, url]) =>
      Effect.map(
        Layer.build(
          inSchema<Sql.DatabaseServices | SqlClient.SqlClient, OpenError>(
            config,
            Layer.fresh(
              Layer.provideMerge(Postgres.layerShared({ ...config, listenUrl: listenUrls[name] }), server(config, url)),
            ).pipe(Layer.provide(Layer.succeed(Metric.CurrentMetricAttributes, { database: name }))),
          ),
        ),
        (built) => [name, built] as const,
      ),
    { concurrency: "unbounded" },
  )
  const clients = services.map(([name, built]) => [name, Context.get(built, SqlClient.SqlClient)] as const)
  const deployment: Buckets.Deployment = {
    databases: Object.fromEntries(clients),
    buckets: count,
    schema: config.schema,
  }
  const layers = Object.fromEntries(services.map(([name, built]) => [name, Layer.succeedContext(built)]))
  return { deployment, databases: layers }
})

const bucketStores =
  (autoMigrate: boolean) =>
  ({ databases, deployment }: Effect.Success<ReturnType<typeof openBuckets>>) =>
    Buckets.layer({ databases, schema: deployment.schema }).pipe(
      Layer.provideMerge(upToDate(autoMigrate)),
      Layer.provideMerge(Buckets.layerState(deployment)),
    )

/** A layer, with the configured schema for its tables and for the layers on top of it. */
const inSchema = <A, E>(config: HostConfig, layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.provideMerge(layer, Layer.succeed(Sql.SchemaName, config.schema))

/** Connections to a server, once it is up. */
const server = (config: HostConfig, url: Redacted.Redacted<string>) =>
  Layer.effectDiscard(SqlClient.SqlClient.use((sql) => untilUp(sql`SELECT 1`, config.databaseWait))).pipe(
    Layer.provideMerge(
      Postgres.layerClient({
        url,
        pooler: config.pooler,
        connectionWait: config.connectionWait,
        lockWait: config.lockWait,
      }),
    ),
  )

/** Fails while the database can't be reached, lacks a migration, or has one beside which this version can't go on. */
export const requireCurrent: Effect.Effect<
  void,
  Sql.SchemaNotCurrent | Postgres.NewerSchema | SqlError.SqlError,
  Sql.SchemaState
> = Effect.catchTag(
  Sql.SchemaState.use(({ requireCurrent }) => requireCurrent),
  "SchemaNotCurrent",
  ({ message }) =>
    new Sql.SchemaNotCurrent({
      message: message.includes("designwire migrate") ? `${message}, or set DESIGNWIRE_AUTO_MIGRATE=true` : message,
    }),
)
