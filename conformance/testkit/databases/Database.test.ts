import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { freshDatabase } from "./Database.ts"

const query = (url: string, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
  )

it.live("MUST give each test its own empty database, in UTF-8, and drop it afterwards", () =>
  Effect.gen(function* () {
    const [first, second] = yield* Effect.scoped(
      Effect.gen(function* () {
        const urls = yield* Effect.all([freshDatabase, freshDatabase], { concurrency: 2 })
        yield* query(urls[0], "create table here (id int)")
        for (const url of urls) {
          const tables = yield* query(url, "select count(*)::int as count from pg_tables where schemaname = 'public'")
          expect(tables).toEqual([{ count: url === urls[0] ? 1 : 0 }])
          expect(yield* query(url, "show server_encoding")).toEqual([{ server_encoding: "UTF8" }])
        }
        return urls
      }),
    )
    expect(first).not.toBe(second)
    yield* Effect.flip(query(first, "select 1"))
  }),
)

it("MUST leave the exit code of a program that can start a server as the program sets it", () => {
  const path = resolve(import.meta.dirname, "EmbeddedPostgres.ts")
  const program = `await import(${JSON.stringify(path)}); process.exitCode = 3`
  expect(spawnSync(process.execPath, ["--input-type=module", "--eval", program]).status).toBe(3)
})
