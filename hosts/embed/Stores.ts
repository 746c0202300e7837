import { Context, Effect, Layer } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import type { Query } from "../../adapters/connection/Query.ts"
import * as Memory from "../../adapters/memory/index.ts"
import type { NewerSchema, SchemaNotCurrent } from "../../adapters/sql/index.ts"
import { optionalPackages } from "../../adapters/support/Packages.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Migration } from "./Designwire.ts"
import { type Failure, invalidTransaction } from "./Failures.ts"
import { load, type PackagesMissing } from "./Packages.ts"
import type { EmbedConfig } from "./ReadOptions.ts"

type CantMigrate = NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** The database behind the storage ports. */
export class OpenDatabase extends Context.Service<
  OpenDatabase,
  {
    /** Fails while the schema lacks a migration, or has one alongside which this version can't run. */
    readonly requireCurrent: Effect.Effect<void, SchemaNotCurrent | NewerSchema | SqlError.SqlError>
    /**
     * Fails once a newer version has migrated so that this one can't continue, within ten seconds; never ends before.
     */
    readonly untilNewer: Effect.Effect<never, NewerSchema>
    /** Runs the migrations that the schema lacks, and returns their names. */
    readonly migrate: Effect.Effect<ReadonlyArray<string>, CantMigrate>
    /** A script that does the same. */
    readonly pendingSql: Effect.Effect<string, CantMigrate>
    /** Runs an effect in the embedder's transaction. Fails with `InvalidInput` if nobody else can begin one. */
    readonly within: (tx: Query) => <A, R>(effect: Effect.Effect<A, Failure, R>) => Effect.Effect<A, Failure, R>
  }
>()("designwire/embed/OpenDatabase") {}

/** A database of only this process, which needs no migration. */
const ownAlone = Layer.succeed(OpenDatabase, {
  requireCurrent: Effect.void,
  untilNewer: Effect.never,
  migrate: Effect.succeed([]),
  pendingSql: Effect.succeed(""),
  within: () => () =>
    invalidTransaction("tx needs a database that others can begin a transaction in: { url } or a pool of yours"),
})

/** The stores of a database. */
export interface Stores {
  /** Connects when it is built, or at the first statement. */
  readonly layer: Layer.Layer<StoragePorts | OpenDatabase, Failure>
  readonly migrations: ReadonlyArray<Migration>
}

/** Loads the adapter of the configured database, and no other. Fails if packages that it needs are not installed. */
export const stores = (config: EmbedConfig): Effect.Effect<Stores, PackagesMissing> => {
  const { connectionWait, database, lockWait, schema } = config
  switch (database.kind) {
    case "memory":
      return Effect.succeed({ layer: Layer.merge(Memory.layer, ownAlone), migrations: [] })
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
          optionalPackages.embedded,
        ),
        ({ layer }) => ({
          // The adapter migrates it as it opens.
          layer: Layer.merge(layer({ directory: database.directory }), ownAlone),
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
          optionalPackages.postgres,
        ),
        ({ layer }) => shared(layer({ ...database.options, schema, connectionWait, lockWait }), config),
      )
    case "pool":
      return Effect.flatMap(
        Effect.promise(() => import("../../adapters/connection/index.ts")),
        ({ layerStores }) => shared(layerStores(database.pool, { schema, connectionWait, lockWait }), config),
      )
  }
}

/** A database that others use too. */
const shared = (
  layer: Layer.Layer<StoragePorts | SqlClient.SqlClient, Failure>,
  { notifyInTransactions, schema }: EmbedConfig,
): Effect.Effect<Stores> =>
  Effect.promise(async () => {
    const Sql = await import("../../adapters/sql/index.ts")
    const { within } = await import("../../adapters/connection/Transaction.ts")
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
          untilNewer: provide(Sql.untilNewer),
          migrate: provide(Sql.migrate),
          pendingSql: provide(Sql.pendingSql),
          within: (tx) => (effect) => Effect.provideService(within(tx)(effect), SqlClient.SqlClient, sql),
        }
      }),
    )
    const stores = Layer.provide(layer, Layer.succeed(Sql.NotifyInTransactions, notifyInTransactions))
    return { layer: Layer.provideMerge(database, stores), migrations: Sql.migrationScripts(schema) }
  })

const toMigrate = (missing: ReadonlyArray<string>): string =>
  'Run "await designwire.migrate()" or "npx designwire migrate": ' +
  `the database's schema is not current, it lacks ${missing.join(", ")}`
