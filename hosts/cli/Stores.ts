import { Effect, Layer, type Redacted } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import * as Sql from "../../adapters/sql/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { type DatabaseUnavailable, untilUp } from "./DatabaseWait.ts"
import { embeddedPackages, missingPackages } from "./Prerequisites.ts"
import { type Settings, SettingsError } from "./Settings.ts"

/** The adapter of the embedded database: whoever uses a Postgres server needs none of its packages. */
const pglite = Effect.suspend(() => {
  const message = missingPackages(embeddedPackages)
  return message === undefined
    ? Effect.promise(() => import("../../adapters/pglite/index.ts"))
    : new SettingsError({ message, problems: [message] })
})

/** Why the database that the settings choose can't be opened. */
type OpenError = DataDirectoryError | SettingsError | DatabaseUnavailable | SqlError.SqlError

/** Why what is in it can't be used. */
type SchemaError = Sql.SchemaNotCurrent | Postgres.NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** The stores that the settings choose: a Postgres server, or the embedded database, which is brought up to date as it opens. */
export const stores = (settings: Settings): Layer.Layer<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError> =>
  inSchema<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError>(
    settings,
    settings.databaseUrl === undefined
      ? Layer.unwrap(Effect.map(pglite, ({ layer }) => layer({ directory: settings.dataDirectory })))
      : Postgres.layerStores(poolerOf(settings)).pipe(
          Layer.provideMerge(schema(settings.autoMigrate)),
          Layer.provideMerge(server(settings, settings.databaseUrl)),
        ),
  )

const schema = (autoMigrate: boolean): Layer.Layer<never, SchemaError, SqlClient.SqlClient> =>
  autoMigrate ? Layer.effectDiscard(Postgres.migrate) : Layer.effectDiscard(requireCurrent)

/** The connection alone that the settings choose, to migrate with. */
export const client = (settings: Settings): Layer.Layer<SqlClient.SqlClient, OpenError> =>
  inSchema<SqlClient.SqlClient, OpenError>(
    settings,
    settings.databaseUrl === undefined
      ? Layer.unwrap(Effect.map(pglite, ({ layerClient }) => layerClient({ directory: settings.dataDirectory })))
      : server(settings, settings.databaseUrl),
  )

/** A layer, whose tables and those of what stands on it are in the schema that the settings name. */
const inSchema = <A, E>(settings: Settings, layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.provideMerge(layer, Layer.succeed(Sql.SchemaName, settings.schema))

/** Connections to a server, once it is up. */
const server = (settings: Settings, url: Redacted.Redacted<string>) =>
  Layer.effectDiscard(SqlClient.SqlClient.use((sql) => untilUp(sql`SELECT 1`, settings.databaseWait))).pipe(
    Layer.provideMerge(Postgres.layerClient({ url, ...poolerOf(settings) })),
  )

/** The options of the Postgres adapter that are about a pooler. */
export const poolerOf = ({ listenUrl, pooler }: Settings): Postgres.PoolerOptions => ({
  ...(pooler === undefined ? {} : { pooler }),
  ...(listenUrl === undefined ? {} : { listenUrl }),
})

/** Fails while the database can't be reached, lacks a migration, or has one that this version does not know. */
export const requireCurrent: Effect.Effect<
  void,
  Sql.SchemaNotCurrent | Postgres.NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.catchTag(
  Sql.requireCurrent,
  "SchemaNotCurrent",
  ({ message }) => new Sql.SchemaNotCurrent({ message: `${message}, or set DESIGNWIRE_AUTO_MIGRATE=true` }),
)
