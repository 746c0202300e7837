import type postgres from "postgres"
import { countsOf } from "../../../adapters/sql/resources/OrderCounts.ts"
import type { StagedShop } from "../deliver/Events.ts"
import { sample } from "../support/Sample.ts"
import { schema } from "./Deployment.ts"

/** Deliveries that the log of an endpoint keeps: of older ones, the store remembers that they have succeeded. */
const logged = 50

/**
 * Fills the bucket with the last days of some shops: for each four rows a design, its order, its event, and that the
 * endpoint has received it. Nothing is left to deliver or to clear. Returns the number of rows.
 */
export const fill = async (sql: postgres.Sql, shops: ReadonlyArray<StagedShop>, rows: number): Promise<number> => {
  const each = Math.floor(rows / 4 / shops.length)
  await sql.begin(async (within) => {
    await within.unsafe(`SET LOCAL search_path = ${schema}`)
    for (const { endpoints, shop } of shops) {
      const { designs, orders } = sample(shop, { designs: 2, orders: 1 })
      const [design, order] = [designs[0]?.wire ?? "", orders[0]?.head ?? ""]
      const body = `{"id":"evt_","event":"design.ordered","shop":"${shop.domain}","data":{"design":${design}},"test":false}`
      await within`CREATE TEMPORARY TABLE numbers ON COMMIT DROP AS
        SELECT lpad(i::text, 22, '0') AS number, now() - i * (interval '3 days' / ${each}::int) AS at
        FROM generate_series(1, ${each}::int) i`
      await within`INSERT INTO designs (shop, id, status, order_id, position, created_at, wire, etag, revision)
        SELECT ${shop.id}, 'dsn_' || number, 'ordered', '7' || number, 0, at, ${design}::text, left(md5(number), 22), 2
        FROM numbers`
      await within`INSERT INTO orders (shop, id, ordered_at, head, etag, revision)
        SELECT ${shop.id}, '7' || number, at, ${order}::text, left(md5(number), 22), 1 FROM numbers`
      await within`INSERT INTO events (shop, id, event, test, created_at, body)
        SELECT ${shop.id}, 'evt_' || number, 'design.ordered', false, at, ${body}::text FROM numbers`
      await within`INSERT INTO deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, attempts,
          attempt_log)
        SELECT ${shop.id}, 'dlv_' || number || ${(endpoints[0] ?? "").slice(4)}::text, ${endpoints[0] ?? ""},
          'evt_' || number, 'design.ordered', false, 'succeeded', at, 1,
          jsonb_build_array(jsonb_build_object('at', floor(extract(epoch FROM at) * 1000), 'durationMs', 120,
            'statusCode', 200))
        FROM numbers WHERE number::int <= ${logged}`
      await within`INSERT INTO received (shop, event_id, endpoint_id)
        SELECT ${shop.id}, 'evt_' || number, ${endpoints[0] ?? ""} FROM numbers WHERE number::int > ${logged}`
      await within`DROP TABLE numbers`
    }
    await within.unsafe(`INSERT INTO order_counts (shop, unit, since, orders) ${countsOf("orders")}`)
  })
  await sql`VACUUM ANALYZE`
  await sql`CHECKPOINT`
  return 4 * each * shops.length
}
