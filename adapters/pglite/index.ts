/** All storage ports on an embedded Postgres in a directory: the same SQL as on a server, for one process. */

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { Effect, Layer, type Scope } from "effect"
import * as Sql from "../sql/index.ts"
import { reasonOf } from "../sql/Reason.ts"
import { load } from "../support/Packages.ts"
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
    ["@effect/sql-pg", "@electric-sql/pglite", "@electric-sql/pglite-socket"],
  ),
)

/** Where the embedded database keeps its files. */
export interface PgliteOptions {
  /** Made if it is not there. A second process on it is refused. */
  readonly directory: string
}

/** What the address of a Unix socket may have, in bytes, where it may have the fewest. */
const longestAddress = 103

/** The socket is in the data directory, or where its address would be too long even from the working directory, in a directory of its own. */
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

/** Opens the database's files. If a first start was killed while it made them, they hold nothing yet and are made again. */
const openFiles = async (directory: string, create: typeof PGlite.create): Promise<PGlite> => {
  const files = join(directory, "pgdata")
  const unfinished = join(directory, "unfinished")
  if (existsSync(unfinished)) rmSync(files, { recursive: true, force: true })
  if (!existsSync(files)) writeFileSync(unfinished, "")
  const db = await create(files)
  rmSync(unfinished, { force: true })
  return db
}

/** The numbers under which its file system fails (WASI's), and what Node calls them. */
const fileSystemErrors: Readonly<Record<number, string>> = {
  2: "EACCES: permission denied",
  29: "EIO: the disk fails",
  44: "ENOENT: a file is missing",
  51: "ENOSPC: the disk is full",
  54: "ENOTDIR: a file is where a directory should be",
  63: "EPERM: not permitted",
  69: "EROFS: the file system is read-only",
}

/** Why it does not start: its file system throws objects with a number and nothing else. */
const startReason = (cause: unknown): string => {
  const errno = typeof cause === "object" && cause !== null && "errno" in cause ? cause.errno : undefined
  return (typeof errno === "number" ? fileSystemErrors[errno] : undefined) ?? reasonOf(cause)
}

/** Runs the embedded database and answers the path of its socket. */
const database = Effect.fnUntraced(function* ({ directory }: PgliteOptions) {
  const { PGlite, PGLiteSocketServer } = yield* packages
  yield* lockDataDirectory(directory)
  const refused = (cause: unknown) =>
    new DataDirectoryError({
      message: `The embedded database in ${directory} does not start: ${startReason(cause)}`,
      cause,
    })
  const db = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => openFiles(directory, PGlite.create), catch: refused }),
    (db) => Effect.promise(() => db.close()),
  )
  const path = yield* socketPath(directory)
  yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        // What a killed process left; the lock says that nobody uses it.
        rmSync(path, { force: true })
        const server = new PGLiteSocketServer({ db, path, maxConnections: 4 })
        await server.start()
        chmodSync(path, 0o600)
        return server
      },
      catch: refused,
    }),
    // It never closes a connection that has only just been accepted, and would wait for it for ever: a host that is told to stop
    // while it starts must still end. The listening socket and all other connections are closed at once.
    (server) => Effect.promise(() => server.stop()).pipe(Effect.timeoutOption("1 second")),
  )
  return path
})

/** The connection alone. One is enough: the embedded database does one thing at a time. */
export const layerClient = (options: PgliteOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const path = yield* database(options)
      const { PgClient } = yield* packages
      return PgClient.layer({
        path,
        database: "postgres",
        username: "postgres",
        applicationName: "designwire",
        maxConnections: 1,
        multiplex: true,
      })
    }),
  )

/** Every storage port on the embedded database, brought up to date, and its connection. */
export const layer = (options: PgliteOptions) =>
  Sql.layerSingleProcess.pipe(
    Layer.provideMerge(Layer.effectDiscard(Sql.migrate)),
    Layer.provideMerge(layerClient(options)),
  )
