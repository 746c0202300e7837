/** What poolers must know about buckets, in their own words. Without passwords: poolers have files for those. */
import { Redacted } from "effect"
import { type Bucket, bucketSchema } from "../../../adapters/buckets/index.ts"

/** A pooler that has a map. */
export type PoolerKind = "pgbouncer" | "pgdog"

/** The parts of a map. */
export interface Places {
  /** The schema of the deployment. */
  readonly schema: string
  readonly buckets: ReadonlyArray<Bucket>
  /** The addresses of the databases by name. */
  readonly urls: Readonly<Record<string, Redacted.Redacted<string>>>
}

interface Server {
  readonly name: string
  readonly host: string
  readonly port: string
  readonly database: string
}

/** The map of a pooler. */
export const poolerMap = (kind: PoolerKind, { buckets, schema, urls }: Places): string => {
  const servers = Object.entries(urls).map(([name, url]): Server => {
    const { hostname, pathname, port } = new URL(Redacted.value(url))
    return { name, host: hostname, port: port === "" ? "5432" : port, database: decodeURIComponent(pathname.slice(1)) }
  })
  return kind === "pgbouncer" ? forPgBouncer(servers) : forPgDog(servers, schema, buckets)
}

/** Each database by its name. */
const forPgBouncer = (servers: ReadonlyArray<Server>): string =>
  [
    "[databases]",
    ...servers.map(({ database, host, name, port }) => `${name} = host=${host} port=${port} dbname=${database}`),
  ].join("\n")

/** The shard of each bucket's schema. */
const forPgDog = (servers: ReadonlyArray<Server>, schema: string, buckets: ReadonlyArray<Bucket>): string => {
  const shardOf = new Map(servers.map(({ name }, shard) => [name, shard]))
  return [
    ...servers.map(
      ({ database, host, port }, shard) =>
        `[[databases]]\nname = "designwire"\nhost = "${host}"\nport = ${port}\ndatabase_name = "${database}"\n` +
        `shard = ${shard}\n`,
    ),
    ...buckets.map(
      ({ database, number }) =>
        `[[sharded_schemas]]\ndatabase = "designwire"\nname = "${bucketSchema(schema, number, buckets.length)}"\n` +
        `shard = ${shardOf.get(database)}\n`,
    ),
    // The directory, and statements that name no schema.
    '[[sharded_schemas]]\ndatabase = "designwire"\nshard = 0',
  ].join("\n")
}
