/** The ledger of speed: a line of JSON for each run. */
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Entry } from "./Row.ts"

/** A run of `npm run bench:ledger`. */
export interface LedgerLine {
  /** The commit that was measured, with `+` if files had changed since. */
  readonly commit: string
  /** The day of the commit. */
  readonly date: string
  readonly node: string
  /** Milliseconds of the fixed work: what the machine can do. */
  readonly fixedWork: number
  readonly rows: Readonly<Record<string, Entry>>
}

const file = fileURLToPath(new URL("../ledger.jsonl", import.meta.url))

/** All lines, oldest first. */
export const readLedger = (): ReadonlyArray<LedgerLine> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as LedgerLine)
    : []

/** Adds a line at the end. */
export const append = (line: LedgerLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`)

const git = (...parameters: ReadonlyArray<string>): string =>
  execFileSync("git", parameters, { encoding: "utf8", cwd: fileURLToPath(new URL(".", import.meta.url)) }).trim()

/** The commit that is checked out. */
export const currentCommit = (): Pick<LedgerLine, "commit" | "date"> => ({
  commit:
    git("rev-parse", "--short=8", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+"),
  date: git("show", "-s", "--format=%cs", "HEAD"),
})

/** Two bare contenders of a row cost at most this many times as much on machines that are alike. */
const alike = 1.3

/** The last line that measured a row on a machine like that of another line: its bare contender cost about as much. */
export const lastAlike = (earlier: ReadonlyArray<LedgerLine>, name: string, { bare }: Entry): LedgerLine | undefined =>
  earlier.findLast(({ rows }) => {
    const other = rows[name]?.bare
    return other !== undefined && Math.max(other / bare, bare / other) <= alike
  })

/** What a line says of a row, held against earlier lines. */
export interface Judged {
  readonly name: string
  readonly now: Entry
  /** The line that it was held against; without one, no machine was like this. */
  readonly against: LedgerLine | undefined
  /** Whether it costs more by more than both spreads. */
  readonly isWorse: boolean
}

/** Holds each row against the last line of a like machine, as ratios of unlike machines differ without a cause. */
export const judge = (earlier: ReadonlyArray<LedgerLine>, line: LedgerLine): ReadonlyArray<Judged> =>
  Object.entries(line.rows).map(([name, now]) => {
    const against = lastAlike(earlier, name, now)
    const before = against?.rows[name]
    const isWorse = before !== undefined && now.ratio - before.ratio > before.spread + now.spread
    return { name, now, against, isWorse }
  })
