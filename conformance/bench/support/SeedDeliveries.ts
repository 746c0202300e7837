/** Fills a shop with deliveries in bulk. */
import type postgres from "postgres"
import type { Instant } from "../../../core/model/Instant.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { seedManyOrders, seedShop, tidy } from "./Seed.ts"

/**
 * Stores a shop with deliveries, one every 2.5 seconds, and a fifth as many orders.
 *
 * Five endpoints; one delivery in 200 failed, one event in 10,000 was cancelled, one in 50,000 a test, the last 1 % are
 * pending, half of them suspended.
 */
export const seedDeliveries = async (
  sql: postgres.Sql,
  shop: Shop,
  { count, first }: { readonly count: number; readonly first: Instant },
): Promise<void> => {
  await seedShop(sql, shop, 1)
  await sql`INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret)
    SELECT ${shop.id}, 'whe_' || i, 'https://erp.example.com/' || i, '', '{design.ordered}', 'active', 0, now(), 'sealed'
    FROM generate_series(0, 4) i`
  await sql`CREATE TEMPORARY TABLE n AS SELECT i, lpad(i::text, 12, '0') AS id, to_timestamp(${first / 1000} + i * 2.5) AS at,
    CASE WHEN i % 10000 = 7 THEN 'order.cancelled' ELSE 'design.ordered' END AS event, i % 50000 = 9 AS test
    FROM generate_series(0, ${count}::int - 1) i`
  await sql`INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, body)
    SELECT ${shop.id}, 'evt_' || id, event, test, at, (i / 3)::text, 'design-' || i, '{"data":{},"pad":"' || repeat('x', 600) || '"}' FROM n`
  await sql`INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts, attempt_log)
    SELECT ${shop.id}, 'dlv_' || id || (i % 5), 'whe_' || (i % 5), 'evt_' || id, event, test,
      CASE WHEN i >= ${count}::int * 0.99 THEN 'pending' WHEN i % 200 = 11 THEN 'failed' ELSE 'succeeded' END, at,
      CASE WHEN i >= ${count}::int * 0.99 THEN at END,
      CASE WHEN i >= ${count}::int * 0.99 THEN CASE WHEN i % 2 = 0 THEN 'due' ELSE 'suspended' END END, 1,
      '[{"at":1,"error":null,"number":1,"durationMs":50,"statusCode":200,"responseStart":"ok"}]'
    FROM n`
  await sql`DROP TABLE n`
  await seedManyOrders(sql, shop, { count: Math.ceil(count / 5), first, span: count * 2_500 })
  await tidy(sql)
}
