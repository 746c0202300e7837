import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { request } from "../../conformance/storage/Webhooks.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layerClient, layerStores, migrate, migrations } from "./index.ts"

const noon = Date.parse("2026-11-20T12:00:00Z")

/** Brings a database to where version 0.1.0 left it, with an endpoint and what it waits for. */
const firstVersion = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`CREATE SCHEMA designwire`
  yield* sql`CREATE TABLE designwire.migrations (migration_id integer PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL)`
  for (const name of ["1_resources", "2_webhooks"]) {
    for (const statement of migrations[name] ?? []) yield* sql.unsafe(statement)
    const [id, title] = name.split("_")
    yield* sql`INSERT INTO designwire.migrations (migration_id, name) VALUES (${Number(id)}, ${title})`
  }
  yield* sql`INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base) VALUES ('s', 'a.example.com', 'EUR', 'pro', 1, '')`
  yield* sql`INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret)
SELECT 's', id, 'https://example.com/', '', '{design.ordered}', status, 0, now(), ''
FROM (VALUES ('whe_on', 'active'), ('whe_off', 'switched_off')) v (id, status)`
  yield* sql`INSERT INTO designwire.events (shop, id, event, test, created_at, body) VALUES ('s', 'evt_1', 'design.ordered', false, now() - interval '1 hour', '{}')`
  yield* sql`INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, available_at, attempts)
SELECT 's', id, endpoint, 'evt_1', 'design.ordered', false, status, now() - interval '1 hour', at, CASE WHEN endpoint = 'whe_on' THEN at END, 1
FROM (VALUES
  ('dlv_due', 'whe_on', 'pending', now() - interval '1 minute'), ('dlv_waiting', 'whe_on', 'pending', now() + interval '1 hour'),
  ('dlv_done', 'whe_on', 'succeeded', NULL), ('dlv_held', 'whe_off', 'pending', now() - interval '1 minute')
) v (id, endpoint, status, at)`
  yield* sql`INSERT INTO designwire.attempts (shop, delivery_id, number, at, status_code, duration_ms, response_start, error) VALUES
  ('s', 'dlv_done', 2, '2026-11-20T12:00:05.250Z', 200, 42, 'thanks', NULL), ('s', 'dlv_done', 1, '2026-11-20T12:00:00Z', NULL, 5000, NULL, 'timeout')`
  yield* sql`INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision) VALUES ('s', '1', now(), '{', 'tag', 1)`
  yield* sql`INSERT INTO designwire.order_counts (shop, day, orders) VALUES ('s', '-infinity', 1), ('s', (now() AT TIME ZONE 'UTC')::date, 1)`
})

it.live(
  "MUST keep what waits in a database of version 0.1.0, each when it is due, what is held and counted, and the log of attempts",
  () =>
    Effect.gen(function* () {
      const client = layerClient({ url: Redacted.make(yield* freshDatabase) })
      yield* Effect.gen(function* () {
        yield* firstVersion
        expect(yield* migrate).toEqual(Object.keys(migrations).slice(2))
        yield* Effect.gen(function* () {
          const queue = yield* DeliveryQueue
          const orders = yield* OrderStore
          const now = Date.now()
          const hour = 3_600_000
          const { total } = yield* orders.readOrders({
            shop: "s",
            limit: 1,
            bytes: 1_000,
            after: null,
            orderedAfter: null,
          })
          expect(total).toBe(1)
          for (const [orderedAfter, count] of [
            [now - 2 * hour, 1],
            [now + 2 * hour, 0],
          ] as const) {
            const page = yield* orders.readOrders({ shop: "s", limit: 1, bytes: 1_000, after: null, orderedAfter })
            expect(page.total).toBe(count)
          }
          expect(yield* (yield* Upkeep).statistics(now)).toMatchObject({ pending: 3, endpointsSwitchedOff: 1 })
          for (const endpoint of ["whe_on", "whe_off"]) {
            expect(yield* (yield* DeliveryLog).missed("s", endpoint, 0)).toBe(0)
          }
          const logged = yield* (yield* DeliveryLog).list("s", "whe_on", 10)
          expect(Object.fromEntries(logged.map(({ attempts, id }) => [id, attempts]))).toEqual({
            dlv_due: [],
            dlv_waiting: [],
            dlv_done: [
              { number: 1, at: noon, statusCode: null, durationMs: 5_000, responseStart: null, error: "timeout" },
              { number: 2, at: noon + 5_250, statusCode: 200, durationMs: 42, responseStart: "thanks", error: null },
            ],
          })
          const claimedAt = (at: number) =>
            Effect.map(queue.claim(request({ now: at, leaseUntil: now + 9 * hour })), (claims) =>
              claims.map(({ deliveryId }) => deliveryId),
            )
          expect(yield* claimedAt(now)).toEqual(["dlv_due"])
          expect(Option.getOrThrow(yield* queue.nextDue(now))).toBeGreaterThan(now + hour / 2)
          expect(yield* claimedAt(now + 2 * hour)).toEqual(["dlv_waiting"])
        }).pipe(Effect.provide(layerStores()))
      }).pipe(Effect.provide(Layer.fresh(client)))
    }).pipe(Effect.scoped),
)
