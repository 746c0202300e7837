/**
 * Faults of drivers that answer a failed COMMIT as success. Each test fails once its driver is mended: then what the
 * test names can go. `adapters/connection/FailedCommit.test.ts` holds what must be true over every driver.
 */
import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import postgres from "postgres"
import { freshDatabase } from "../databases/Database.ts"

/** A table whose rows a deferred trigger refuses at COMMIT. */
const refusing = (failure: string) => `
CREATE TABLE kept (id int4); CREATE TABLE refused (id int4);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${failure}; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON refused DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION refuse()`

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => postgres(url, { max: 1, onnotice: () => undefined })),
    (sql) => Effect.promise(() => sql.end()),
  )

it.live("@effect/sql-pg repeats a COMMIT that fails with SQLSTATE 0A000: mended by CheckedTransaction", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const setUp = yield* connect(url)
    yield* Effect.promise(() => setUp.unsafe(refusing("RAISE EXCEPTION 'refused' USING ERRCODE = '0A000'")).simple())
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // COMMIT is prepared now.
      yield* sql.withTransaction(sql`INSERT INTO kept VALUES (1)`)
      const outcome = yield* Effect.exit(sql.withTransaction(sql`INSERT INTO refused VALUES (1)`))
      expect(yield* sql`SELECT * FROM refused`).toEqual([])
      expect(
        Exit.isSuccess(outcome),
        "Mended: drop adapters/sql/statements/CheckedTransaction.ts, and let joinable use sql.withTransaction",
      ).toBe(true)
    }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

it.live("postgres.js repeats the COMMIT of sql.begin if a column has another type: embedders are warned", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const sql = yield* connect(url)
    yield* Effect.promise(() => sql.unsafe(refusing("EXECUTE 'INSERT INTO kept SELECT ''x''::text'")).simple())
    yield* Effect.promise(() => sql.begin((tx) => tx`INSERT INTO kept VALUES (1)`))
    const outcome = yield* Effect.exit(Effect.tryPromise(() => sql.begin((tx) => tx`INSERT INTO refused VALUES (1)`)))
    expect(yield* Effect.promise(async () => [...(await sql`SELECT * FROM refused`)])).toEqual([])
    expect(Exit.isSuccess(outcome), "Mended: drop the warning in adapters/README.md").toBe(true)
  }).pipe(Effect.scoped),
)
