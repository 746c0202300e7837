/** What a claim asks of the server's disk. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newShop, someTime } from "../../conformance/storage/Fixtures.ts"
import { addEndpoint, happen, request } from "../../conformance/storage/Webhooks.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { layer } from "./index.ts"

/** Notes of every delivery that is taken whether the transaction will wait for the disk. */
const noteCommits = [
  "CREATE TABLE commits (waits text)",
  `CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO commits (waits) VALUES (current_setting('synchronous_commit'));
  RETURN NULL;
END $$`,
  "CREATE TRIGGER note_commit AFTER UPDATE ON designwire.deliveries FOR EACH ROW EXECUTE FUNCTION note_commit()",
]

it.live("a claim alone MUST NOT wait for the disk, and a transaction of somebody else that it is part of MUST", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const shop = yield* newShop
      yield* addEndpoint(shop)
      yield* sql`SET synchronous_commit = on`
      for (const statement of noteCommits) yield* sql.unsafe(statement)
      const claimed = Effect.gen(function* () {
        yield* happen(shop)
        yield* sql`TRUNCATE commits`
        expect(yield* queue.claim(request({ now: someTime }))).toHaveLength(1)
        return (yield* sql<{ waits: string }>`SELECT DISTINCT waits FROM commits`).map(({ waits }) => waits)
      })
      expect(yield* claimed).toEqual(["off"])
      expect(yield* sql.withTransaction(claimed)).toEqual(["on"])
      expect(yield* sql`SHOW synchronous_commit`).toEqual([{ synchronous_commit: "on" }])
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)
