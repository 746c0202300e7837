/** The files beside the file of an import: how far it has got, and the lines that were refused. */
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { type ConfigError, configError } from "../ReadConfig.ts"
import type { Line } from "./Lines.ts"

const Progress = Schema.Struct({
  kind: Schema.String,
  shop: Schema.String,
  /** The file, as it was when the import began. */
  file: Schema.Struct({ bytes: Schema.Int, modifiedAt: Schema.Finite }),
  /** All lines before this byte are done; their number. */
  offset: Schema.Int,
  line: Schema.Int,
  /** Bytes of the file of refused lines. */
  rejectedBytes: Schema.Int,
  counts: Schema.Struct({
    created: Schema.Int,
    changed: Schema.Int,
    unchanged: Schema.Int,
    rejected: Schema.Int,
  }),
})

/** How far an import has got. */
export type Progress = typeof Progress.Type

/** A line that was refused. */
export interface Rejected {
  readonly line: Line
  readonly reason: string
}

/** The files of an import that has begun. */
export interface ImportFiles {
  /** The beginning of this run. */
  readonly begin: Progress
  /** Whether an earlier run was broken off there. */
  readonly goesOn: boolean
  /** Adds refused lines, and returns the bytes of their file. */
  readonly reject: (rejected: ReadonlyArray<Rejected>) => Effect.Effect<number, ConfigError>
  /** Keeps how far the import has got. */
  readonly keep: (progress: Progress) => Effect.Effect<void, ConfigError>
  /** The import is complete: the next one begins at the first line again. */
  readonly complete: Effect.Effect<void, ConfigError>
}

/** The file of refused lines. */
export const rejectedOf = (path: string): string => `${path}.rejected`

const progressOf = (path: string): string => `${path}.progress`

/** Opens the files of an import. Refuses to go on with a file that has changed, or with another shop or kind. */
export const openFiles = Effect.fnUntraced(function* (path: string, kind: string, shop: string) {
  const [progressPath, rejectedPath] = [progressOf(path), rejectedOf(path)]
  const { isFile, file } = yield* attempt(path, () => {
    const found = statSync(path)
    return { isFile: found.isFile(), file: { bytes: found.size, modifiedAt: found.mtimeMs } }
  })
  if (!isFile) return yield* configError(`${path} must be a file: an import that was broken off reads it again`)
  const again = `delete ${progressPath} to begin at the first line, which changes nothing that is stored already`
  const text = yield* attempt(progressPath, () => readIfThere(progressPath))
  const none = { created: 0, changed: 0, unchanged: 0, rejected: 0 }
  let begin: Progress = { kind, shop, file, offset: 0, line: 0, rejectedBytes: 0, counts: none }
  if (text !== undefined) {
    const before = yield* Effect.mapError(decode(text), () => configError(`${progressPath} can't be read: ${again}`))
    if (before.file.bytes !== file.bytes || before.file.modifiedAt !== file.modifiedAt) {
      return yield* configError(`${path} has changed since its import was broken off: ${again}`)
    }
    if (before.kind !== kind || before.shop !== shop) {
      return yield* configError(`${path} is half imported as ${before.kind} of the shop ${before.shop}: ${again}`)
    }
    begin = before
  }
  // Lines that were refused after the last progress was kept come again.
  yield* attempt(rejectedPath, () => {
    if (begin.rejectedBytes === 0) rmSync(rejectedPath, { force: true })
    else truncateSync(rejectedPath, begin.rejectedBytes)
  })
  const files: ImportFiles = {
    begin,
    goesOn: text !== undefined,
    reject: (rejected) =>
      attempt(rejectedPath, () => {
        appendFileSync(rejectedPath, rejected.map(rejectedLine).join(""))
        return statSync(rejectedPath).size
      }),
    keep: (progress) =>
      attempt(progressPath, () => {
        writeFileSync(`${progressPath}.new`, JSON.stringify(progress))
        renameSync(`${progressPath}.new`, progressPath)
      }),
    complete: attempt(progressPath, () => rmSync(progressPath, { force: true })),
  }
  return files
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Progress))

const rejectedLine = ({ line: { bytes, number }, reason }: Rejected): string =>
  `${JSON.stringify({ line: number, reason, text: bytes.toString() })}\n`

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const attempt = <A>(path: string, use: () => A): Effect.Effect<A, ConfigError> =>
  Effect.try({
    try: use,
    catch: (error) => configError(`${path} can't be used: ${(error as NodeJS.ErrnoException).code ?? String(error)}`),
  })
