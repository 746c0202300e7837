import type { bars } from "./Bars.ts"
import { type Folder, filesByFolder, foldersByFolder } from "./Folders.ts"
import { longFunctions } from "./Functions.ts"
import { phraseRate, phrasesIn } from "./Phrases.ts"
import { longProse, type ProseLine } from "./Prose.ts"
import type { Source } from "./Source.ts"

export type BarName = keyof typeof bars

/** One count, and where to look if it is too high. */
export interface Count {
  readonly bar: BarName
  readonly title: string
  readonly value: number
  readonly places: () => ReadonlyArray<string>
}

const isProduct = ({ path }: Source): boolean => /^(?:core|adapters|hosts)\//.test(path) || path.endsWith(".md")

const shown = ({ line, path, text }: ProseLine): string => `${path}:${line}: ${text.trim()}`

const phrasePlaces = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources.flatMap(phrasesIn).map((found) => `${shown(found)} [${found.phrase.name}: ${found.phrase.instead}]`)

const folderPlaces = (folders: ReadonlyArray<Folder>): ReadonlyArray<string> =>
  folders.slice(0, 5).map(({ count, path }) => `${path}: ${count}`)

/** Everything that is counted of the files themselves. */
export const countsOf = (sources: ReadonlyArray<Source>): ReadonlyArray<Count> => {
  const product = sources.filter(isProduct)
  const readme = sources.find(({ path }) => path === "README.md")?.text.trimEnd() ?? ""
  const long = sources.flatMap(longFunctions)
  const lines = sources.flatMap(longProse)
  const files = filesByFolder(sources)
  const folders = foldersByFolder(sources)
  return [
    { bar: "readmeLines", title: "lines of README.md", value: readme.split("\n").length, places: () => ["README.md"] },
    {
      bar: "longFunctions",
      title: "functions over 100 lines, test callbacks over 80",
      value: long.length,
      places: () => long.map(({ kind, line, lines, path }) => `${path}:${line}: a ${kind} of ${lines} lines`),
    },
    {
      bar: "phrases",
      title: "hard phrases in a thousand words",
      value: phraseRate(sources),
      places: () => phrasePlaces(sources),
    },
    {
      bar: "productPhrases",
      title: "hard phrases in a thousand words of product and guides",
      value: phraseRate(product),
      places: () => phrasePlaces(product),
    },
    {
      bar: "longLines",
      title: "lines of comments and texts over 120 columns",
      value: lines.length,
      places: () => lines.map(shown),
    },
    {
      bar: "filesInFolder",
      title: "source files in the fullest folder",
      value: files[0]?.count ?? 0,
      places: () => folderPlaces(files),
    },
    {
      bar: "foldersInFolder",
      title: "folders in the fullest folder",
      value: folders[0]?.count ?? 0,
      places: () => folderPlaces(folders),
    },
  ]
}
