/** Trying a mutant: the cases and tests that are meant for it first, and what else may catch it only if those did not. */
import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type Area, type Mutant, plantedVariable, suites, testOf } from "./Mutant.ts"

/** What became of a mutant. */
export interface Verdict {
  /**
   * `named`: by what is meant for it. `suite`: by another shared case. `tests`: by another test, or by the one that is meant for it where a shared case
   * should be. `none`: it survived. `broken`: nothing could be run with it.
   */
  readonly caught: "named" | "suite" | "tests" | "none" | "broken"
  /** What caught it, and how: its first line. */
  readonly by: string
  readonly seconds: number
}

/** What was run, and what failed of it. */
interface Outcome {
  readonly ran: number
  readonly failed: ReadonlyArray<{ readonly id: string; readonly message: string | null }>
  /** What the process wrote, where it told nothing else. */
  readonly output: string
}

/** Seconds that cases and tests may take that are named, and all others. */
const patience = { named: 90, others: 600 }

/** So often cases are run over a server, where a fault may show now and then only. */
const races = 3

/** The tests that may catch what no named one does. */
const others: Readonly<Record<Area, ReadonlyArray<string>>> = {
  memory: [],
  sql: ["adapters/sql", "adapters/postgres"],
  sender: ["adapters/node", "adapters/Webhooks.properties"],
  rules: ["core"],
  usecases: ["core"],
  hosts: ["hosts/server", "hosts/manage", "hosts/worker", "hosts/embed", "hosts/receiver", "hosts/client"],
}

const run = (
  parameters: ReadonlyArray<string>,
  planted: Mutant | undefined,
  seconds: number,
): Promise<{ readonly output: string; readonly isLate: boolean }> =>
  new Promise((done, failed) => {
    const { file, find, replace } = planted ?? {}
    const environment = planted === undefined ? {} : { [plantedVariable]: JSON.stringify({ file, find, replace }) }
    const child = spawn(process.execPath, parameters, {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that what it has started ends with it.
      detached: true,
    })
    let output = ""
    let isLate = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    const timer = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    }, seconds * 1000)
    child.once("error", failed)
    child.once("close", () => {
      clearTimeout(timer)
      done({ output, isLate })
    })
  })

const late = (seconds: number): Outcome => ({
  ran: 1,
  failed: [{ id: "the time limit", message: `has not ended within ${seconds} s` }],
  output: "",
})

const hooks = join(import.meta.dirname, "Hooks.ts")
const sharedCases = join(import.meta.dirname, "SharedCases.ts")
const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs")
const config = join(import.meta.dirname, "vitest.config.ts")

/** Runs shared cases against the adapter of an area, those of these ids or all. */
export const runCases = async (
  subject: Area | "pglite",
  ids: ReadonlyArray<string> | undefined,
  planted?: Mutant,
): Promise<Outcome> => {
  const only = ids === undefined ? [] : ["--only", ids.join(",")]
  const seconds = ids === undefined ? patience.others : patience.named
  const again = planted === undefined || ids === undefined ? 1 : subject === "sql" ? races : 1
  const { isLate, output } = await run(
    ["--import", hooks, sharedCases, "--subject", subject, "--times", String(again), ...only],
    planted,
    seconds,
  )
  if (isLate) return late(seconds)
  const report = output.split("\n").findLast((line) => line.startsWith('{"ran":'))
  if (report === undefined) return { ran: 0, failed: [], output }
  return { ...(JSON.parse(report) as Omit<Outcome, "output">), output }
}

interface VitestReport {
  readonly testResults: ReadonlyArray<{
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: ReadonlyArray<string>
    }>
  }>
}

/** What a title may say for what a test puts in: `%s`, `$id`, `${what}`. */
const hole = /%[sdij]|\$\{[^}]*\}|\$\w+/

const patternOf = (title: string): string =>
  title
    .split(hole)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*")

/** Runs tests: those named, or all of some folders. */
const runTests = async (
  files: ReadonlyArray<string>,
  titles: ReadonlyArray<string>,
  planted?: Mutant,
): Promise<Outcome> => {
  const path = join(tmpdir(), `designwire-mutant-${process.pid}.json`)
  const seconds = titles.length === 0 ? patience.others : patience.named
  const filter = titles.length === 0 ? [] : ["-t", titles.map(patternOf).join("|")]
  const { isLate, output } = await run(
    [vitest, "run", "--config", config, "--reporter=json", `--outputFile=${path}`, ...filter, ...files],
    planted,
    seconds,
  )
  if (isLate) return late(seconds)
  try {
    const { testResults } = JSON.parse(readFileSync(path, "utf8")) as VitestReport
    const all = testResults.flatMap(({ assertionResults }) => assertionResults)
    const ran = all.filter(({ status }) => status === "passed" || status === "failed")
    const failed = ran.filter(({ status }) => status === "failed")
    const told = testResults.map(({ message }) => message).filter((message) => message !== "")
    return {
      ran: ran.length,
      failed: failed.map(({ failureMessages, fullName }) => ({ id: fullName, message: failureMessages?.[0] ?? null })),
      output: told.join("\n") || output,
    }
  } catch {
    return { ran: 0, failed: [], output }
  } finally {
    rmSync(path, { force: true })
  }
}

const lineOf = ({ id, message }: Outcome["failed"][number]): string =>
  `${id}: ${(message ?? "").replace(/\s+/g, " ").slice(0, 200)}`

/** Whether something is the id of a shared case, not a test. */
export const isCase = (name: string): boolean => !name.includes(" > ")

/** Tries a mutant. `thorough`: what is not caught by what is meant for it meets everything else. */
export const tryMutant = async (mutant: Mutant, thorough: boolean): Promise<Verdict> => {
  const from = Date.now()
  const verdict = (caught: Verdict["caught"], by: string): Verdict => ({
    caught,
    by,
    seconds: Math.round((Date.now() - from) / 100) / 10,
  })
  const { area, caughtBy } = mutant
  const cases = caughtBy.filter(isCase)
  const tests = caughtBy.filter((name) => !isCase(name)).map(testOf)
  const steps: ReadonlyArray<readonly [Verdict["caught"], () => Promise<Outcome>]> = [
    ...(cases.length > 0 ? [["named", () => runCases(mutant.subject ?? area, cases, mutant)] as const] : []),
    ...(tests.length > 0
      ? [
          [
            suites[area] === undefined ? "named" : "tests",
            () =>
              runTests(
                [...new Set(tests.map(({ file }) => file))],
                tests.map(({ title }) => title),
                mutant,
              ),
          ] as const,
        ]
      : []),
    ...(thorough && suites[area] !== undefined
      ? [["suite", () => runCases(mutant.subject ?? area, undefined, mutant)] as const]
      : []),
    ...(thorough && others[area].length > 0 ? [["tests", () => runTests(others[area], [], mutant)] as const] : []),
  ]
  for (const [caught, step] of steps) {
    const { failed, output, ran } = await step()
    if (failed[0] !== undefined) return verdict(caught, lineOf(failed[0]))
    if (ran === 0) return verdict("broken", output.trim().slice(-1_500))
  }
  return verdict("none", "")
}
