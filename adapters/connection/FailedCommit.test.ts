/** A COMMIT that the server refuses: nothing is stored, and every driver must say so. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { libraries, runs } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { type Backend, withBackend } from "../../conformance/testkit/drivers/OwnTransactions.ts"
import { order } from "../../conformance/testkit/workers/Fleet.ts"
import { within } from "./index.ts"

/**
 * Deferred triggers fail at COMMIT. `@effect/sql-pg` repeats statements that fail with SQLSTATE 0A000, postgres.js
 * statements that fail for a column's type: a COMMIT that is repeated finds no transaction, and succeeds.
 */
const failingTriggers = {
  "SQLSTATE 0A000": "RAISE EXCEPTION 'refused at the commit' USING ERRCODE = '0A000'",
  "a column of another type": "EXECUTE 'INSERT INTO numbers SELECT ''refused''::text'",
}

const plant = (backend: Backend, failure: string) =>
  Effect.runPromise(
    backend.look(`
CREATE TABLE numbers (number int4);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${failure}; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON designwire.orders DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.id LIKE 'refused%') EXECUTE FUNCTION refuse()`),
  )

/** Places orders: many are stored, so that each connection has prepared its statements, then others are refused. */
const expectRefused = async (backend: Backend, place: (id: string) => Promise<unknown>) => {
  const stored = Array.from({ length: 21 }, (_, index) => `a${String(index).padStart(2, "0")}`)
  for (const id of stored) await place(id)
  for (const id of ["refused1", "refused2", "refused3"]) {
    const outcome = await place(id).then(
      () => "success",
      () => "failure",
    )
    expect([id, outcome]).toEqual([id, "failure"])
  }
  await place("b")
  expect((await Effect.runPromise(backend.kept)).orders).toEqual([...stored, "b"])
}

for (const library of libraries) {
  describe(`A refused COMMIT over ${library.name}`, () => {
    let tests = 0
    const test = (title: string, failure: string, run: (backend: Backend) => Promise<void>) => {
      if (!runs(library, tests++)) return
      it.live(title, () =>
        withBackend(library, (backend) =>
          Effect.promise(async () => {
            await plant(backend, failure)
            await run(backend)
          }),
        ),
      )
    }

    test(
      "MUST fail an embedder's transaction that a call has joined (D23)",
      failingTriggers["SQLSTATE 0A000"],
      (backend) =>
        expectRefused(backend, (id) =>
          backend.connections.transaction((own) => backend.ours(within(own.query)(order(backend.shop, id)))),
        ),
    )

    for (const [name, failure] of Object.entries(failingTriggers)) {
      test(`MUST fail a transaction of ours: ${name} (D23)`, failure, (backend) =>
        expectRefused(backend, (id) =>
          backend.ours(SqlClient.SqlClient.use((sql) => sql.withTransaction(order(backend.shop, id)))),
        ),
      )

      test(`MUST fail a change that is one statement: ${name} (D23)`, failure, (backend) =>
        expectRefused(backend, (id) => backend.ours(order(backend.shop, id))),
      )
    }

    it.live("MUST fail a transaction in which a statement failed, whatever was done after it (D23)", () =>
      withBackend(library, (backend) =>
        Effect.promise(async () => {
          const ignoring = SqlClient.SqlClient.use((sql) =>
            sql.withTransaction(Effect.andThen(order(backend.shop, "1"), Effect.ignore(sql`SELECT 1 / 0`))),
          )
          await expect(backend.ours(ignoring)).rejects.toMatchObject({ _tag: "SqlError" })
          const undone = SqlClient.SqlClient.use((sql) =>
            sql.withTransaction(
              Effect.andThen(order(backend.shop, "2"), Effect.ignore(sql.withTransaction(sql`SELECT 1 / 0`))),
            ),
          )
          await backend.ours(undone)
          expect((await Effect.runPromise(backend.kept)).orders).toEqual(["2"])
        }),
      ),
    )

    it.live("MUST ask whether the server refused an interrupted statement before it commits (D23)", () =>
      withBackend(library, (backend) =>
        Effect.promise(async () => {
          const interrupting = (id: string, statement: string) =>
            backend.ours(
              SqlClient.SqlClient.use((sql) =>
                sql.withTransaction(
                  Effect.andThen(order(backend.shop, id), Effect.timeoutOption(sql.unsafe(statement), "20 millis")),
                ),
              ),
            )
          // Some drivers cancel it at the server, which aborts the transaction as well.
          const stored = await interrupting("1", "SELECT pg_sleep(0.1)").then(
            () => ["1"],
            () => [],
          )
          await expect(interrupting("2", "SELECT 1 / length(pg_sleep(0.1)::text)")).rejects.toMatchObject({
            _tag: "SqlError",
          })
          expect((await Effect.runPromise(backend.kept)).orders).toEqual(stored)
        }),
      ),
    )
  })
}
