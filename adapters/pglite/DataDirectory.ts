import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, type Scope } from "effect"
import { reasonOf } from "../sql/statements/Reason.ts"

/** The data directory can't be used: another process holds it, or the file system refuses. */
export class DataDirectoryError extends Data.TaggedError("DataDirectoryError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Creates the data directory, readable by its owner only. An existing one must be so already: it contains keys. */
export const makeDataDirectory = (directory: string): Effect.Effect<void, DataDirectoryError> =>
  Effect.flatMap(
    Effect.try({
      try: () => {
        makeDirectory(directory)
        return insideOf(directory) ?? accessOf(directory)
      },
      catch: (cause) => unusable(directory, cause),
    }),
    (problem) =>
      problem === undefined
        ? Effect.void
        : new DataDirectoryError({
            message:
              `${directory} can't be used as data directory: ${problem}. ` +
              "Name another that does not exist yet: it is created for you only",
          }),
  )

/**
 * Creates one directory after the other: with `recursive`, Node never stops trying if the file system refuses, as below
 * /proc.
 */
const makeDirectory = (directory: string): void => {
  const missing: Array<string> = []
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: path === missing[0] ? 0o700 : 0o777 })
    } catch (cause) {
      // Another process may have been quicker.
      if (!existsSync(path)) throw cause
    }
  }
}

/** Whether it is the database of a data directory, as a sentence; `undefined` if it is not. */
const insideOf = (directory: string): string | undefined =>
  existsSync(join(directory, "PG_VERSION"))
    ? `it is the database within a data directory: name ${dirname(resolve(directory))}`
    : undefined

/** Who else may read a directory, as a sentence; `undefined` if nobody may. */
const accessOf = (directory: string): string | undefined => {
  const { mode, uid } = statSync(directory)
  // Windows has no modes.
  if (process.getuid === undefined) return undefined
  if (uid !== process.getuid()) return "it belongs to another user"
  return (mode & 0o077) === 0
    ? undefined
    : `others may look into it (mode ${(mode & 0o777).toString(8)}): run "chmod 700 ${directory}"`
}

/**
 * Creates the data directory, readable by its owner only, and locks it for this process until the scope closes.
 *
 * SQLite locks a file for us: the operating system releases the lock however the process dies. A file with a process id
 * in it can't promise that.
 */
export const lockDataDirectory = (directory: string): Effect.Effect<void, DataDirectoryError, Scope.Scope> =>
  Effect.andThen(
    makeDataDirectory(directory),
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const file = new DatabaseSync(join(directory, "lock"))
          try {
            file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
          } catch (cause) {
            file.close()
            throw cause
          }
          return file
        },
        catch: (cause) => unusable(directory, cause),
      }),
      (file) => Effect.sync(() => file.close()),
    ),
  ).pipe(Effect.asVoid)

const unusable = (directory: string, cause: unknown): DataDirectoryError => {
  const reason = reasonOf(cause)
  const message = reason.includes("locked")
    ? `${directory} is in use by another process: an embedded database has one process; ` +
      "stop the other, or set DATABASE_URL"
    : `${directory} can't be used as data directory: ${reason}`
  return new DataDirectoryError({ message, cause })
}
