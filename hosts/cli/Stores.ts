import { Data, Effect, Layer } from "effect"
import type { Migrator, SqlClient, SqlError } from "effect/sql"
import * as Pglite from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Settings } from "./Settings.ts"

/** The database's schema is not the one that this version needs. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

/** The stores that the settings choose: a Postgres server, or the embedded database, which is brought up to date as it opens. */
export const stores = (
  settings: Settings,
): Layer.Layer<
  StoragePorts | SqlClient.SqlClient,
  Pglite.DataDirectoryError | SchemaNotCurrent | Postgres.NewerSchema | Migrator.MigrationError | SqlError.SqlError
> =>
  settings.databaseUrl === undefined
    ? Pglite.layer({ directory: settings.dataDirectory })
    : Postgres.layerStores().pipe(
        Layer.provideMerge(schema(settings.autoMigrate)),
        Layer.provideMerge(Postgres.layerClient({ url: settings.databaseUrl })),
      )

const schema = (
  autoMigrate: boolean,
): Layer.Layer<
  never,
  SchemaNotCurrent | Postgres.NewerSchema | Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> => (autoMigrate ? Layer.effectDiscard(Postgres.migrate) : Layer.effectDiscard(requireCurrent))

/** The connection alone that the settings choose, to migrate with. */
export const client = (
  settings: Settings,
): Layer.Layer<SqlClient.SqlClient, Pglite.DataDirectoryError | SqlError.SqlError> =>
  settings.databaseUrl === undefined
    ? Pglite.layerClient({ directory: settings.dataDirectory })
    : Postgres.layerClient({ url: settings.databaseUrl })

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
