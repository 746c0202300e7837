import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { addedLines, parses, planted, type Spot } from "./Spots.ts"

const root = resolve(import.meta.dirname, "../../../..")

/** Builds the style sheet and script of the settings app. */
const assets = [".ci/settings-assets.mjs"]

/** How a process has ended: its exit code, or `null` after the time limit. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The report of vitest, of which this is read. */
interface TestReport {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly title: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

/** A failing test, or why a run has no report. */
export interface Failure {
  readonly file: string | undefined
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
      await this.#run("node", assets, 60)
      return await run()
    })
    await this.#run("node", assets, 60)
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
      const { output } = await this.with(readable, () => this.#run("tsc", ["-p", "tsconfig.json"], 600))
      yield* readable.filter(({ file }) => !output.includes(`${file}(`))
    }
  }

  /** The first test that fails, if any. What takes longer than so many seconds counts as one. */
  async firstFailure(files: ReadonlyArray<string>, seconds: number): Promise<Failure | undefined> {
    const report = join(this.#directory, "report.json")
    rmSync(report, { force: true })
    const { code, output } = await this.#run(
      "vitest",
      [
        ...["run", "--bail", "1", "--maxWorkers", "2", "--testTimeout", "90000", "--hookTimeout", "90000"],
        ...["--reporter", "json", "--outputFile", report, ...files],
      ],
      seconds,
    )
    if (code === 0) return undefined
    if (code === null) return { file: undefined, title: `has not ended within ${seconds} s` }
    return firstIn(report, this.path) ?? { file: undefined, title: output.slice(-300) }
  }

  #run(command: string, parameters: ReadonlyArray<string>, seconds: number): Promise<Ended> {
    return new Promise((done, failed) => {
      const programs = join(this.path, "node_modules/.bin")
      // The project's own Node is among them.
      const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` }
      // A group of its own, so that what it has started ends with it.
      const child = spawn(join(programs, command), parameters, {
        ...{ cwd: this.path, env, detached: true },
        stdio: ["ignore", "pipe", "pipe"],
      })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output = (output + text).slice(-1_000_000)
        })
      }
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
      }, seconds * 1_000)
      child.once("error", failed)
      child.once("close", (code) => {
        clearTimeout(timer)
        done({ code: isLate ? null : (code ?? 1), output })
      })
      child.once("exit", end)
    })
  }
}

const firstIn = (report: string, root: string): Failure | undefined => {
  let results: TestReport["testResults"]
  try {
    results = (JSON.parse(readFileSync(report, "utf8")) as TestReport).testResults
  } catch {
    return undefined
  }
  for (const { assertionResults, message, name, status } of results) {
    const file = name.slice(root.length + 1)
    const failed = assertionResults.find((each) => each.status === "failed")
    if (failed !== undefined) return { file, title: failed.title, message: failed.failureMessages.join().slice(0, 500) }
    if (status === "failed" && message !== "") return { file, title: message.slice(0, 200) }
  }
  return undefined
}
