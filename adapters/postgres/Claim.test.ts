/** What a claim asks of the server's disk. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newShop, someTime } from "../../conformance/storage/Fixtures.ts"
import { addEndpoint, advance, happen, makeAttempt, request, settlement } from "../../conformance/storage/Webhooks.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { type Claim, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
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

it.live("plans that were made for a few deliveries MUST read little more than all, once there are many (D45)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const shop = yield* newShop
      yield* addEndpoint(shop)
      yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
      yield* sql`VACUUM ANALYZE designwire.deliveries`
      const happening = (deliveries: number) => happen(shop, Array(deliveries).fill(0))
      const claim = queue.claim(request({ now: someTime, limit: 2 }))
      const settle = (claims: ReadonlyArray<Claim>) =>
        queue.settle(
          claims.map((claim) => settlement(claim, makeAttempt(claim, someTime, { statusCode: 200 }))),
          advance,
        )
      // The server keeps a plan after it has made some.
      const plans = Array.from({ length: 8 })
      yield* happening(1)
      for (const _ of plans) yield* Effect.flatMap(claim, queue.release)
      for (const _ of plans) yield* queue.nextDue(someTime)
      for (const _ of plans) {
        yield* happening(2)
        yield* Effect.flatMap(claim, settle)
      }
      const many = 2_000
      yield* happening(many)
      /** The rows of deliveries that were read so far without an index. */
      const rowsRead = Effect.andThen(
        sql`SELECT pg_stat_force_next_flush() IS NULL AS told`,
        Effect.map(
          sql<{
            rows: number
          }>`SELECT seq_tup_read::float8 AS rows FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
          ([row]) => row?.rows ?? Number.NaN,
        ),
      )
      const before = yield* rowsRead
      const claims = yield* claim
      expect(claims).toHaveLength(2)
      yield* settle(claims)
      yield* queue.nextDue(someTime)
      expect((yield* rowsRead) - before).toBeLessThan(20 * many)
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)
