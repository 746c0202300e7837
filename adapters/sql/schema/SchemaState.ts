import { Context, Effect, Layer } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import { KnownMigrations } from "./KnownMigrations.ts"
import { pendingSql } from "./MigrationScripts.ts"
import * as Migrations from "./Migrations.ts"
import { SchemaName } from "./Schema.ts"

/** Why the schema is not as this version needs it, or can't be looked at. */
type Failure = Migrations.NewerSchema | SqlError.SqlError

/** The migrations of the stores' tables, in one schema or in many. */
export class SchemaState extends Context.Service<
  SchemaState,
  {
    /** Compares the schema with the migrations that this version knows. */
    readonly compare: Effect.Effect<Migrations.Comparison, Failure | Migrations.SchemaNotCurrent>
    /** Fails while a migration is missing, or one is there beside which this version can't go on. */
    readonly requireCurrent: Effect.Effect<void, Failure | Migrations.SchemaNotCurrent>
    /** Fails while hosts can't serve. Over many schemas it does not look into each, so it costs little. */
    readonly ready: Effect.Effect<void, Failure | Migrations.SchemaNotCurrent>
    /** Runs the missing migrations, and returns their names. */
    readonly migrate: Effect.Effect<
      ReadonlyArray<string>,
      Failure | Migrations.SchemaNotCurrent | Migrator.MigrationError
    >
    /** A script that does the same. */
    readonly pendingSql: Effect.Effect<string, Failure | Migrations.SchemaNotCurrent>
    /**
     * Fails once a newer version has migrated so that this one can't go on, within ten seconds; never ends before.
     */
    readonly untilNewer: Effect.Effect<never, Migrations.NewerSchema>
  }
>()("designwire/sql/SchemaState") {
  /** The state of one schema, of the current `SqlClient`. */
  static readonly layer = Layer.effect(
    SchemaState,
    Effect.gen(function* () {
      const [sql, schema, list] = [yield* SqlClient.SqlClient, yield* SchemaName, yield* KnownMigrations]
      const here = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        effect.pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(SchemaName, schema),
          Effect.provideService(KnownMigrations, list),
        )
      return {
        compare: here(Migrations.compare),
        requireCurrent: here(Migrations.requireCurrent),
        ready: here(Migrations.requireCurrent),
        migrate: here(Migrations.migrate),
        pendingSql: here(pendingSql),
        untilNewer: here(Migrations.untilNewer),
      }
    }),
  )
}
