/**
 * Moves of buckets between two servers while a host writes, its events are followed, and a worker delivers them: what
 * writers notice of the move of a large bucket, and whether anything is lost when commands, connections and servers are
 * killed.
 *
 * Run with `npm run bench:move`; the last line is JSON. Shorter runs: `BENCH_ROWS` (1,000,000) in the large bucket,
 * `BENCH_SECONDS` (20) before and after its move, `BENCH_MOVES` (50) of a small bucket, `BENCH_KILLS` (100), and
 * `BENCH_ONLY` (some of `switch,kills`). `BENCH_ORDERS` (20) is the orders per second of each of three writers.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { measureKills } from "./move/Kills.ts"
import { measureSwitch } from "./move/Switch.ts"
import { chosen, main, numberOf, withCleanup } from "./support/Main.ts"
import { type Finding, print } from "./support/Report.ts"

const only = chosen(["switch", "kills"])
const rows = numberOf("BENCH_ROWS", 1_000_000)
const seconds = numberOf("BENCH_SECONDS", 20)
const perSecond = numberOf("BENCH_ORDERS", 20)
const moves = numberOf("BENCH_MOVES", 50)
const kills = numberOf("BENCH_KILLS", 100)

/** Rows of the bucket that moves again and again. */
const fewRows = 4_000

const named =
  (part: string) =>
  (one: Finding): Finding => ({ ...one, name: `${part}: ${one.name}` })

await main(async () => {
  const switched = only.includes("switch")
    ? await withCleanup((cleanup) => measureSwitch(cleanup, { rows, seconds, perSecond }))
    : []
  const killed = only.includes("kills")
    ? await withCleanup((cleanup) => measureKills(cleanup, { moves, kills, rows: fewRows }))
    : []
  const findings = [...switched.map(named("switch")), ...killed.map(named("kills"))]
  const context = { rows, moves, kills, cores: availableParallelism(), node: process.version }
  print("move", { findings, context }, (bar) => ("least" in bar ? bar.least : bar.most))
})
