/**
 * Imports and exports by the command: customizers, designs and an order for every design are imported into a Postgres
 * server of the run, once and again, and exported as JSON lines and CSV. Shows the lines per second, and the most
 * memory that the command has, which must not grow with their number.
 *
 * Run with `npm run bench:bulk`, or with a number of designs: `npm run bench:bulk -- 1000000` (default: 100,000). The
 * last line is JSON. `TEST_DATABASE_URL` names a server to use rather than one of its own.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type Run, runCommand } from "./bulk/Command.ts"
import { writeFiles } from "./bulk/Files.ts"
import { main, note, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"

/** Designs and orders a second at least, and MiB of memory at most. */
const [leastRate, mostMemory] = [2_000, 512]

const designs = Number(process.argv[2] ?? 100_000)

await main(() =>
  withCleanup(async (cleanup) => {
    if (!Number.isInteger(designs) || designs < 1) throw new Error(`${process.argv[2]} is no number of designs`)
    const { sql, url } = await startDatabase(cleanup)
    const directory = await mkdtemp(join(tmpdir(), "designwire-bulk-"))
    cleanup.add(() => rm(directory, { recursive: true, force: true }))
    const files = await writeFiles(directory, designs)
    await sql`INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base)
VALUES ('bulk', 'bulk.example.com', 'EUR', 'plus', 1, 'https://images.example.com')`
    const findings: Array<Finding> = []
    const measured = async (name: string, parameters: ReadonlyArray<string>, fits: (run: Run) => boolean) => {
      const run = await runCommand(parameters, url)
      if (!fits(run)) throw new Error(`${name} has not done everything: ${run.tail}`)
      const rate = designs / run.seconds
      note(`${name}: ${Math.round(rate)} a second, ${Math.round(run.peak)} MiB`)
      findings.push(finding(name, "per second", { designwire: rate }, { least: leastRate }, run))
      findings.push(finding(`${name}: memory`, "MiB", { designwire: run.peak }, { most: mostMemory }))
    }
    const all = new Intl.NumberFormat("en").format(designs)
    const says = (count: string) => (run: Run) =>
      run.tail.includes(`${all} ${count}`) && run.tail.includes(", 0 rejected")
    await runCommand(["import", "customizers", files.customizers], url)
    for (const kind of ["designs", "orders"] as const) {
      await measured(`import ${kind}`, ["import", kind, files[kind]], says("created"))
      await measured(`import ${kind} again`, ["import", kind, files[kind]], says("unchanged"))
    }
    for (const kind of ["designs", "orders"] as const) {
      await measured(`export ${kind}`, ["export", kind], ({ lines }) => lines === designs)
      await measured(`export ${kind} as CSV`, ["export", kind, "--format", "csv"], ({ lines }) => lines > designs)
    }
    const context = { designs, processors: availableParallelism(), node: process.version }
    print("bulk", { findings, context }, (bar) => ("least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`))
  }),
)
