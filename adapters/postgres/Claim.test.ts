/** The cost of a claim on the server. */
import { expect, it } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import {
  advance,
  createEndpoint,
  happen,
  makeAttempt,
  request,
  settlement,
} from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { rowsRead } from "../../conformance/testkit/databases/ServerCounters.ts"
import { type Claim, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { layer } from "./index.ts"

/** Runs on a new database over one connection: the server keeps plans for each connection. */
const onOneConnection = <A, E>(test: Effect.Effect<A, E, Layer.Success<ReturnType<typeof layer>>>) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    return yield* Effect.provide(test, layer({ url: Redacted.make(url), maxConnections: 1 }))
  }).pipe(Effect.scoped)

/** Records, for every claimed delivery, whether the transaction will wait for the disk. */
const noteCommits = [
  "CREATE TABLE commits (waits text)",
  `CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO commits (waits) VALUES (current_setting('synchronous_commit'));
  RETURN NULL;
END $$`,
  "CREATE TRIGGER note_commit AFTER UPDATE ON designwire.deliveries FOR EACH ROW EXECUTE FUNCTION note_commit()",
]

/** A step of a walk. */
const step = { now: someTime, after: null, limit: 10 }

it.live("a claim alone MUST NOT wait for the disk; as part of an outer transaction it MUST", () =>
  onOneConnection(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = inTurn(yield* DeliveryQueue)
      const shop = yield* newShop
      yield* createEndpoint(shop)
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

it.live("plans made for a few deliveries MUST read each delivery only a few times once there are many (D45)", () =>
  onOneConnection(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = inTurn(yield* DeliveryQueue)
      const shop = yield* newShop
      yield* createEndpoint(shop)
      yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
      yield* sql`VACUUM ANALYZE designwire.deliveries`
      const happening = (deliveries: number) => happen(shop, Array(deliveries).fill(0))
      const claim = queue.claim(request({ now: someTime, limit: 2 }))
      const settle = (claims: ReadonlyArray<Claim>) =>
        queue.settle(
          claims.map((claim) => settlement(claim, makeAttempt(claim, someTime, { statusCode: 200 }))),
          advance,
        )
      // The server keeps a generic plan only after it has made some custom plans.
      const plans = Array.from({ length: 8 })
      yield* happening(1)
      for (const _ of plans) yield* Effect.flatMap(claim, queue.release)
      for (const _ of plans) yield* queue.walk(step)
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
      yield* queue.walk(step)
      expect((yield* rowsRead("deliveries")) - before).toBeLessThan(20 * many)
    }),
  ),
)

/** Endpoints of other shops, enough for the server to look up an endpoint by its key. */
const otherEndpoints = `INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret, proven)
SELECT 'other' || i, 'whe_' || i, 'https://example.com/', '', '{design.ordered}', 'active', 0, now(), '', true FROM generate_series(1, 3000) i`

it.live(
  "a plan made without deliveries MUST move newly due ones in small parts, so that a walk always completes (D45)",
  () =>
    onOneConnection(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = inTurn(yield* DeliveryQueue)
        const shop = yield* newShop
        yield* createEndpoint(shop)
        yield* sql.unsafe(otherEndpoints)
        yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
        yield* sql`VACUUM ANALYZE designwire.deliveries, designwire.endpoints`
        const claimWaiting = Effect.fnUntraced(function* (deliveries: number) {
          yield* happen(shop, Array(deliveries).fill(0))
          yield* sql`UPDATE designwire.deliveries SET queue = 'scheduled'`
          yield* queue.walk(step)
          const [row] = yield* sql<{
            left: number
          }>`SELECT count(*)::int4 AS left FROM designwire.deliveries WHERE queue = 'scheduled'`
          yield* sql`DELETE FROM designwire.deliveries`
          return row?.left
        })
        // The server keeps a generic plan only after it has made some custom plans.
        for (const _ of Array.from({ length: 8 })) expect(yield* claimWaiting(0)).toBe(0)
        expect(yield* claimWaiting(1_000)).toBe(1_000 - 256)
      }),
    ),
)

it.live("a claim MUST read none of the deliveries scheduled for later, however many there are (D45)", () =>
  onOneConnection(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = inTurn(yield* DeliveryQueue)
      const shop = yield* newShop
      yield* createEndpoint(shop)
      yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
      yield* happen(shop, Array(2_000).fill(0))
      yield* sql`UPDATE designwire.deliveries SET queue = 'scheduled', next_attempt_at = next_attempt_at + interval '1 day'`
      yield* sql`VACUUM ANALYZE designwire.deliveries`
      const claim = queue.claim(request({ now: someTime }))
      // The server keeps a generic plan only after it has made some custom plans.
      for (const _ of Array.from({ length: 8 })) expect(yield* claim).toEqual([])
      const before = yield* rowsRead("deliveries")
      yield* claim
      expect((yield* rowsRead("deliveries")) - before).toBeLessThan(20)
    }),
  ),
)

it.live("the server MUST keep its plans for claims and walks, however the tables change (D45)", () =>
  onOneConnection(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const shop = yield* newShop
      yield* createEndpoint(shop)
      const shops = { newcomer: [], troubled: [], proven: [shop] }
      const happening = (deliveries: number) => happen(shop, Array(deliveries).fill(0))
      const calls = Effect.gen(function* () {
        for (const _ of Array.from({ length: 8 })) {
          yield* Effect.flatMap(queue.claim({ ...request({ now: someTime, limit: 2 }), shops }), queue.release)
          yield* queue.walk(step)
        }
      })
      yield* sql`ALTER TABLE designwire.deliveries SET (autovacuum_enabled = off)`
      yield* happening(2_000)
      yield* sql`UPDATE designwire.deliveries SET queue = NULL`
      yield* sql`VACUUM ANALYZE designwire.deliveries`
      yield* calls
      // The generic plan now seems to cost more than the first custom plans, which were made with nothing due.
      yield* happening(2_000)
      yield* sql`ANALYZE designwire.deliveries`
      yield* calls
      expect(
        yield* sql`SELECT custom_plans::int4 AS custom, generic_plans::int4 AS generic
          FROM pg_prepared_statements WHERE statement LIKE 'WITH %due_shops%' OR statement LIKE '-- Claims%'`,
      ).toEqual([
        { custom: 5, generic: 11 },
        { custom: 5, generic: 11 },
      ])
    }),
  ),
)
