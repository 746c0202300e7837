/** Databases for tests on the Postgres server of the run. */
import { Effect, type Scope } from "effect"
import { inject } from "vitest"
import { freshDatabaseOn } from "./FreshDatabase.ts"

/** The URL of a new, empty database, which is dropped when the scope closes. */
export const freshDatabase: Effect.Effect<string, unknown, Scope.Scope> = Effect.suspend(() =>
  freshDatabaseOn(inject("postgresUrl")),
)

/** The URL of a new database with the schema, a copy of the run's template. It is dropped when the scope closes. */
export const migratedDatabase: Effect.Effect<string, unknown, Scope.Scope> = Effect.suspend(() =>
  freshDatabaseOn(inject("postgresUrl"), inject("postgresTemplate")),
)
