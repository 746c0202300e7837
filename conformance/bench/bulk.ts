/**
 * Files in and out by the command, as a process on Postgres: how many designs and orders it imports and exports each
 * second, and the most memory that it takes.
 *
 * Run with `npm run bench:bulk`; the last line is JSON. Shorter runs: `BENCH_DESIGNS` (100,000), of which each order
 * holds two.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { finished } from "node:stream/promises"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { customizers, ringInput } from "../suites/service/Samples.ts"
import { makeKeys, openStores } from "./deliver/Stage.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Bar, type Finding, finding, print } from "./support/Report.ts"
import { shopOf } from "./support/Seed.ts"

const designs = numberOf("BENCH_DESIGNS", 100_000)
const orders = Math.floor(designs / 2)

const shop = shopOf("bulk")

const writeLines = async (path: string, count: number, lineOf: (index: number) => unknown): Promise<string> => {
  const file = createWriteStream(path)
  for (let index = 0; index < count; index++) {
    if (!file.write(`${JSON.stringify(lineOf(index))}\n`)) await once(file, "drain")
  }
  await finished(file.end())
  return path
}

/** Runs the command to its end. Returns how long it took in seconds, and the most memory it took in MiB. */
const run = async (parameters: ReadonlyArray<string>, url: string) => {
  const command = resolve(import.meta.dirname, "../../dist/hosts/cli/main.js")
  const began = performance.now()
  // With the flag of the command's first line.
  const child = spawn(process.execPath, ["--max-semi-space-size=16", command, ...parameters, "--shop", shop.id], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "inherit", "inherit"],
  })
  let memory = 0
  const looking = setInterval(() => {
    try {
      const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]
      memory = Math.max(memory, Number(peak ?? 0) / 1024)
    } catch {
      // It has ended, or the system has no such files.
    }
  }, 100)
  const [code] = await once(child, "exit")
  clearInterval(looking)
  if (code !== 0) throw new Error(`designwire ${parameters.join(" ")} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, memory }
}

const measure = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { url } = await startDatabase(cleanup)
  const stores = openStores(url, makeKeys().key)
  cleanup.add(() => stores.dispose())
  await stores.runPromise(ShopStore.use((store) => store.put(shop)))
  const directory = mkdtempSync(join(tmpdir(), "designwire-bulk-"))
  cleanup.add(async () => rmSync(directory, { recursive: true, force: true }))
  const path = (name: string) => join(directory, name)
  note("Writing the files")
  const files = {
    customizers: await writeLines(path("customizers.jsonl"), customizers.length, (index) => customizers[index]),
    designs: await writeLines(path("designs.jsonl"), designs, (index) => ({ id: `d-${index}`, ...ringInput })),
    orders: await writeLines(path("orders.jsonl"), orders, (index) => ({
      id: String(index),
      name: `#${index}`,
      orderedAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      lines: [0, 1].map((line) => ({ designId: `d-${2 * index + line}`, lineItemId: String(line) })),
    })),
  }
  await run(["import", "customizers", files.customizers], url)

  const findings: Array<Finding> = []
  const part = async (name: string, parameters: ReadonlyArray<string>, count: number, bar: Bar) => {
    note(name)
    const { memory, seconds } = await run(parameters, url)
    findings.push(finding(name, "/s", { designwire: count / seconds }, bar, { memory, seconds }))
    findings.push(finding(`${name}, memory`, "MiB", { designwire: memory }, { most: 300 }))
  }
  await part("Import of designs", ["import", "designs", files.designs], designs, { least: 2_000 })
  await part("Import of designs again", ["import", "designs", files.designs], designs, { least: 2_000 })
  await part("Import of orders of two designs", ["import", "orders", files.orders], orders, { least: 1_000 })
  const to = (name: string) => ["--out", path(name)]
  await part("Export of orders", ["export", "orders", ...to("orders.out")], orders, { least: 2_000 })
  await part("Export of designs", ["export", "designs", ...to("designs.out")], designs, { least: 2_000 })
  const csv = ["export", "designs", "--format", "csv", ...to("designs.csv")]
  await part("Export of designs as CSV", csv, designs, { least: 2_000 })
  return findings
}

await main(() =>
  withCleanup(async (cleanup) => {
    const findings = await measure(cleanup)
    const context = { designs, orders, cores: availableParallelism(), node: process.version }
    print("bulk", { findings, context }, (bar) => ("least" in bar ? bar.least : bar.most))
  }),
)
