import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"

const run = Migrator.make({})

/**
 * Runs the migrations that a table does not name yet, and enters them there: the SQL of each by its name,
 * `<number>_<name>`. Runs within the current transaction.
 */
export const runMigrations = (
  migrations: Readonly<Record<string, ReadonlyArray<string>>>,
  table: string,
): Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> => {
  const running = (statements: ReadonlyArray<string>) =>
    SqlClient.SqlClient.use((sql) =>
      Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
    )
  const named = Object.entries(migrations).map(([name, statements]) => [name, running(statements)])
  return run({ loader: Migrator.fromRecord(Object.fromEntries(named)), table })
}
