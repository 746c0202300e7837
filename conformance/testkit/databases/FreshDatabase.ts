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
    () =>
      onServer(closing(name)).pipe(
        Effect.andThen(onServer(`drop database if exists ${name} with (force)`)),
        Effect.orDie,
      ),
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
})

/**
 * Waits a moment for connections that are being closed. A pool reports that it has ended while its connections still
 * close, and nothing handles the error of a connection that the database ends first.
 */
const closing = (database: string) => `do $$ begin
  for attempt in 1..20 loop
    perform pg_stat_clear_snapshot();
    exit when not exists (select from pg_stat_activity where datname = '${database}');
    perform pg_sleep(0.01);
  end loop;
end $$`
