import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { addedLines, parses, planted, type Spot } from "./Spots.ts"

const root = resolve(import.meta.dirname, "../../../..")

/** Make modules of files in other languages. */
const assets = [".ci/settings-assets.mjs", ".ci/sql-modules.mjs"]

/** How a process has ended: its exit code, or `null` if it said nothing for too long. */
interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Seconds in which a compiler or a test has ended, also on a busy machine. What takes longer hangs. */
const longest = 120

/** The report of vitest, of which this is read. */
interface TestReport {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly title: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

/** A failing test, or why a run has no report. */
export interface Failure {
  /** The files among which is the one that failed. */
  readonly files: ReadonlyArray<string>
  readonly title: string
  readonly message?: string
}

/** Spots one after another, until a file comes again. */
const batchesOf = (spots: ReadonlyArray<Spot>): ReadonlyArray<ReadonlyArray<Spot>> => {
  const batches: Array<Map<string, Spot>> = []
  for (const spot of spots) {
    const last = batches.at(-1)
    if (last === undefined || last.has(spot.file)) batches.push(new Map([[spot.file, spot]]))
    else last.set(spot.file, spot)
  }
  return batches.map((batch) => [...batch.values()])
}

/** A copy of the last commit, in which faults are planted as files: processes that tests start have them too. */
export class Scratch {
  readonly path: string
  /** How long each file of tests took when it ran last, in seconds. */
  readonly seconds = new Map<string, number>()
  readonly #directory: string

  constructor() {
    this.#directory = mkdtempSync(join(tmpdir(), "designwire-random-"))
    this.path = join(this.#directory, "designwire")
    execFileSync("git", ["clone", "--quiet", "--shared", root, this.path])
    symlinkSync(join(root, "node_modules"), join(this.path, "node_modules"))
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** The numbers of the lines that were added since a commit, by their files. */
  addedSince(commit: string): ReadonlyMap<string, ReadonlySet<number>> {
    const difference = execFileSync("git", ["diff", "--unified=0", "--no-color", commit, "HEAD"], {
      ...{ cwd: this.path, encoding: "utf8", maxBuffer: 2 ** 28 },
    })
    return addedLines(difference)
  }

  /** Runs while a fault is in its file and in what is built of it. */
  async withBuilt<A>(spot: Spot, run: () => Promise<A>): Promise<A> {
    if (!spot.file.startsWith("hosts/settings/assets/")) return await this.with([spot], run)
    const built = await this.with([spot], async () => {
      await this.#run("node", assets)
      return await run()
    })
    await this.#run("node", assets)
    return built
  }

  /** Runs while the faults of some spots are in their files, no two of them in one. */
  async with<A>(spots: ReadonlyArray<Spot>, run: () => Promise<A>): Promise<A> {
    const sources = spots.map(({ file }) => readFileSync(join(this.path, file), "utf8"))
    for (const [index, spot] of spots.entries()) {
      writeFileSync(join(this.path, spot.file), planted(spot, sources[index] ?? ""))
    }
    try {
      return await run()
    } finally {
      for (const [index, { file }] of spots.entries()) writeFileSync(join(this.path, file), sources[index] ?? "")
    }
  }

  /**
   * Those that compile, in the same order. The compiler checks as many at once as have different files: an error in a
   * file is put down to the fault in it.
   */
  async *compiling(spots: ReadonlyArray<Spot>): AsyncGenerator<Spot> {
    for (const batch of batchesOf(spots)) {
      const readable = batch.filter((spot) => {
        const source = readFileSync(join(this.path, spot.file), "utf8")
        return planted(spot, source) !== source && parses(spot.file, planted(spot, source))
      })
      // It remembers what it has checked, and checks again only what a fault may have changed.
      const kept = ["--incremental", "--tsBuildInfoFile", join(this.#directory, "checked.tsbuildinfo")]
      const { code, output } = await this.with(readable, () => this.#run("tsc", ["-p", "tsconfig.json", ...kept]))
      if (code === null) throw new Error("The compiler hangs")
      yield* readable.filter(({ file }) => !output.includes(`${file}(`))
    }
  }

  /** The first test that fails, if any, or that hangs. Files are begun in the order in which they are given. */
  async firstFailure(files: ReadonlyArray<string>): Promise<Failure | undefined> {
    // Without names, vitest runs all files.
    if (files.length === 0) return undefined
    const report = join(this.#directory, "report.json")
    rmSync(report, { force: true })
    const { code, output } = await this.#run(
      "vitest",
      [
        ...["run", "--root", ".", "--config", "conformance/checks/mutants/random/vitest.config.ts", "--bail", "1"],
        ...["--maxWorkers", "2", "--testTimeout", "90000", "--hookTimeout", "90000", ...files],
      ],
      { MUTANTS_ORDER: files.join(), MUTANTS_REPORT: report },
    )
    if (code === 0 || code === 1) {
      const results = resultsIn(report)
      for (const { endTime, name, startTime, status } of results) {
        if (status === "passed") this.seconds.set(name.slice(this.path.length + 1), (endTime - startTime) / 1000)
      }
      return code === 0 ? undefined : (firstIn(results, this.path) ?? { files, title: output.slice(-300) })
    }
    const named = (word: string) =>
      [...output.matchAll(new RegExp(`^${word} (.+)$`, "gm"))].map(([, file = ""]) => file)
    const ended = new Set(named("ended"))
    const underWay = named("begun").filter((file) => !ended.has(file))
    return { files: underWay.length === 0 ? files : underWay, title: `no test has ended for ${longest} s` }
  }

  #run(
    command: string,
    parameters: ReadonlyArray<string>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    return new Promise((done, failed) => {
      const programs = join(this.path, "node_modules/.bin")
      // The project's own Node is among them.
      const env = { ...process.env, ...variables, PATH: `${programs}:${process.env["PATH"]}` }
      // A group of its own, so that what it has started ends with it.
      const child = spawn(join(programs, command), parameters, {
        ...{ cwd: this.path, env, detached: true },
        stdio: ["ignore", "pipe", "pipe"],
      })
      let output = ""
      let isLate = false
      const end = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        } catch {
          // The group has ended by itself.
        }
      }
      const timer = setTimeout(() => {
        isLate = true
        end()
      }, longest * 1_000)
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output = (output + text).slice(-1_000_000)
          timer.refresh()
        })
      }
      child.once("error", failed)
      child.once("close", (code) => {
        clearTimeout(timer)
        done({ code: isLate ? null : (code ?? 1), output })
      })
      child.once("exit", end)
    })
  }
}

const resultsIn = (report: string): TestReport["testResults"] => {
  try {
    return (JSON.parse(readFileSync(report, "utf8")) as TestReport).testResults
  } catch {
    return []
  }
}

const firstIn = (results: TestReport["testResults"], root: string): Failure | undefined => {
  for (const { assertionResults, message, name, status } of results) {
    const file = name.slice(root.length + 1)
    const failed = assertionResults.find((each) => each.status === "failed")
    if (failed !== undefined) {
      return { files: [file], title: failed.title, message: failed.failureMessages.join().slice(0, 500) }
    }
    if (status === "failed" && message !== "") return { files: [file], title: message.slice(0, 200) }
  }
  return undefined
}
