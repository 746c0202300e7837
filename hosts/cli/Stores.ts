import { Data, Effect, Layer } from "effect"
import type { Migrator, SqlClient, SqlError } from "effect/sql"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import * as Postgres from "../../adapters/postgres/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { embeddedPackages, missingPackages } from "./Prerequisites.ts"
import type { Settings } from "./Settings.ts"

/** The database's schema is not the one that this version needs. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

/** The embedded database was chosen, and its packages are not installed. */
export class PackagesMissing extends Data.TaggedError("PackagesMissing")<{ readonly message: string }> {}

/** The adapter of the embedded database: whoever uses a Postgres server needs none of its packages. */
const pglite = Effect.suspend(() => {
  const message = missingPackages(embeddedPackages)
  return message === undefined
    ? Effect.promise(() => import("../../adapters/pglite/index.ts"))
    : new PackagesMissing({ message })
})

/** The stores that the settings choose: a Postgres server, or the embedded database, which is brought up to date as it opens. */
export const stores = (
  settings: Settings,
): Layer.Layer<
  StoragePorts | SqlClient.SqlClient,
  DataDirectoryError | PackagesMissing | SchemaNotCurrent | Migrator.MigrationError | SqlError.SqlError
> =>
  settings.databaseUrl === undefined
    ? Layer.unwrap(Effect.map(pglite, ({ layer }) => layer({ directory: settings.dataDirectory })))
    : Postgres.layerStores.pipe(
        Layer.provideMerge(schema(settings.autoMigrate)),
        Layer.provideMerge(Postgres.layerClient({ url: settings.databaseUrl })),
      )

const schema = (
  autoMigrate: boolean,
): Layer.Layer<never, SchemaNotCurrent | Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  autoMigrate ? Layer.effectDiscard(Postgres.migrate) : Layer.effectDiscard(requireCurrent)

/** The connection alone that the settings choose, to migrate with. */
export const client = (
  settings: Settings,
): Layer.Layer<SqlClient.SqlClient, DataDirectoryError | PackagesMissing | SqlError.SqlError> =>
  settings.databaseUrl === undefined
    ? Layer.unwrap(Effect.map(pglite, ({ layerClient }) => layerClient({ directory: settings.dataDirectory })))
    : Postgres.layerClient({ url: settings.databaseUrl })

/** Fails while the database can't be reached or lacks a migration. */
export const requireCurrent: Effect.Effect<void, SchemaNotCurrent | SqlError.SqlError, SqlClient.SqlClient> =
  Effect.flatMap(Postgres.pending, (missing) =>
    missing.length === 0
      ? Effect.void
      : new SchemaNotCurrent({
          message: `The database's schema is not current: it lacks ${missing.join(", ")}. Run "designwire migrate", or set DESIGNWIRE_AUTO_MIGRATE=true`,
        }),
  )
