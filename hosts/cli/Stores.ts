import { Data, Effect, Layer, type Redacted } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { type DatabaseUnavailable, untilUp } from "./DatabaseWait.ts"
import { embeddedPackages, missingPackages } from "./Prerequisites.ts"
import { type Settings, SettingsError } from "./Settings.ts"

/** The database's schema is not the one that this version needs. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

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
type SchemaError = SchemaNotCurrent | Postgres.NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** The stores that the settings choose: a Postgres server, or the embedded database, which is brought up to date as it opens. */
export const stores = (settings: Settings): Layer.Layer<StoragePorts | SqlClient.SqlClient, OpenError | SchemaError> =>
  settings.databaseUrl === undefined
    ? Layer.unwrap(Effect.map(pglite, ({ layer }) => layer({ directory: settings.dataDirectory })))
    : Postgres.layerStores(poolerOf(settings)).pipe(
        Layer.provideMerge(schema(settings.autoMigrate)),
        Layer.provideMerge(server(settings, settings.databaseUrl)),
      )

const schema = (autoMigrate: boolean): Layer.Layer<never, SchemaError, SqlClient.SqlClient> =>
  autoMigrate ? Layer.effectDiscard(Postgres.migrate) : Layer.effectDiscard(requireCurrent)

/** The connection alone that the settings choose, to migrate with. */
export const client = (settings: Settings): Layer.Layer<SqlClient.SqlClient, OpenError> =>
  settings.databaseUrl === undefined
    ? Layer.unwrap(Effect.map(pglite, ({ layerClient }) => layerClient({ directory: settings.dataDirectory })))
    : server(settings, settings.databaseUrl)

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
  SchemaNotCurrent | Postgres.NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(Postgres.pending, (missing) =>
  missing.length === 0
    ? Effect.void
    : new SchemaNotCurrent({
        message: `The database's schema is not current: it lacks ${missing.join(", ")}. Run "designwire migrate", or set DESIGNWIRE_AUTO_MIGRATE=true`,
      }),
)
