/**
 * Small benchmarks, a figure or two each, in one table: signing secrets that rotate under load, orders in an embedder's
 * transaction, orders of shop platforms, the pages of the settings app, requests alongside bodies of strangers that do
 * not arrive, two cells alongside one database, and what an installation weighs and takes to load.
 *
 * Run with `npm run bench:small`, or one of them with `npm run bench:small -- embed`; the last line is JSON.
 * `TEST_DATABASE_URL` names a Postgres server to use rather than one of its own.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { cells } from "./small/Cells.ts"
import { embed } from "./small/Embed.ts"
import { ingest } from "./small/Ingest.ts"
import { install } from "./small/Install.ts"
import { rotate } from "./small/Rotate.ts"
import { settings } from "./small/Settings.ts"
import { strangers } from "./small/Strangers.ts"
import { main, note, withCleanup } from "./support/Main.ts"
import { type Finding, print } from "./support/Report.ts"

const parts = new Map(Object.entries({ rotate, embed, ingest, settings, strangers, cells, install }))

await main(async () => {
  const named = process.argv.slice(2)
  const findings: Array<Finding> = []
  for (const name of named.length === 0 ? parts.keys() : named) {
    const part = parts.get(name)
    if (part === undefined) throw new Error(`There is no benchmark ${name}, only ${[...parts.keys()].join(", ")}`)
    note(name)
    findings.push(...(await withCleanup(part)))
  }
  const context = { processors: availableParallelism(), node: process.version }
  print("small", { findings, context }, (bar) => ("least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`))
})
