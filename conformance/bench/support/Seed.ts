/** Fills the adapter's tables in bulk, with the same result as its statements. */
import type postgres from "postgres"
import { countsOf } from "../../../adapters/sql/orders/OrderCounts.ts"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { OrderRecord } from "../../../core/model/orders/Order.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { chunks } from "./Chunks.ts"
import { makeToken } from "./Sample.ts"

/** A shop of the benchmark. */
export const shopOf = (id: string): Shop => ({
  id,
  domain: `${id}.example.com`,
  currency: "EUR",
  plan: "plus",
  roundingStep: 1,
  imageBase: `https://assets.example.com/${id}`,
})

/** Stores a shop with `tokens` API tokens, and returns the tokens. */
export const seedShop = async (sql: postgres.Sql, shop: Shop, tokens: number): Promise<ReadonlyArray<string>> => {
  await sql`INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base)
    VALUES (${shop.id}, ${shop.domain}, ${shop.currency}, ${shop.plan}, ${shop.roundingStep}, ${shop.imageBase})`
  const made = Array.from({ length: tokens }, makeToken)
  await sql`INSERT INTO designwire.tokens (shop, id, name, hint, digest, created_at)
    SELECT ${shop.id}, 'tok_' || left(t.digest, 22), 'Benchmark', t.hint, t.digest, now()
    FROM unnest(${made.map(({ token }) => token.slice(-4))}::text[], ${made.map(({ digest }) => digest)}::text[]) AS t (hint, digest)`
  return made.map(({ token }) => token)
}

/** Stores designs. */
export const seedDesigns = async (sql: postgres.Sql, designs: ReadonlyArray<DesignRecord>): Promise<void> => {
  for (const rows of chunks(designs, 5_000)) {
    await sql`INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision)
      SELECT r.shop, r.id, r.status, nullif(r.order_id, ''), r.position, r.created_at, r.wire, r.etag, r.revision
      FROM unnest(${rows.map((row) => row.shop)}::text[], ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.status)}::text[],
        ${rows.map((row) => row.orderId ?? "")}::text[], ${rows.map((row) => row.position)}::int[],
        ${rows.map((row) => format(row.createdAt))}::text[]::timestamptz[], ${rows.map((row) => row.wire)}::text[],
        ${rows.map((row) => row.etag)}::text[], ${rows.map((row) => row.revision)}::int[])
        AS r (shop, id, status, order_id, position, created_at, wire, etag, revision)`
  }
}

/** Stores orders. */
export const seedOrders = async (sql: postgres.Sql, orders: ReadonlyArray<OrderRecord>): Promise<void> => {
  for (const rows of chunks(orders, 5_000)) {
    await sql`INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision)
      SELECT r.shop, r.id, r.ordered_at, r.head, r.etag, r.revision
      FROM unnest(${rows.map((row) => row.shop)}::text[], ${rows.map((row) => row.id)}::text[],
        ${rows.map((row) => format(row.orderedAt))}::text[]::timestamptz[], ${rows.map((row) => row.head)}::text[],
        ${rows.map((row) => row.etag)}::text[], ${rows.map((row) => row.revision)}::int[])
        AS r (shop, id, ordered_at, head, etag, revision)`
  }
}

/** Orders of one small design each, evenly spread over some time, generated in the database. */
export const seedManyOrders = async (
  sql: postgres.Sql,
  shop: Shop,
  orders: { readonly count: number; readonly first: Instant; readonly span: number },
): Promise<void> => {
  const numbered = (prefix: string) => `${prefix}@number@`
  const at = "@at@"
  const order = { id: numbered("55"), name: numbered("#"), lineItemId: numbered("14") }
  const design = JSON.stringify({
    id: numbered("dsn_"),
    status: "ordered",
    customizer: { id: 101, title: "Mug", version: 1 },
    order,
    selection: { color: "red" },
    summary: [{ key: "Color", value: "Red" }],
    productionData: [{ key: "COLOR", value: "R01", ref: { questionId: "color", answerId: "red" } }],
    price: { base: 1_490, lines: [], rounding: 0, total: 1_490, currency: shop.currency },
    images: { front: `https://assets.example.com/designs/${numbered("dsn_")}/front.png` },
    thumbnail: `https://assets.example.com/designs/${numbered("dsn_")}/front_thumb.png`,
    createdAt: at,
    orderedAt: at,
  })
  const head = `{"id":"${order.id}","name":"${order.name}","status":"ordered","currency":"${shop.currency}","total":1490,"orderedAt":"${at}","designs":[`
  const step = orders.span / orders.count
  await sql`CREATE TEMPORARY TABLE numbers AS
    SELECT lpad(i::text, 9, '0') AS number, n.at, to_char(n.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS text
    FROM generate_series(0, ${orders.count}::int - 1) i
    CROSS JOIN LATERAL (SELECT (${format(orders.first)}::text::timestamptz + i * ${step}::float8 * interval '1 millisecond')::timestamptz(3) AS at) n`
  await sql`INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision)
    SELECT ${shop.id}, 'dsn_' || number, 'ordered', '55' || number, 0, at, w.wire, left(md5(w.wire), 22), 2
    FROM numbers CROSS JOIN LATERAL (SELECT replace(replace(${design}, '@number@', number), '@at@', text) AS wire) w`
  await sql`INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision)
    SELECT ${shop.id}, '55' || number, at, w.head, left(md5(w.head), 22), 1
    FROM numbers CROSS JOIN LATERAL (SELECT replace(replace(${head}, '@number@', number), '@at@', text) AS head) w`
  await sql`DROP TABLE numbers`
}

/** Counts the orders, once all of them are stored. */
export const countOrders = async (sql: postgres.Sql): Promise<void> => {
  await sql.unsafe(`INSERT INTO designwire.order_counts (shop, unit, since, orders) ${countsOf("designwire.orders")}`)
}

/** Runs the maintenance that a database does in quiet hours. */
export const tidy = async (sql: postgres.Sql): Promise<void> => {
  await sql`VACUUM ANALYZE`
  await sql`CHECKPOINT`
}
