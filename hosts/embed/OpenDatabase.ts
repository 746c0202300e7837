import { Context, Effect } from "effect"
import type { Migrator, SqlClient, SqlError } from "effect/sql"
import type { Query } from "../../adapters/connection/Query.ts"
import type { NewerSchema, SchemaNotCurrent } from "../../adapters/sql/index.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"

type CantMigrate = NewerSchema | Migrator.MigrationError | SqlError.SqlError

/** The database at hand beside its storage ports. */
export class OpenDatabase extends Context.Service<
  OpenDatabase,
  {
    /** Fails while the schema lacks a migration, or has one that this version does not know. */
    readonly requireCurrent: Effect.Effect<void, SchemaNotCurrent | NewerSchema | SqlError.SqlError>
    /** Runs the migrations that the schema lacks, and answers their names. */
    readonly migrate: Effect.Effect<ReadonlyArray<string>, CantMigrate>
    /** A script that does the same. */
    readonly pendingSql: Effect.Effect<string, CantMigrate>
    /** Makes effects part of a transaction of the embedder's; `undefined` where nobody else can have one. */
    readonly within:
      | ((
          tx: Query,
        ) => <A, E, R>(
          effect: Effect.Effect<A, E, R>,
        ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | StorageError, Exclude<R, SqlClient.SqlClient>>)
      | undefined
  }
>()("designwire/embed/OpenDatabase") {}

/** What needs no migration, and is nobody else's. */
export const ownAlone: OpenDatabase["Service"] = {
  requireCurrent: Effect.void,
  migrate: Effect.succeed([]),
  pendingSql: Effect.succeed(""),
  within: undefined,
}
