/** What a claim asks of the server. */
import { expect, it } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newShop, someTime } from "../../conformance/storage/Fixtures.ts"
import { addEndpoint, advance, happen, makeAttempt, request, settlement } from "../../conformance/storage/Webhooks.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { rowsRead } from "../../conformance/worlds/ServerCounters.ts"
import { type Claim, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { layer } from "./index.ts"

/** Runs with a database of its own over one connection: the server keeps plans for each. */
const onOneConnection = <A, E>(test: Effect.Effect<A, E, Layer.Success<ReturnType<typeof layer>>>) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    return yield* Effect.provide(test, layer({ url: Redacted.make(url), maxConnections: 1 }))
  }).pipe(Effect.scoped)

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
  onOneConnection(
    Effect.gen(function* () {
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
    }),
  ),
)

it.live("plans that were made for a few deliveries MUST read little more than all, once there are many (D45)", () =>
  onOneConnection(
    Effect.gen(function* () {
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
      const before = yield* rowsRead("deliveries")
      const claims = yield* claim
      expect(claims).toHaveLength(2)
      yield* settle(claims)
      yield* queue.nextDue(someTime)
      expect((yield* rowsRead("deliveries")) - before).toBeLessThan(20 * many)
    }),
  ),
)

/** Endpoints of other shops, as many as make the server look for an endpoint by its key. */
const otherEndpoints = `INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret, proven)
SELECT 'other' || i, 'whe_' || i, 'https://example.com/', '', '{design.ordered}', 'active', 0, now(), '', true FROM generate_series(1, 3000) i`

it.live(
  "a plan that was made while there were no deliveries MUST move those whose time has come in small parts, so that a claim never breaks off before the end (D45)",
  () =>
    onOneConnection(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueue
        const shop = yield* newShop
        yield* addEndpoint(shop)
        yield* sql.unsafe(otherEndpoints)
        yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
        yield* sql`VACUUM ANALYZE designwire.deliveries, designwire.endpoints`
        const claimWaiting = Effect.fnUntraced(function* (deliveries: number) {
          yield* happen(shop, Array(deliveries).fill(0))
          yield* sql`UPDATE designwire.deliveries SET queue = 'waiting'`
          yield* queue.claim(request({ now: someTime, limit: 1 }))
          const [row] = yield* sql<{
            left: number
          }>`SELECT count(*)::int4 AS left FROM designwire.deliveries WHERE queue = 'waiting'`
          yield* sql`DELETE FROM designwire.deliveries`
          return row?.left
        })
        // The server keeps a plan after it has made some.
        for (const _ of Array.from({ length: 8 })) expect(yield* claimWaiting(0)).toBe(0)
        expect(yield* claimWaiting(1_000)).toBe(1_000 - 256)
      }),
    ),
)

it.live("a claim MUST read none of the deliveries that wait for a later time, however many they are (D45)", () =>
  onOneConnection(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const shop = yield* newShop
      yield* addEndpoint(shop)
      yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
      yield* happen(shop, Array(2_000).fill(0))
      yield* sql`UPDATE designwire.deliveries SET queue = 'waiting', next_attempt_at = next_attempt_at + interval '1 day'`
      yield* sql`VACUUM ANALYZE designwire.deliveries`
      const claim = queue.claim(request({ now: someTime }))
      // The server keeps a plan after it has made some.
      for (const _ of Array.from({ length: 8 })) expect(yield* claim).toEqual([])
      const before = yield* rowsRead("deliveries")
      yield* claim
      expect((yield* rowsRead("deliveries")) - before).toBeLessThan(20)
    }),
  ),
)

it.live(
  "the server MUST keep the plans of a claim and of when the next is due, whatever becomes of the tables (D45)",
  () =>
    onOneConnection(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueue
        const shop = yield* newShop
        yield* addEndpoint(shop)
        const happening = (deliveries: number) => happen(shop, Array(deliveries).fill(0))
        const calls = Effect.gen(function* () {
          for (const _ of Array.from({ length: 8 })) {
            yield* Effect.flatMap(queue.claim(request({ now: someTime, limit: 2 })), queue.release)
            yield* queue.nextDue(someTime)
          }
        })
        yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
        yield* happening(2_000)
        yield* sql`UPDATE designwire.deliveries SET queue = NULL`
        yield* sql`VACUUM ANALYZE designwire.deliveries`
        yield* calls
        // The plan that is kept now seems to cost more than the first ones, which were made while nothing was due.
        yield* happening(2_000)
        yield* sql`ANALYZE designwire.deliveries`
        yield* calls
        expect(
          yield* sql`SELECT custom_plans::int4 AS anew, generic_plans::int4 AS kept FROM pg_prepared_statements WHERE statement LIKE 'WITH %due_shops%'`,
        ).toEqual([
          { anew: 5, kept: 11 },
          { anew: 5, kept: 11 },
        ])
      }),
    ),
)
