/** The part of a pooler's configuration file that the commands of buckets write. */
import { readFileSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import { type ConfigError, configError } from "../ReadConfig.ts"

/** Comments, in the files of every pooler. */
const [begin, end] = ["# designwire map: begin", "# designwire map: end"]

/** A file with a place for the map. */
export interface MapFile {
  readonly write: (map: string) => Effect.Effect<void, ConfigError>
}

/** Opens a file that has the two comments around the map, or does not exist yet. Changes nothing. */
export const openMapFile = Effect.fnUntraced(function* (path: string): Effect.fn.Return<MapFile, ConfigError> {
  const found = yield* Effect.try({ try: () => textOf(path), catch: (error) => unusable(path, "read", error) })
  const lines = found?.split(/\r?\n/) ?? [begin, end, ""]
  const [first, last] = [lines.indexOf(begin), lines.indexOf(end)]
  if (first < 0 || last < first) {
    return yield* configError(
      `${path} has no place for the map: put the lines "${begin}" and "${end}" where it belongs`,
    )
  }
  const withMap = (map: string) => [...lines.slice(0, first + 1), map, ...lines.slice(last)].join("\n")
  return {
    // In place: the file may be a mount of its own, and keeps its owner and rights.
    write: (map) =>
      Effect.try({
        try: () => writeFileSync(path, withMap(map)),
        catch: (error) => unusable(path, "written", error),
      }),
  }
})

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const unusable = (path: string, done: string, error: unknown) =>
  configError(`${path} can't be ${done}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
