/**
 * The cost of a read, compared with alternatives: requests per second of designs and orders alongside other servers on
 * the same Postgres, pages of orders in shops of different sizes, alongside long pages of another shop, memory, and the
 * time to start.
 *
 * Run with `npm run bench:read`; the last line is JSON. Shorter runs: `BENCH_SECONDS` (per run, default 4),
 * `BENCH_ROUNDS` (5), `BENCH_DESIGNS` (50,000), `BENCH_ORDERS` (1,000,000), `BENCH_MEMORY_SECONDS` (60) and
 * `BENCH_ONLY` (some of `designs,limited,orders,compressed,growth,beside,start`). `TEST_DATABASE_URL` names an existing
 * Postgres server.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { beside } from "./read/Beside.ts"
import { compressed } from "./read/Compressed.ts"
import { designs, limited } from "./read/Designs.ts"
import { growth } from "./read/Growth.ts"
import { measure } from "./read/Medians.ts"
import { orders } from "./read/Orders.ts"
import { everyServer, startStage } from "./read/Stage.ts"
import { timeToReady } from "./read/Start.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { type Finding, finding, print, type Report } from "./support/Report.ts"
import { median } from "./support/Statistics.ts"

const only = chosen(["designs", "limited", "orders", "compressed", "growth", "beside", "start"])
const schedule = { seconds: numberOf("BENCH_SECONDS", 4), rounds: numberOf("BENCH_ROUNDS", 5) }
const options = { ...schedule, connections: 64, memorySeconds: numberOf("BENCH_MEMORY_SECONDS", 60) }

const reads = async (cleanup: Cleanup): Promise<Report> => {
  const counts = {
    designs: numberOf("BENCH_DESIGNS", 50_000),
    growthOrders: only.includes("growth") ? numberOf("BENCH_ORDERS", 1_000_000) : undefined,
  }
  const stage = await startStage(counts, cleanup, everyServer)
  const { filled, growthShops, key, load, servers, sql, token } = stage

  const ceiling = await measure(load, [{ name: "fixed", server: servers.fixed, plan: "fixed" }], {
    ...options,
    rounds: 1,
  })
  const findings: Array<Finding> = []
  if (only.includes("designs")) findings.push(...(await designs(stage, options)))
  if (only.includes("limited")) findings.push(...(await limited(stage, options)))
  if (only.includes("orders")) findings.push(...(await orders(stage, options)))
  if (only.includes("compressed")) {
    note("GET /orders?limit=25, compressed")
    findings.push(...(await compressed(load, servers.unlimited, token, "/api/v1/orders?limit=25", options)))
  }
  if (growthShops !== undefined) {
    note("GET /orders in shops of different sizes")
    // Short runs in many rounds: other work on the machine then meets all shops alike.
    const short = { seconds: schedule.seconds / 20, rounds: schedule.rounds * 5 }
    findings.push(...(await growth(sql, load, servers.unlimited, key, growthShops, short)))
  }
  if (only.includes("beside")) findings.push(...(await beside(stage, schedule, cleanup)))
  const context = {
    ...schedule,
    designs: counts.designs,
    processors: availableParallelism(),
    node: process.version,
    wireBytes: median(filled.designs.map((design) => Buffer.byteLength(design.wire))),
    ceiling: ceiling.get("fixed")?.perSecond,
  }
  return { findings, context }
}

const starts = async (): Promise<Finding> => {
  note("designwire serve on an empty embedded database")
  const times: Array<number> = []
  for (let round = 0; round < Math.min(3, schedule.rounds); round++) times.push((await timeToReady()) / 1_000)
  return finding("designwire serve until /readyz", "s", { designwire: median(times) }, { most: 3 })
}

await main(async () => {
  const report = only.some((part) => part !== "start") ? await withCleanup(reads) : { findings: [], context: {} }
  const findings = only.includes("start") ? [...report.findings, await starts()] : report.findings
  print("read", { ...report, findings }, (bar) => ("least" in bar ? bar.least : bar.most))
})
