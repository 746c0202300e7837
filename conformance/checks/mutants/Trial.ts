/** Trying a mutant: first with the cases that are meant to catch it, then with the others. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { type Area, type Mutant, plantedVariable } from "./Mutant.ts"

/** What became of a mutant. */
export interface Verdict {
  /**
   * `named`: by a case that is meant for it. `suite`: by another case. `none`: it survived. `broken`: no case could be
   * run with it.
   */
  readonly caught: "named" | "suite" | "none" | "broken"
  /** What caught it, and how: its first line. */
  readonly by: string
  readonly seconds: number
}

/** The number of cases that ran, and the failures among them. */
interface Outcome {
  readonly ran: number
  readonly failed: ReadonlyArray<{ readonly id: string; readonly message: string | null }>
  /** The output of the process. */
  readonly output: string
}

/** Seconds that named cases may take, and all others. */
const patience = { named: 90, others: 600 }

/** How often cases are run over a server: a fault may not show every time. */
const races = 3

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

/** Runs shared cases against the adapter of an area: all, or only these ids. */
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

const lineOf = ({ id, message }: Outcome["failed"][number]): string =>
  `${id}: ${(message ?? "").replace(/\s+/g, " ").slice(0, 200)}`

/** Tries a mutant with the cases that are meant to catch it. `thorough`: then with all other cases. */
export const tryMutant = async (mutant: Mutant, thorough: boolean): Promise<Verdict> => {
  const from = Date.now()
  const verdict = (caught: Verdict["caught"], by: string): Verdict => ({
    caught,
    by,
    seconds: Math.round((Date.now() - from) / 100) / 10,
  })
  const subject = mutant.subject ?? mutant.area
  for (const caught of thorough ? (["named", "suite"] as const) : (["named"] as const)) {
    const { failed, output, ran } = await runCases(subject, caught === "named" ? mutant.caughtBy : undefined, mutant)
    if (failed[0] !== undefined) return verdict(caught, lineOf(failed[0]))
    if (ran === 0) return verdict("broken", output.trim().slice(-1_500))
  }
  return verdict("none", "")
}
