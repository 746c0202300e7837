import { Console, Effect, Redacted } from "effect"
import { bucketSchema } from "../../../adapters/buckets/index.ts"
import { configError } from "../ReadConfig.ts"
import { opened } from "./OpenBuckets.ts"

/** The poolers whose configuration can be printed. */
export interface PoolerConfigOptions {
  readonly pgdog: boolean
  readonly pgbouncer: boolean
}

/** `designwire bucket config`: the places of databases or buckets, in a pooler's own words, without passwords. */
export const printConfig = Effect.fn("bucket.config")(function* ({ pgbouncer, pgdog }: PoolerConfigOptions) {
  if (pgdog === pgbouncer) return yield* configError("Say for which pooler: --pgdog or --pgbouncer")
  const { buckets, deployment, urls } = yield* opened
  const servers = Object.entries(urls).map(([name, url]) => {
    const { hostname, pathname, port } = new URL(Redacted.value(url))
    return { name, host: hostname, port: port === "" ? "5432" : port, database: decodeURIComponent(pathname.slice(1)) }
  })
  if (pgbouncer) {
    yield* Console.log("[databases]")
    for (const { database, host, name, port } of servers) {
      yield* Console.log(`${name} = host=${host} port=${port} dbname=${database}`)
    }
    return
  }
  for (const [shard, { database, host, port }] of servers.entries()) {
    const place = `host = "${host}"\nport = ${port}\ndatabase_name = "${database}"`
    yield* Console.log(`[[databases]]\nname = "designwire"\n${place}\nshard = ${shard}\n`)
  }
  const shardOf = new Map(servers.map(({ name }, shard) => [name, shard]))
  for (const { database, number } of buckets) {
    const schema = bucketSchema(deployment.schema, number, buckets.length)
    yield* Console.log(
      `[[sharded_schemas]]\ndatabase = "designwire"\nname = "${schema}"\nshard = ${shardOf.get(database)}\n`,
    )
  }
  // The directory, and statements that name no schema.
  yield* Console.log('[[sharded_schemas]]\ndatabase = "designwire"\nshard = 0')
}, Effect.scoped)
