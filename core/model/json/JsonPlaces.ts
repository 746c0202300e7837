/** The place of a value in the text of JSON. */
import { join } from "../Problem.ts"

/** A place in a text, counted from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * The places in a text of JSON of the values at some paths (`Problem.path`). A path that leads to nothing, as that of a
 * missing field does, gets the place of the innermost value around it. The text must be JSON.
 */
export const placesOf = (text: string, paths: Iterable<string>): ReadonlyMap<string, TextPlace> => {
  const wanted = new Map([...paths].map((path) => [path, prefixesOf(path)]))
  const found = new Scan(text, new Set([...wanted.values()].flat())).run()
  const placeAt = makePlaceAt(text)
  return new Map(
    [...wanted].map(([path, prefixes]) => {
      const nearest = prefixes.findLast((prefix) => found.has(prefix)) ?? ""
      return [path, placeAt(found.get(nearest) ?? 0)]
    }),
  )
}

/** The line and the column of a position in a text. */
export const placeOf = (text: string, position: number): TextPlace => makePlaceAt(text)(position)

const makePlaceAt = (text: string) => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (position: number): TextPlace => {
    const line = starts.findLastIndex((start) => start <= position)
    return { line: line + 1, column: position - (starts[line] ?? 0) + 1 }
  }
}

/** The paths of all values around a path, and the path itself, the outermost first. Some may be no path at all. */
const prefixesOf = (path: string): ReadonlyArray<string> => [
  "",
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
]

/** Walks through a text of JSON, only into the values whose paths are wanted. */
class Scan {
  readonly #text: string
  readonly #wanted: ReadonlySet<string>
  readonly #found = new Map<string, number>()
  #at = 0

  constructor(text: string, wanted: ReadonlySet<string>) {
    this.#text = text
    this.#wanted = wanted
  }

  run(): ReadonlyMap<string, number> {
    this.#value("")
    return this.#found
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++
  }

  /** Calls nest as deep as a wanted path has parts. */
  #value(path: string): void {
    this.#space()
    const first = this.#text[this.#at]
    if (!this.#wanted.has(path) || (first !== "{" && first !== "[")) {
      if (this.#wanted.has(path)) this.#found.set(path, this.#at)
      this.#skip()
      return
    }
    this.#found.set(path, this.#at)
    this.#at++
    for (let index = 0; ; index++) {
      this.#space()
      if (this.#at >= this.#text.length || "}]".includes(this.#text[this.#at] ?? "")) break
      const key = first === "[" ? index : this.#key()
      this.#value(join(path, key))
      this.#space()
      if (this.#text[this.#at] === ",") this.#at++
    }
    this.#at++
  }

  #key(): string {
    const from = this.#at
    this.#string()
    const key = JSON.parse(this.#text.slice(from, this.#at)) as string
    this.#space()
    this.#at++
    return key
  }

  #string(): void {
    this.#at++
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1
    this.#at++
  }

  /** Goes to the end of a value, however deep it is. */
  #skip(): void {
    let depth = 0
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? ""
      if (character === '"') this.#string()
      else if ("{[".includes(character)) {
        depth++
        this.#at++
      } else if ("}]".includes(character)) {
        if (depth === 0) return
        depth--
        this.#at++
      } else if (depth === 0 && (character === "," || /\s/.test(character))) return
      else this.#at++
      if (depth === 0 && '}]"'.includes(this.#text[this.#at - 1] ?? "")) return
    }
  }
}
