import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, type Scope } from "effect"
import { reasonOf } from "../sql/Reason.ts"

/** The data directory can't be used: another process holds it, or the file system refuses. */
export class DataDirectoryError extends Data.TaggedError("DataDirectoryError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Makes the data directory, for its owner's eyes only. One that is there must be so already: it holds keys. */
export const makeDataDirectory = (directory: string): Effect.Effect<void, DataDirectoryError> =>
  Effect.flatMap(
    Effect.try({
      try: () => {
        makeDirectory(directory)
        return accessOf(directory)
      },
      catch: (cause) => unusable(directory, cause),
    }),
    (problem) =>
      problem === undefined
        ? Effect.void
        : new DataDirectoryError({
            message: `${directory} can't be used as data directory: ${problem}. Name another that is not there yet: it is made for you alone`,
          }),
  )

/** One directory after the other: with `recursive` Node tries for ever where the file system never lets it, as below /proc. */
const makeDirectory = (directory: string): void => {
  const missing: Array<string> = []
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: path === missing[0] ? 0o700 : 0o777 })
    } catch (cause) {
      // Another process was quicker.
      if (!existsSync(path)) throw cause
    }
  }
}

/** Who else may look into a directory, as a sentence; `undefined` where nobody may. */
const accessOf = (directory: string): string | undefined => {
  const { mode, uid } = statSync(directory)
  // Windows has other means.
  if (process.getuid === undefined) return undefined
  if (uid !== process.getuid()) return "it belongs to another user"
  return (mode & 0o077) === 0
    ? undefined
    : `others may look into it (mode ${(mode & 0o777).toString(8)}): run "chmod 700 ${directory}"`
}

/**
 * Makes the data directory, for its owner's eyes only, and holds it for this process until the scope closes.
 *
 * The lock is SQLite's on a file of its own: the operating system gives it back when a process dies, however it dies,
 * which a file with a process id in it can't promise.
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
    ? `${directory} is in use by another process: an embedded database has one process; stop the other, or set DATABASE_URL`
    : `${directory} can't be used as data directory: ${reason}`
  return new DataDirectoryError({ message, cause })
}
