/** The lines of a file in groups that may be stored in any order. */
import { Result } from "effect"
import { type Line, linesOf, longestLine, type Place } from "./Lines.ts"

/** A line as an object, or why it is none. */
export interface Entry {
  readonly line: Line
  /** `undefined` for an empty line, which is skipped. */
  readonly value: Result.Result<Readonly<Record<string, unknown>>, string> | undefined
}

/** Lines that name different objects, and the place behind them. */
export interface Window {
  readonly entries: ReadonlyArray<Entry>
  readonly end: Place
}

/** The most lines of a window, and the most bytes unless its only line has more. */
const [mostLines, mostBytes] = [400, 4 * 1024 * 1024]

/**
 * The windows of a file behind a place. `namesOf` returns what a line names: of lines that name the same, the later one
 * is in a later window.
 */
export async function* windowsOf(
  path: string,
  from: Place,
  namesOf: (value: Readonly<Record<string, unknown>>) => ReadonlyArray<unknown>,
): AsyncGenerator<Window> {
  let entries: Array<Entry> = []
  let bytes = 0
  const named = new Set<unknown>()
  const closed = (): Window => {
    const { end, number } = (entries.at(-1) as Entry).line
    const window = { entries, end: { offset: end, line: number } }
    entries = []
    bytes = 0
    named.clear()
    return window
  }
  for await (const line of linesOf(path, from)) {
    const entry = { line, value: valueOf(line) }
    const names = entry.value === undefined || Result.isFailure(entry.value) ? [] : namesOf(entry.value.success)
    const isFull = entries.length >= mostLines || bytes + line.bytes.length > mostBytes
    if (entries.length > 0 && (isFull || names.some((name) => named.has(name)))) yield closed()
    entries.push(entry)
    bytes += line.bytes.length
    for (const name of names) named.add(name)
  }
  if (entries.length > 0) yield closed()
}

// Bytes that are not UTF-8 are refused rather than replaced. A mark of the byte order is left out.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const valueOf = ({ bytes, isTooLong }: Line): Entry["value"] => {
  if (isTooLong) return Result.fail(`A line may have at most ${longestLine / 1024 / 1024} MiB`)
  try {
    const text = utf8.decode(bytes)
    if (text.trim() === "") return undefined
    const value = JSON.parse(text) as unknown
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Result.succeed(value as Readonly<Record<string, unknown>>)
      : Result.fail("A line must be a JSON object")
  } catch {
    return Result.fail("A line must be JSON in UTF-8")
  }
}
