import { Console, Effect } from "effect"
import { bucketSchema } from "../../../adapters/buckets/index.ts"
import { opened, sizeOf } from "./OpenBuckets.ts"

/** `designwire bucket list`: a line for each bucket. */
export const listBuckets = Effect.fn("bucket.list")(function* () {
  const { buckets, deployment, nameOf } = yield* opened
  const sizes = new Map<string, number>()
  for (const sql of Object.values(deployment.databases)) {
    const rows = yield* sql<{ schema: string; bytes: number }>`SELECT n.nspname::text AS schema,
  coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
WHERE starts_with(n.nspname, ${deployment.schema}) GROUP BY 1`
    for (const { bytes, schema } of rows) sizes.set(schema, Math.max(bytes, sizes.get(schema) ?? 0))
  }
  for (const { database, epoch, number } of buckets) {
    const size = sizeOf(sizes.get(bucketSchema(deployment.schema, number, buckets.length)) ?? 0)
    yield* Console.log(`${nameOf(number)}  ${database}  ${size}  moved ${epoch === 1 ? "once" : `${epoch} times`}`)
  }
}, Effect.scoped)
