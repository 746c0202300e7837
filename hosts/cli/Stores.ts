import { setFlagsFromString } from "node:v8"
import { Effect, Layer, type Redacted } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import { layerPlaced } from "../../adapters/cells/index.ts"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import * as Sql from "../../adapters/sql/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { followPlaces, type MapError } from "./cells/PlacementFile.ts"
import { type DatabaseUnavailable, untilUp } from "./DatabaseWait.ts"
import { embeddedPackages, missingPackages } from "./Prerequisites.ts"
import { type ConfigError, configError, type HostConfig } from "./ReadConfig.ts"

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
type SchemaError = Sql.SchemaNotCurrent | Postgres.NewerSchema | Migrator.MigrationError | SqlError.SqlError

/**
 * The configured stores: a Postgres server, or the embedded database, which is brought up to date as it opens. With a
 * map of cells, they have only the shops that it places in this one.
 */
export const stores = (
  config: HostConfig,
): Layer.Layer<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError | MapError> => {
  const { cell, cellsFile } = config
  if (cell === undefined || cellsFile === undefined) return allShops(config)
  return Layer.unwrap(Effect.map(followPlaces(cell, cellsFile), layerPlaced)).pipe(Layer.provideMerge(allShops(config)))
}

const allShops = (config: HostConfig): Layer.Layer<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError> =>
  inSchema<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError>(
    config,
    config.databaseUrl === undefined
      ? Layer.unwrap(Effect.map(pglite, ({ layer }) => layer({ directory: config.dataDirectory })))
      : Postgres.layerStores(config).pipe(
          Layer.provideMerge(upToDate(config.autoMigrate)),
          Layer.provideMerge(server(config, config.databaseUrl)),
        ),
  )

const upToDate = (autoMigrate: boolean): Layer.Layer<never, SchemaError, SqlClient.SqlClient> =>
  autoMigrate ? Layer.effectDiscard(Postgres.migrate) : Layer.effectDiscard(requireCurrent)

/** The connection to the configured database. */
export const client = (config: HostConfig): Layer.Layer<SqlClient.SqlClient, OpenError> =>
  inSchema<SqlClient.SqlClient, OpenError>(
    config,
    config.databaseUrl === undefined
      ? Layer.unwrap(Effect.map(pglite, ({ layerClient }) => layerClient({ directory: config.dataDirectory })))
      : server(config, config.databaseUrl),
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

/** Fails while the database can't be reached, lacks a migration, or has one alongside which this version can't run. */
export const requireCurrent: Effect.Effect<
  void,
  Sql.SchemaNotCurrent | Postgres.NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.catchTag(
  Sql.requireCurrent,
  "SchemaNotCurrent",
  ({ message }) => new Sql.SchemaNotCurrent({ message: `${message}, or set DESIGNWIRE_AUTO_MIGRATE=true` }),
)
