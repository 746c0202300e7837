/** Four small servers, a deployment with buckets over all of them, and one with one schema in the first. */
import { readFile } from "node:fs/promises"
import { Effect, Redacted } from "effect"
import type postgres from "postgres"
import { layerClient, migrate } from "../../../adapters/postgres/index.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { connect, startServer } from "../support/Postgres.ts"
import { postgresUsage } from "../support/PostgresUsage.ts"
import { bucketEnvironment, type Environment, plainEnvironment } from "./Environment.ts"

/** A server's database. */
export interface Database {
  readonly url: string
  readonly sql: postgres.Sql
}

/** A deployment, as its processes are configured. */
export interface Deployment {
  readonly name: "buckets" | "one schema"
  readonly environment: Environment
}

/** The servers and deployments. */
export interface Stage {
  /** How many buckets there are. */
  readonly buckets: number
  /** The databases of the buckets, each on a server of its own. */
  readonly servers: ReadonlyArray<Database>
  /** The first of them, which has the directory. */
  readonly first: Database
  /** The database with one schema, on the first server. */
  readonly one: Database
  readonly deployments: readonly [Deployment, Deployment]
  readonly cleanup: Cleanup
}

const names = ["first", "second", "third", "fourth"]

/** A small server. */
const settings = ["shared_buffers=64MB", "max_connections=60"]

const createDatabase = async (server: string, name: string, cleanup: Cleanup): Promise<Database> => {
  const onServer = connect(server)
  await onServer.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`)
  await onServer.end()
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` })
  const sql = connect(url)
  cleanup.add(() => sql.end())
  return { url, sql }
}

/** Starts the servers. The buckets are not migrated yet. */
export const startStage = async (buckets: number, cleanup: Cleanup): Promise<Stage> => {
  const urls: Array<string> = []
  for (const _ of names) urls.push((await startServer(cleanup, settings)).url)
  const servers: Array<Database> = []
  for (const url of urls) servers.push(await createDatabase(url, "shops", cleanup))
  const one = await createDatabase(urls[0] ?? "", "one", cleanup)
  await Effect.runPromise(Effect.provide(migrate, layerClient({ url: Redacted.make(one.url), maxConnections: 1 })))
  const databases = Object.fromEntries(servers.map(({ url }, index) => [names[index] ?? "", url]))
  return {
    buckets,
    servers,
    first: servers[0] as Database,
    one,
    deployments: [
      { name: "buckets", environment: bucketEnvironment(databases, buckets) },
      { name: "one schema", environment: plainEnvironment(one.url) },
    ],
    cleanup,
  }
}

/** Milliseconds of processor time of all servers so far. */
export const serversUsage = async ({ servers }: Stage): Promise<number> => {
  const used = await Promise.all(servers.map(({ sql }) => postgresUsage(sql)))
  return used.reduce((sum, each) => sum + each, 0)
}

/** MiB of memory that the server's processes for hosts and workers of a database have for themselves. */
export const backendMemory = async ({ sql }: Database): Promise<number> => {
  const processes = await sql<Array<{ pid: number }>>`SELECT pid FROM pg_stat_activity
WHERE application_name = 'designwire' AND datname = current_database()`
  const sizes = await Promise.all(
    processes.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "")
      return [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce((sum, [, size]) => sum + Number(size), 0) / 1_024
    }),
  )
  return sizes.reduce((sum, each) => sum + each, 0)
}

/** The connections of hosts and workers to each server. */
export const connections = ({ servers }: Stage): Promise<ReadonlyArray<number>> =>
  Promise.all(
    servers.map(async ({ sql }) => {
      const [row] = await sql<[{ count: number }]>`SELECT count(*)::int4 AS count FROM pg_stat_activity
WHERE application_name = 'designwire' AND datname = current_database()`
      return row.count
    }),
  )
