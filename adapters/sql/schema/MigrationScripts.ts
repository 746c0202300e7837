/** Migrations as scripts, for external migration tools and for running SQL by hand. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { compatibleWith, KnownMigrations, type MigrationList, migrations, numberOf } from "./KnownMigrations.ts"
import { createSchema, lock, type NewerSchema, pending } from "./Migrations.ts"
import { createAccount, entry } from "./RunMigrations.ts"
import { inSchema, lockIn, SchemaName } from "./Schema.ts"

/** A migration, for external migration tools. */
export interface MigrationScript {
  /** Its number, from 1. */
  readonly id: number
  readonly name: string
  /**
   * Statements, each with a semicolon at its end, to run in one transaction. Functions contain semicolons within their
   * `$$`. The statements also record the migration as done.
   */
  readonly sql: string
}

/** All migrations, in order. Released ones never change; new versions of this package append. */
export const migrationScripts = (schema = "designwire"): ReadonlyArray<MigrationScript> =>
  scriptsOf({ migrations, compatibleWith }, schema)

const scriptsOf = ({ compatibleWith, migrations }: MigrationList, schema: string): ReadonlyArray<MigrationScript> =>
  Object.entries(migrations).map(([key, statements]) => {
    const [id, name = ""] = key.split(/_(.*)/s)
    const script = [
      ...(id === "1" ? [createSchema(schema), createAccount] : []),
      entry(key, compatibleWith[key]),
      ...statements,
    ]
    return { id: Number(id), name, sql: inSchema(schema)(script.map(ended).join("")) }
  })

const ended = (statement: string): string => `${statement};\n`

/** The script that `migrate` would run, for running SQL by hand. Empty if nothing is pending. */
export const pendingSql: Effect.Effect<string, NewerSchema | SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const missing = yield* pending
    return script(yield* KnownMigrations, yield* SchemaName, missing)
  },
)

/** A script that runs and records migrations in one transaction. */
const script = (list: MigrationList, schema: string, names: ReadonlyArray<string>): string => {
  const numbers = names.map(numberOf)
  const scripts = scriptsOf(list, schema).filter(({ id }) => numbers.includes(id))
  if (scripts.length === 0) return ""
  return [
    ended("BEGIN"),
    ended(`SELECT pg_advisory_xact_lock(${lockIn(schema, lock)})`),
    // Statements of hosts queue behind a script that waits for a table. If it fails by this, it is run again.
    ended("SET LOCAL lock_timeout = '2s'"),
    ...scripts.map(({ id, name, sql }) => `-- ${id}_${name}\n${sql}`),
    ended("COMMIT"),
  ].join("")
}

/** The script of all migrations, for an empty database. */
export const allSql = (schema = "designwire"): string =>
  script({ migrations, compatibleWith }, schema, Object.keys(migrations))
