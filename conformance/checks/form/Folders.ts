import { dirname } from "node:path/posix"
import { isCode, isTest, type Source } from "./Source.ts"

/** How many entries a folder has. */
export interface Folder {
  readonly path: string
  readonly count: number
}

const counted = (parents: Iterable<string>): ReadonlyArray<Folder> =>
  [...Map.groupBy(parents, (path) => path)]
    .map(([path, { length: count }]) => ({ path, count }))
    .sort((one, other) => other.count - one.count)

/** The source files right in each folder, without tests; the fullest folder first. */
export const filesByFolder = (sources: ReadonlyArray<Source>): ReadonlyArray<Folder> =>
  counted(sources.filter((source) => isCode(source) && !isTest(source)).map(({ path }) => dirname(path)))

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const above = dirname(path)
  return above === "." ? [] : [above, ...foldersAbove(above)]
}

/** The folders right below each folder; the fullest folder first. */
export const foldersByFolder = (sources: ReadonlyArray<Source>): ReadonlyArray<Folder> =>
  counted([...new Set(sources.flatMap(({ path }) => foldersAbove(path)))].map((folder) => dirname(folder)))
