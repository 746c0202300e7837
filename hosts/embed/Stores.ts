import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Memory from "../../adapters/memory/index.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Migration } from "./Designwire.ts"
import type { Failure } from "./Failures.ts"
import { OpenDatabase, ownAlone } from "./OpenDatabase.ts"
import { embeddedPackages, load, type PackagesMissing, postgresPackages } from "./Packages.ts"
import type { Settings } from "./Settings.ts"

/** A database, as its adapter gives it. */
export interface Stores {
  /** Connects when it is built, or at the first statement. */
  readonly layer: Layer.Layer<StoragePorts | OpenDatabase, Failure>
  readonly migrations: ReadonlyArray<Migration>
}

/** Loads the adapter that the settings ask for, and nothing of the others. Fails where packages of it are not installed. */
export const stores = (settings: Settings): Effect.Effect<Stores, PackagesMissing> => {
  const { database, schema } = settings
  switch (database.kind) {
    case "memory":
      return Effect.succeed({ layer: Layer.merge(Memory.layer, Layer.succeed(OpenDatabase, ownAlone)), migrations: [] })
    case "directory":
      return Effect.map(
        load(
          async () => {
            await Promise.all([
              import("@effect/sql-pg"),
              import("@electric-sql/pglite"),
              import("@electric-sql/pglite-socket"),
            ])
            return import("../../adapters/pglite/index.ts")
          },
          "An embedded database",
          embeddedPackages,
        ),
        ({ layer }) => ({
          // It is brought up to date as it opens.
          layer: Layer.merge(layer({ directory: database.directory }), Layer.succeed(OpenDatabase, ownAlone)),
          migrations: [],
        }),
      )
    case "server":
      return Effect.flatMap(
        load(
          async () => {
            await import("@effect/sql-pg")
            return import("../../adapters/postgres/index.ts")
          },
          "A database at a URL",
          postgresPackages,
        ),
        ({ layer }) => shared(layer({ ...database.options, schema }), settings),
      )
    case "pool":
      return Effect.flatMap(
        Effect.promise(() => import("../../adapters/connection/index.ts")),
        ({ layerStores }) => shared(layerStores(database.pool, { schema }), settings),
      )
  }
}

/** A database that others use too, over its client. */
const shared = (
  layer: Layer.Layer<StoragePorts | SqlClient.SqlClient, Failure>,
  { notifyInTransactions, schema }: Settings,
): Effect.Effect<Stores> =>
  Effect.promise(async () => {
    const Sql = await import("../../adapters/sql/index.ts")
    const { within } = await import("../../adapters/connection/Within.ts")
    const database = Layer.effect(
      OpenDatabase,
      Effect.map(SqlClient.SqlClient, (sql) => {
        const provide = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
          Effect.provideService(Effect.provideService(effect, SqlClient.SqlClient, sql), Sql.SchemaName, schema)
        return {
          requireCurrent: provide(
            Effect.flatMap(Sql.pending, (missing) =>
              missing.length === 0 ? Effect.void : new Sql.SchemaNotCurrent({ message: toMigrate(missing) }),
            ),
          ),
          migrate: provide(Sql.migrate),
          pendingSql: provide(Sql.pendingSql),
          within: (tx) => (effect) => Effect.provideService(within(tx)(effect), SqlClient.SqlClient, sql),
        }
      }),
    )
    const told = Layer.provide(layer, Layer.succeed(Sql.NotifyInTransactions, notifyInTransactions))
    return { layer: Layer.provideMerge(database, told), migrations: Sql.migrationScripts(schema) }
  })

const toMigrate = (missing: ReadonlyArray<string>): string =>
  `Run "await designwire.migrate()" or "npx designwire migrate": the database's schema is not current, it lacks ${missing.join(", ")}`
