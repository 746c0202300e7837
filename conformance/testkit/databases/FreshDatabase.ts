import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { unique } from "../../suites/storage/support/Fixtures.ts"

/**
 * The URL of a new database on a server, which is dropped when the scope closes. The database is empty, or the copy of
 * a template that nothing is connected to.
 */
export const freshDatabaseOn = Effect.fnUntraced(function* (
  server: string,
  template = "template0",
): Effect.fn.Return<string, unknown, Scope.Scope> {
  const name = `test_${unique()}`
  const onServer = (statement: string) =>
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 }), { local: true }),
    )
  yield* Effect.acquireRelease(
    // Two databases can't be made from the template at the same moment.
    Effect.retry(onServer(`create database ${name} template ${template}`), Schedule.recurs(5)),
    () => Effect.orDie(onServer(`drop database if exists ${name} with (force)`)),
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
})
