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

/** A row that costs more than in the line before. */
export interface Worse {
  readonly name: string
  readonly before: Entry
  readonly now: Entry
}

/** The rows that are worse than in another line by more than both spreads. */
export const worseThan = (before: LedgerLine, now: LedgerLine): ReadonlyArray<Worse> =>
  Object.entries(now.rows).flatMap(([name, entry]) => {
    const earlier = before.rows[name]
    if (earlier === undefined || entry.ratio - earlier.ratio <= earlier.spread + entry.spread) return []
    return [{ name, before: earlier, now: entry }]
  })
