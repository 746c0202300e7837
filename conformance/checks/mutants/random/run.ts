/**
 * Plants faults at random over the adapters and hosts and prints which tests notice them:
 * `npm run mutants:random -- --seed 1 --count 20 --json out.json`. The same seed on the same commit plants the same
 * faults. `--since` draws from the lines that were added since a commit, in the core too. `--only` tries those with
 * these numbers again, with all tests that reach them. A run with the same `--json` continues after the faults in it;
 * one with the same `--times` knows which tests take long. `--quick` leaves these out, and all but the nearest.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { startPostgres } from "../../../testkit/databases/EmbeddedPostgres.ts"
import { sourcesIn } from "../../../testkit/processes/Sources.ts"
import { type Failure, Scratch } from "./Scratch.ts"
import { draw, type Spot, spotsIn } from "./Spots.ts"
import { TestsOf } from "./TestsOf.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    since: { type: "string" },
    times: { type: "string" },
    json: { type: "string" },
  },
})

/** How many files of tests `--quick` tries. */
const nearest = 12

const isSecond = values.only !== undefined

/** Sources that users run. Code to copy has checks of its own. */
const sources = (root: string, folders: string): ReadonlyArray<string> =>
  sourcesIn(root, `${folders}/**/*.{ts,tsx}`, [
    ...["**/*.test.ts", "**/*.d.ts", "hosts/docs/**"],
    ...["hosts/embed/examples/**", "hosts/receiver/snippets/**"],
  ])

const scratch = new Scratch()
const tests = new TestsOf(scratch.path, scratch.seconds)
if (values.times !== undefined && existsSync(values.times)) {
  for (const [file, seconds] of Object.entries<number>(JSON.parse(readFileSync(values.times, "utf8")))) {
    scratch.seconds.set(file, seconds)
  }
}
const spotsOf = (file: string) => spotsIn(file, readFileSync(join(scratch.path, file), "utf8"))
const added = values.since === undefined ? undefined : scratch.addedSince(values.since)
const spots =
  added === undefined
    ? sources(scratch.path, "{adapters,hosts}").flatMap(spotsOf)
    : sources(scratch.path, "{core,adapters,hosts}")
        .filter((file) => added.has(file))
        .flatMap(spotsOf)
        .filter(({ file, line }) => added.get(file)?.has(line))

const passes = new Map<string, Promise<boolean>>()

/** Whether files of tests pass as the code is: otherwise their failure says nothing. */
const passAnyway = (files: ReadonlyArray<string>): Promise<boolean> => {
  const key = files.join()
  const known = passes.get(key) ?? scratch.firstFailure(files).then((failure) => failure === undefined)
  passes.set(key, known)
  return known
}

interface Outcome {
  readonly caughtBy: Failure | undefined
  /** Files of tests that were run in vain. */
  readonly survived: ReadonlyArray<string>
}

interface Tried extends Spot, Outcome {
  readonly number: number
  /** Whether the tests fail without the fault too, and so prove nothing. Known at the end. */
  isVoid: boolean
}

const tryTests = async ({ file }: Spot): Promise<Outcome> => {
  const survived: Array<string> = []
  const rounds = tests.rounds(file, isSecond)
  for (const some of values.quick ? rounds.slice(0, 1).map((round) => round.slice(0, nearest)) : rounds) {
    const caughtBy = await scratch.firstFailure(some)
    if (caughtBy !== undefined) return { caughtBy, survived }
    survived.push(...some)
  }
  return { caughtBy: undefined, survived }
}

// One for all: a server of a test run would outlive it if it is killed at its time limit.
const postgres = await startPostgres()
process.env["TEST_DATABASE_URL"] = postgres.url
const tried: Array<Tried> =
  values.json !== undefined && !isSecond && existsSync(values.json) ? JSON.parse(readFileSync(values.json, "utf8")) : []
const begun = tried.length
try {
  // Many more than wanted, because some do not compile.
  const drawn = draw(Number(values.seed), Number(values.count) * 4, spots)
  console.log(`seed ${values.seed}: ${drawn.length} of ${spots.length} spots drawn`)
  let number = 0
  for await (const spot of scratch.compiling(drawn)) {
    number++
    if (number > Number(values.count)) break
    if (isSecond ? values.only?.includes(String(number)) !== true : number <= begun) continue
    const from = Date.now()
    const outcome = await scratch.withBuilt(spot, () => tryTests(spot))
    const { caughtBy, survived } = outcome
    tried.push({ number, ...spot, ...outcome, isVoid: false })
    const verdict = caughtBy === undefined ? `SURVIVED ${survived.length} files of tests` : caughtBy.title
    const where = `${spot.file}:${spot.line} ${spot.operator}: ${spot.replacement.slice(0, 60)}`
    const seconds = Math.round((Date.now() - from) / 1000)
    console.log(`${number} ${where} | ${caughtBy?.files[0] ?? ""} ${verdict.slice(0, 100)} (${seconds} s)`)
    if (values.times !== undefined) {
      writeFileSync(values.times, `${JSON.stringify(Object.fromEntries(scratch.seconds), undefined, 2)}\n`)
    }
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(tried, undefined, 2)}\n`)
  }
  // Mostly all of them pass, which one run of all shows.
  const allPass = await passAnyway([...new Set(tried.flatMap(({ caughtBy }) => caughtBy?.files ?? []))])
  for (const one of tried) {
    if (allPass || one.caughtBy === undefined || (await passAnyway(one.caughtBy.files))) continue
    one.isVoid = true
    console.log(`${one.number} VOID ${one.caughtBy.files.join()}`)
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(tried, undefined, 2)}\n`)
} finally {
  await postgres.stop()
  scratch.close()
}
const caught = tried.filter(({ caughtBy, isVoid }) => caughtBy !== undefined && !isVoid).length
console.log(`${caught} of ${tried.length} caught (${((100 * caught) / tried.length).toFixed(1)} %)`)
process.exit()
