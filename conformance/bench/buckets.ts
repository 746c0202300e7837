/**
 * What many buckets cost: shops in a thousand schemas on four small servers, compared with the same shops in one
 * schema. The time to start, memory, connections, the processor time of reads and claims, and the migration of all
 * buckets.
 *
 * Run with `npm run bench:buckets`; the last line is JSON. Shorter runs: `BENCH_SHOPS` (default 100,000),
 * `BENCH_BUCKETS` (1,024), `BENCH_ROUNDS` (7), `BENCH_SECONDS` (per round of reads, 3), `BENCH_CALLS` (claims per
 * round, 30) and `BENCH_ONLY` (some of `reads,claims,workers,migration`).
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { claims } from "./buckets/Claims.ts"
import { designOf, fill, makeShops, type Shop } from "./buckets/Fill.ts"
import { firstMigration, laterMigration } from "./buckets/Migration.ts"
import { reads } from "./buckets/Reads.ts"
import { startStage } from "./buckets/Stage.ts"
import { hostMemory, startHosts, workers } from "./buckets/Starts.ts"
import { startLoad } from "./read/Load.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { print, type Report } from "./support/Report.ts"

const only = chosen(["reads", "claims", "workers", "migration"])
const sizes = { shops: numberOf("BENCH_SHOPS", 100_000), buckets: numberOf("BENCH_BUCKETS", 1_024) }
const rounds = numberOf("BENCH_ROUNDS", 7)

const measure = async (cleanup: Cleanup): Promise<Report> => {
  note("Starting four servers")
  const stage = await startStage(sizes.buckets, cleanup)
  const findings = [...(await firstMigration(stage))]
  const shops = makeShops(sizes.shops)
  note(`Filling both deployments with ${sizes.shops} shops`)
  await fill(stage, shops)
  const load = startLoad(cleanup)
  const requestOf = (shop: Shop) => ({
    path: `/api/v1/designs/${shop.design}`,
    token: shop.token,
    body: designOf(shop),
  })
  // A few of every bucket.
  const known = 2 * sizes.buckets
  await load.prepare("reads", shops.slice(0, known).map(requestOf))
  await load.prepare("first", shops.slice(known).map(requestOf))
  const { findings: started, hosts } = await startHosts(stage, shops[0] as Shop)
  findings.push(...started)
  if (only.includes("reads")) {
    findings.push(...(await reads(stage, load, hosts, { rounds, seconds: numberOf("BENCH_SECONDS", 3) })))
  }
  findings.push(...(await hostMemory(stage, load, hosts)))
  if (only.includes("claims")) {
    findings.push(...(await claims(stage, shops, { rounds, calls: numberOf("BENCH_CALLS", 30) })))
  }
  if (only.includes("workers")) findings.push(...(await workers(stage, shops[0] as Shop)))
  if (only.includes("migration")) findings.push(...(await laterMigration(stage, load, hosts[0].port)))
  return { findings, context: { ...sizes, rounds, processors: availableParallelism(), node: process.version } }
}

await main(async () => print("buckets", await withCleanup(measure), (bar) => ("least" in bar ? bar.least : bar.most)))
