/**
 * How long `import "designwire"` takes beyond `import "effect"`, in milliseconds: the median over processes of Node
 * that import the one, and then the other, in turn with processes that import `effect` alone.
 *
 * Run with `npm run bench:load`; the last line is JSON. `BENCH_RUNS` is the number of processes of each kind.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { install, node, pack } from "../checks/package/Installation.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { finding, print, type Report } from "./support/Report.ts"
import { median } from "./support/Statistics.ts"

const runs = numberOf("BENCH_RUNS", 21)

/** Milliseconds that a new process takes to import these, one after the other. */
const timed = async (directory: string, ...specifiers: ReadonlyArray<string>): Promise<number> => {
  const imports = specifiers.map((specifier) => `await import('${specifier}')`).join(";")
  const program = `const start = performance.now(); ${imports}; console.log(performance.now() - start)`
  const { stderr, stdout, succeeded } = await node(directory, "--input-type=module", "-e", program)
  if (!succeeded) throw new Error(stderr)
  return Number(stdout)
}

const measure = async (cleanup: Cleanup): Promise<Report> => {
  const directory = await mkdtemp(join(tmpdir(), "designwire-load-"))
  cleanup.add(() => rm(directory, { recursive: true, force: true }))
  note("Installing")
  const project = join(directory, "project")
  await install(project, await pack(join(directory, "packed")))
  const effect: Array<number> = []
  const both: Array<number> = []
  const alone: Array<number> = []
  note("Importing")
  for (let run = 0; run < runs; run++) {
    effect.push(await timed(project, "effect"))
    both.push(await timed(project, "effect", "designwire"))
    alone.push(await timed(project, "designwire"))
  }
  return {
    findings: [finding("Loading, beyond effect", "ms", { designwire: median(both) - median(effect) }, { most: 250 })],
    context: {
      node: process.version,
      runs,
      medians: { effect: median(effect), "effect and designwire": median(both), "designwire alone": median(alone) },
    },
  }
}

await main(async () => {
  print("load", await withCleanup(measure), (bar) => ("least" in bar ? bar.least : bar.most))
})
