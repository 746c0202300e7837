/** How big the repository is, and how often it says one thing. */
import { isCode, isTest, type Source } from "./Source.ts"

/** Whether a file is written by a command, which its first lines name. */
const isGenerated = ({ text }: Source): boolean => /^ \* Made .*by `npm run/m.test(text.slice(0, 1000))

/** Code that runs at a user's and that people write: no tests, no examples. */
export const isProductCode = (source: Source): boolean =>
  !isGenerated(source) &&
  isCode(source) &&
  /^(?:core|adapters|hosts)\//.test(source.path) &&
  !isTest(source) &&
  !/\/examples\//.test(source.path)

/** Code that proves the product: tests wherever they stand, and all of `conformance`. */
export const isProofCode = (source: Source): boolean =>
  isCode(source) && (source.path.startsWith("conformance/") || isTest(source))

/** The lines of a file, without the end of the last one. */
const linesOf = ({ text }: Source): ReadonlyArray<string> => text.trimEnd().split("\n")

/** The lines of files, and the folders with the most. */
export const linesByFolder = (sources: ReadonlyArray<Source>) => {
  const folders = Map.groupBy(sources, ({ path }) => path.split("/").slice(0, 2).join("/"))
  const counted = [...folders].map(([path, files]) => ({
    path,
    lines: files.reduce((sum, file) => sum + linesOf(file).length, 0),
  }))
  return {
    total: counted.reduce((sum, { lines }) => sum + lines, 0),
    places: counted.sort((one, other) => other.lines - one.lines).map(({ lines, path }) => `${path}: ${lines}`),
  }
}

/** Files of less than 30 lines, which nobody opens for themselves. */
export const smallFiles = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources.flatMap((source) => {
    const { length } = linesOf(source)
    return length < 30 ? [`${source.path}: ${length}`] : []
  })

/** The fewest lines that count as a repeat. */
const shortest = 8

/** The lines of a file that say something, each with its number: no imports, no lines of closing brackets alone. */
const saying = (source: Source): ReadonlyArray<readonly [line: number, text: string]> =>
  linesOf(source).flatMap((text, index) => {
    const line = text.trim()
    return line === "" || /^(?:import|export \{|\} from|[)\]}>,;]+$)/.test(line) ? [] : [[index + 1, line] as const]
  })

/** Pairs of places in which eight lines and more are the same. Each is named by its first lines. */
export const repeats = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const seen = new Map<string, readonly [path: string, index: number, line: number]>()
  const found: Array<string> = []
  for (const source of sources) {
    const lines = saying(source)
    let previous: readonly [path: string, index: number] | undefined
    for (let index = 0; index + shortest <= lines.length; index++) {
      const part = lines.slice(index, index + shortest)
      const key = part.map(([, text]) => text).join("\n")
      const other = seen.get(key)
      const line = part[0]?.[0] ?? 0
      if (other === undefined) seen.set(key, [source.path, index, line])
      // One line further in both: the same repeat continues.
      else if (other[0] !== previous?.[0] || other[1] !== previous[1] + 1)
        found.push(`${source.path}:${line} repeats ${other[0]}:${other[2]}`)
      previous = other && [other[0], other[1]]
    }
  }
  return found
}

/** The places of a pattern in files. */
export const placesOf = (sources: ReadonlyArray<Source>, pattern: RegExp): ReadonlyArray<string> =>
  sources.flatMap((source) =>
    linesOf(source).flatMap((text, index) =>
      [...text.matchAll(pattern)].map(() => `${source.path}:${index + 1}: ${text.trim()}`),
    ),
  )

/** The methods of the ports whose calls can fail as a store does, by port. */
export const storagePorts = (sources: ReadonlyArray<Source>): ReadonlyArray<{ name: string; methods: number }> =>
  sources
    .filter(({ path }) => path.startsWith("core/ports/"))
    .flatMap(({ text }) =>
      [...text.matchAll(/export class (\w+) extends Context\.Service<[^{]*\{([\s\S]*?)\n {2}\}\n>/g)].flatMap(
        ([, name = "", body = ""]) =>
          body.includes("StorageError") ? [{ name, methods: [...body.matchAll(/^ {4}readonly \w+:/gm)].length }] : [],
      ),
    )
