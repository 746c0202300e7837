import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, type Scope } from "effect"

/** The data directory can't be used: another process holds it, or the file system refuses. */
export class DataDirectoryError extends Data.TaggedError("DataDirectoryError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/**
 * Makes the data directory, for its owner's eyes only, and holds it for this process until the scope closes.
 *
 * The lock is SQLite's on a file of its own: the operating system gives it back when a process dies, however it dies,
 * which a file with a process id in it can't promise.
 */
export const lockDataDirectory = (directory: string): Effect.Effect<void, DataDirectoryError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        mkdirSync(directory, { recursive: true })
        chmodSync(directory, 0o700)
        const file = new DatabaseSync(join(directory, "lock"))
        try {
          file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        } catch (cause) {
          file.close()
          throw cause
        }
        return file
      },
      catch: (cause) => new DataDirectoryError({ message: explain(directory, cause), cause }),
    }),
    (file) => Effect.sync(() => file.close()),
  ).pipe(Effect.asVoid)

const explain = (directory: string, cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.includes("locked")
    ? `${directory} is in use by another process: an embedded database has one process; stop the other, or set DATABASE_URL`
    : `${directory} can't be used as data directory: ${message}`
}
