import { Context, Effect, Layer } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import type { SharedServices } from "../../adapters/buckets/index.ts"
import type { Query } from "../../adapters/connection/Query.ts"
import type { within as Within } from "../../adapters/connection/Transaction.ts"
import * as Memory from "../../adapters/memory/index.ts"
import type { NewerSchema, SchemaNotCurrent } from "../../adapters/sql/index.ts"
import type { SchemaState } from "../../adapters/sql/schema/SchemaState.ts"
import { optionalPackages } from "../../adapters/support/Packages.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Migration } from "./Designwire.ts"
import { type Failure, invalidTransaction } from "./Failures.ts"
import { load, type PackagesMissing } from "./Packages.ts"
import type { BucketsConfig, EmbedConfig } from "./ReadOptions.ts"

type CantMigrate = SchemaNotCurrent | NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** The database behind the storage ports. */
export class OpenDatabase extends Context.Service<
  OpenDatabase,
  {
    /** Fails while the schema lacks a migration, or has one beside which this version can't go on. */
    readonly requireCurrent: Effect.Effect<void, SchemaNotCurrent | NewerSchema | SqlError.SqlError>
    /** Fails once a newer version has migrated so that this one can't go on, within ten seconds; never ends before. */
    readonly untilNewer: Effect.Effect<never, NewerSchema>
    /** Runs the migrations that the schema lacks, and returns their names. */
    readonly migrate: Effect.Effect<ReadonlyArray<string>, CantMigrate>
    /** A script that does the same. */
    readonly pendingSql: Effect.Effect<string, CantMigrate>
    /** Runs an effect in the embedder's transaction. Fails with `InvalidInput` if nobody else can begin one. */
    readonly within: (tx: Query) => <A, R>(effect: Effect.Effect<A, Failure, R>) => Effect.Effect<A, Failure, R>
  }
>()("designwire/embed/OpenDatabase") {}

/** A database of this process alone, which needs no migration. */
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
  const { buckets, connectionWait, database, lockWait, schema } = config
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
        ({ layer, layerDatabase }) => {
          const options = { ...database.options, schema, connectionWait, lockWait }
          return buckets === undefined
            ? shared(layer(options), config)
            : overBuckets(layerDatabase(options), buckets, config)
        },
      )
    case "pool":
      return Effect.flatMap(
        Effect.promise(() => import("../../adapters/connection/index.ts")),
        ({ layerShared, layerStores }) => {
          const options = { schema, connectionWait, lockWait }
          return buckets === undefined
            ? shared(layerStores(database.pool, options), config)
            : overBuckets(layerShared(database.pool, options), buckets, config)
        },
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
      Effect.map(Effect.all([SqlClient.SqlClient, Sql.SchemaState]), ([sql, state]) =>
        openDatabase(sql, state, within, Sql),
      ),
    ).pipe(Layer.provide(Sql.SchemaState.layer), Layer.provide(Layer.succeed(Sql.SchemaName, schema)))
    const stores = Layer.provide(layer, Layer.succeed(Sql.NotifyInTransactions, notifyInTransactions))
    return { layer: Layer.provideMerge(database, stores), migrations: Sql.migrationScripts(schema) }
  })

/** Buckets in the embedder's database, which is the first, and in others. */
const overBuckets = (
  first: Layer.Layer<SharedServices, Failure>,
  { count, others }: BucketsConfig,
  { connectionWait, lockWait, notifyInTransactions, schema }: EmbedConfig,
): Effect.Effect<Stores, PackagesMissing> =>
  Effect.gen(function* () {
    const Buckets = yield* Effect.promise(() => import("../../adapters/buckets/index.ts"))
    const Sql = yield* Effect.promise(() => import("../../adapters/sql/index.ts"))
    const { within } = yield* Effect.promise(() => import("../../adapters/connection/Transaction.ts"))
    const { layerDatabase } = yield* load(
      async () => {
        await import("@effect/sql-pg")
        return import("../../adapters/postgres/index.ts")
      },
      "Buckets in other databases",
      Object.keys(others).length === 0 ? [] : optionalPackages.postgres,
    )
    const layers = Object.entries(others).map(
      ([name, options]) => [name, layerDatabase({ ...options, schema, connectionWait, lockWait })] as const,
    )
    const opened = Effect.gen(function* () {
      const databases = yield* Effect.forEach([["first", first] as const, ...layers], ([name, layer]) =>
        Effect.map(Layer.build(layer), (services) => [name, services] as const),
      )
      const clients = databases.map(([name, services]) => [name, Context.get(services, SqlClient.SqlClient)] as const)
      const state = yield* Effect.provide(
        Sql.SchemaState,
        Buckets.layerState({ databases: Object.fromEntries(clients), buckets: count, schema }),
      )
      const own = clients[0]?.[1] as SqlClient.SqlClient
      return Layer.merge(
        Buckets.layer({
          databases: Object.fromEntries(databases.map(([name, services]) => [name, Layer.succeedContext(services)])),
          schema,
        }),
        Layer.succeed(OpenDatabase, openDatabase(own, state, within, Sql)),
      )
    })
    return {
      layer: Layer.unwrap(opened).pipe(Layer.provide(Layer.succeed(Sql.NotifyInTransactions, notifyInTransactions))),
      migrations: [],
    }
  })

/** An open database, over its client and the state of its schema. */
const openDatabase = (
  sql: SqlClient.SqlClient,
  state: SchemaState["Service"],
  within: typeof Within,
  { SchemaNotCurrent: NotCurrent }: { readonly SchemaNotCurrent: typeof SchemaNotCurrent },
): OpenDatabase["Service"] => ({
  requireCurrent: Effect.flatMap(state.compare, ({ missing }) =>
    missing.length === 0 ? Effect.void : new NotCurrent({ message: toMigrate(missing) }),
  ),
  untilNewer: state.untilNewer,
  migrate: state.migrate,
  pendingSql: state.pendingSql,
  within: (tx) => (effect) => Effect.provideService(within(tx)(effect), SqlClient.SqlClient, sql),
})

const toMigrate = (missing: ReadonlyArray<string>): string =>
  'Run "await designwire.migrate()" or "npx designwire migrate": ' +
  `the database's schema is not current, it lacks ${missing.join(", ")}`
