/** Fills schemas with the shops of the benchmark. */
import type postgres from "postgres"
import { bucketSchema, hashOf } from "../../../adapters/buckets/BucketMap.ts"
import { inSchema } from "../../../adapters/sql/index.ts"
import { chunks } from "../support/Chunks.ts"
import { makeToken } from "../support/Sample.ts"
import { tidy } from "../support/Seed.ts"
import type { Stage } from "./Stage.ts"

/** A shop of the benchmark, with one design, one endpoint and some due deliveries. */
export interface Shop {
  readonly id: string
  readonly design: string
  readonly token: string
  readonly digest: string
  readonly due: number
}

/** Shops with many due deliveries, and how many they have; others have one. */
export const [backlogs, backlog] = [1_000, 8]

/** The shops. The first of them have a {@link backlog}. */
export const makeShops = (count: number): ReadonlyArray<Shop> =>
  Array.from({ length: count }, (_, index) => ({
    id: `shop${index}`,
    design: `dsn_${index}`,
    ...makeToken(),
    due: index < backlogs ? backlog : 1,
  }))

/** The design of a shop, as it is stored and read. */
export const designOf = ({ design }: Shop): string => `{"id":"${design}","note":"${"x".repeat(600)}"}`

const statements = [
  `INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base)
SELECT s.id, s.id || '.example.com', 'EUR', 'plus', 1, '' FROM given s`,
  `INSERT INTO designwire.tokens (shop, id, name, hint, digest, created_at)
SELECT s.id, 'tok_' || left(s.digest, 22), 'Benchmark', left(s.digest, 4), s.digest, now() FROM given s`,
  `INSERT INTO designwire.designs (shop, id, status, position, created_at, wire, etag, revision)
SELECT s.id, s.design, 'draft', 0, now(), s.wire, left(md5(s.wire), 22), 1 FROM given s`,
  // Nothing listens at the discard port.
  `INSERT INTO designwire.endpoints
  (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret, proven)
SELECT s.id, 'whe_' || s.id, 'http://127.0.0.1:9/', '', '{design.ordered}', 'active', 0, now(), '', true FROM given s`,
  `INSERT INTO designwire.events (shop, id, event, test, created_at, body)
SELECT s.id, 'evt_' || s.id || '_' || n, 'design.ordered', false, now(), s.wire
FROM given s CROSS JOIN generate_series(1, s.due) n`,
  `INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts)
SELECT s.id, 'dlv_' || s.id || '_' || n || s.id, 'whe_' || s.id, 'evt_' || s.id || '_' || n, 'design.ordered', false,
  'pending', now(), now(), 'due', 0
FROM given s CROSS JOIN generate_series(1, s.due) n`,
]

const given = `WITH given AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) s (id, design, digest, wire, due)
)
`

/** Stores shops in a schema. */
const fillSchema = async (sql: postgres.Sql, schema: string, shops: ReadonlyArray<Shop>): Promise<void> => {
  const named = inSchema(schema)
  for (const some of chunks(shops, 5_000)) {
    const columns = [
      some.map(({ id }) => id),
      some.map(({ design }) => design),
      some.map(({ digest }) => digest),
      some.map(designOf),
      some.map(({ due }) => due),
    ]
    await sql.begin(async (transaction) => {
      for (const statement of statements) await transaction.unsafe(given + named(statement), columns)
    })
  }
}

/** Stores the shops in the bucket of each, with the directory of tokens, and all of them in the one schema. */
export const fill = async ({ buckets, first, one, servers }: Stage, shops: ReadonlyArray<Shop>): Promise<void> => {
  const inBucket = Map.groupBy(shops, ({ id }) => hashOf(id) % buckets)
  await Promise.all(
    servers.map(async ({ sql }, server) => {
      for (const [bucket, own] of inBucket) {
        if (bucket % servers.length === server) await fillSchema(sql, bucketSchema("designwire", bucket, buckets), own)
      }
    }),
  )
  for (const some of chunks(shops, 10_000)) {
    await first.sql`INSERT INTO designwire_directory.tokens (digest, shop)
SELECT * FROM unnest(${some.map(({ digest }) => digest)}::text[], ${some.map(({ id }) => id)}::text[])`
  }
  await fillSchema(one.sql, "designwire", shops)
  await Promise.all([...servers, one].map(({ sql }) => tidy(sql)))
}

/** Finishes the deliveries of all shops but this one. */
export const finishOthers = async ({ buckets, one, servers }: Stage, { id }: Shop): Promise<void> => {
  const finish = (sql: postgres.Sql, schema: string) =>
    sql.unsafe(
      inSchema(schema)(
        "UPDATE designwire.deliveries SET queue = NULL, status = 'succeeded', next_attempt_at = NULL WHERE shop <> $1",
      ),
      [id],
    )
  await Promise.all(
    servers.map(async ({ sql }, server) => {
      for (let bucket = server; bucket < buckets; bucket += servers.length) {
        await finish(sql, bucketSchema("designwire", bucket, buckets))
      }
    }),
  )
  await finish(one.sql, "designwire")
  await Promise.all([...servers, one].map(({ sql }) => tidy(sql)))
}
