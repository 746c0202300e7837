import type { bars } from "./Bars.ts"
import { longFunctions } from "./Functions.ts"
import { phraseRate, phrasesIn, storesIn } from "./Phrases.ts"
import { longProse, type ProseLine } from "./Prose.ts"
import { isProductCode, isProofCode, linesByFolder, placesOf, repeats, smallFiles, storagePorts } from "./Size.ts"
import { isCode, type Source } from "./Source.ts"

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

/** What is counted of the size of files, and of what they repeat. */
const sizesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<Count> => {
  const product = sources.filter(isProductCode)
  const [productLines, proofLines] = [linesByFolder(product), linesByFolder(sources.filter(isProofCode))]
  const listed = (bar: BarName, title: string, places: ReadonlyArray<string>): Count => ({
    ...{ bar, title, value: places.length, places: () => places },
  })
  const ports = storagePorts(sources)
  const methods = ports.flatMap(({ methods: count, name }) => Array.from({ length: count }, () => name))
  return [
    { bar: "productLines", title: "lines of product", value: productLines.total, places: () => productLines.places },
    { bar: "proofLines", title: "lines of tests and checks", value: proofLines.total, places: () => proofLines.places },
    listed("smallFiles", "files of product under 30 lines", smallFiles(product)),
    listed("repeats", "repeats of eight lines and more in code", repeats(sources.filter(isCode))),
    listed(
      "storagePorts",
      "ports of storage",
      ports.map(({ methods: count, name }) => `${name}: ${count}`),
    ),
    listed("storageMethods", "methods of them", methods),
    listed("columnNames", 'names of columns as `AS "camelCase"`', placesOf(product, /\bAS "[a-z]+[A-Z]\w*"/g)),
    listed("sqlLiterals", "parts of statements by sql.literal", placesOf(product, /\bsql\.literal\b/g)),
  ]
}

/** Everything that is counted of the files themselves. */
export const countsOf = (sources: ReadonlyArray<Source>): ReadonlyArray<Count> => {
  const product = sources.filter(isProduct)
  const readme = sources.find(({ path }) => path === "README.md")?.text.trimEnd() ?? ""
  const long = sources.flatMap(longFunctions)
  const lines = sources.flatMap(longProse)
  const stores = sources.flatMap(storesIn)
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
      bar: "stores",
      title: "lines of guides, texts and the changelog that call a shop a store",
      value: stores.length,
      places: () => stores.map(shown),
    },
    {
      bar: "longLines",
      title: "lines of comments and texts over 120 columns",
      value: lines.length,
      places: () => lines.map(shown),
    },
    ...sizesOf(sources),
  ]
}
