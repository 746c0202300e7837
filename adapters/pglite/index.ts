/** All storage ports on an embedded Postgres in a directory: the same SQL as on a server, for one process. */

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { Effect, Layer, type Scope } from "effect"
import * as Sql from "../sql/index.ts"
import { reasonOf } from "../sql/statements/Reason.ts"
import { joinable } from "../sql/statements/Transaction.ts"
import { load, optionalPackages } from "../support/Packages.ts"
import { writeCluster } from "./Cluster.ts"
import { DataDirectoryError, lockDataDirectory } from "./DataDirectory.ts"

export { DataDirectoryError } from "./DataDirectory.ts"

const packages = Effect.promise(() =>
  load(
    async () => ({
      ...(await import("@effect/sql-pg")),
      ...(await import("@electric-sql/pglite")),
      ...(await import("@electric-sql/pglite-socket")),
    }),
    "designwire/pglite",
    optionalPackages.embedded,
  ),
)

/** The place of the embedded database. */
export interface PgliteOptions {
  /** The directory of its files, created if it does not exist. A second process that uses it is refused. */
  readonly directory: string
}

/** The length of a Unix socket's address, in bytes, that every system allows. */
const longestAddress = 103

/**
 * The socket is in the data directory, or in a temporary one if its address would be too long even relative to the
 * working directory.
 */
const socketPath = (directory: string): Effect.Effect<string, DataDirectoryError, Scope.Scope> => {
  const absolute = join(resolve(directory), "socket")
  const fits = [absolute, relative(process.cwd(), absolute)].find((path) => Buffer.byteLength(path) <= longestAddress)
  if (fits !== undefined) return Effect.succeed(fits)
  return Effect.acquireRelease(
    Effect.try({
      try: () => mkdtempSync(join(tmpdir(), "designwire-")),
      catch: (cause) =>
        new DataDirectoryError({ message: `No place for a socket in ${tmpdir()}: ${reasonOf(cause)}`, cause }),
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  ).pipe(Effect.map((path) => join(path, "socket")))
}

/** The files are in the system's cache already: a small cache of our own saves a host 120 MB. */
const settings = ["-c", "shared_buffers=8MB"]

/**
 * Opens the database's files. If the first start was killed while it created them, they are still empty: they are
 * created again.
 */
const openFiles = (directory: string, Database: typeof PGlite): Promise<PGlite> => {
  const files = join(directory, "pgdata")
  const unfinished = join(directory, "unfinished")
  if (existsSync(unfinished)) rmSync(files, { recursive: true, force: true })
  if (!existsSync(files)) {
    writeFileSync(unfinished, "")
    writeCluster(files)
  }
  rmSync(unfinished, { force: true })
  return Database.create(files, { startParams: [...Database.defaultStartParams, ...settings] })
}

/** Error numbers of its file system (WASI), and Node's words for them. */
const fileSystemErrors: Readonly<Record<number, string>> = {
  2: "EACCES: permission denied",
  29: "EIO: the disk fails",
  44: "ENOENT: a file is missing",
  51: "ENOSPC: the disk is full",
  54: "ENOTDIR: a file has the place of a directory",
  63: "EPERM: not permitted",
  69: "EROFS: the file system is read-only",
}

/** Why the database does not start: its file system throws objects that have only a number. */
const startReason = (cause: unknown): string => {
  const errno = typeof cause === "object" && cause !== null && "errno" in cause ? cause.errno : undefined
  return (typeof errno === "number" ? fileSystemErrors[errno] : undefined) ?? reasonOf(cause)
}

/** Runs the embedded database and returns the path of its socket. */
const database = Effect.fnUntraced(function* ({ directory }: PgliteOptions) {
  const { PGlite, PGLiteSocketServer } = yield* packages
  yield* lockDataDirectory(directory)
  const refused = (cause: unknown) =>
    new DataDirectoryError({
      message: `The embedded database in ${directory} does not start: ${startReason(cause)}`,
      cause,
    })
  const db = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => openFiles(directory, PGlite), catch: refused }),
    (db) => Effect.promise(() => db.close()),
  )
  const path = yield* socketPath(directory)
  yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        // A killed process may have left it; the lock shows that nobody uses it.
        rmSync(path, { force: true })
        const server = new PGLiteSocketServer({ db, path, maxConnections: 4 })
        await server.start()
        chmodSync(path, 0o600)
        return server
      },
      catch: refused,
    }),
    // `stop` never closes a connection that has just been accepted, and would wait for it forever: a host that is
    // stopped while it starts must still end. It closes the listening socket and all other connections at once.
    (server) => Effect.promise(() => server.stop()).pipe(Effect.timeoutOption("1 second")),
  )
  return path
})

/** Milliseconds that a transaction waits for the one connection, which all others use too: it is busy, not leaked. */
const connectionWait = 30_000

/** Only the connection. One is enough: the embedded database runs one statement at a time. */
export const layerClient = (options: PgliteOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const path = yield* database(options)
      const { PgClient } = yield* packages
      const client = PgClient.make({
        path,
        database: "postgres",
        username: "postgres",
        applicationName: "designwire",
        maxConnections: 1,
        multiplex: true,
      })
      return PgClient.layerFrom(Effect.map(client, (sql) => joinable(sql, { connectionWait })))
    }),
  )

/** Every storage port on the embedded database, which is migrated first, and its connection. */
export const layer = (options: PgliteOptions) =>
  Sql.layerSingleProcess.pipe(
    Layer.provide(Layer.succeed(Sql.PageConnections, 1)),
    Layer.provideMerge(Layer.effectDiscard(Sql.migrate)),
    Layer.provideMerge(layerClient(options)),
  )
