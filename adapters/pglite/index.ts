/** All storage ports on an embedded Postgres in a directory: the same SQL as on a server, for one process. */

import { chmodSync, rmSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { Effect, Layer } from "effect"
import * as Sql from "../sql/index.ts"
import { DataDirectoryError, lockDataDirectory } from "./DataDirectory.ts"

export { DataDirectoryError } from "./DataDirectory.ts"

/** Where the embedded database keeps its files. */
export interface PgliteOptions {
  /** Made if it is not there. A second process on it is refused. */
  readonly directory: string
}

/** Addresses of Unix sockets may be little more than 100 bytes long: relative to the working directory they are shorter. */
const socketPath = (directory: string): string => {
  const absolute = join(resolve(directory), "socket")
  const fromHere = relative(process.cwd(), absolute)
  return fromHere.length < absolute.length ? fromHere : absolute
}

/** Runs the embedded database and answers the path of its socket. */
const database = Effect.fnUntraced(function* ({ directory }: PgliteOptions) {
  yield* lockDataDirectory(directory)
  const refused = (cause: unknown) =>
    new DataDirectoryError({ message: `The embedded database in ${directory} does not start: ${String(cause)}`, cause })
  const db = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => PGlite.create(join(directory, "pgdata")), catch: refused }),
    (db) => Effect.promise(() => db.close()),
  )
  const path = socketPath(directory)
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
    (server) => Effect.promise(() => server.stop()),
  )
  return path
})

/** The connection alone. One is enough: the embedded database does one thing at a time. */
export const layerClient = (options: PgliteOptions) =>
  Layer.unwrap(
    Effect.map(database(options), (path) =>
      PgClient.layer({
        path,
        database: "postgres",
        username: "postgres",
        applicationName: "designwire",
        maxConnections: 1,
        multiplex: true,
      }),
    ),
  )

/** Every storage port on the embedded database, brought up to date, and its connection. */
export const layer = (options: PgliteOptions) =>
  Sql.layerSingleProcess.pipe(
    Layer.provideMerge(Layer.effectDiscard(Sql.migrate)),
    Layer.provideMerge(layerClient(options)),
  )
