/**
 * The ledger of speed: what each operation costs, as a ratio to a bare contender of the same run. A run takes three
 * minutes at most, adds a line to `conformance/bench/ledger.jsonl`, and says which rows are worse by more than both
 * spreads than in the last line of a machine like this, and which rows no such line has.
 *
 * Run with `npm run bench:ledger` on a machine that does nothing else; `-- --dry-run` adds no line. `BENCH_ONLY`
 * (some of `reads`, `orders`, `queue`, `arrival`, `evaluate`, `processes`) measures some rows, and adds no line either.
 */
import process from "node:process"
import { parseArgs } from "node:util"
import { arrival } from "./ledger/Arrival.ts"
import { evaluations } from "./ledger/Evaluations.ts"
import { fixedWork } from "./ledger/FixedWork.ts"
import { append, currentCommit, judge, type LedgerLine, readLedger } from "./ledger/Ledger.ts"
import { orders } from "./ledger/Orders.ts"
import { processes } from "./ledger/Processes.ts"
import { queue } from "./ledger/Queue.ts"
import { reads } from "./ledger/Reads.ts"
import { type Entry, measureRows, type Row } from "./ledger/Row.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, withCleanup } from "./support/Main.ts"
import { median } from "./support/Statistics.ts"

const rounds = 9
/** Rounds of what takes seconds. */
const fewRounds = 3

const parts: Readonly<Record<string, readonly [(cleanup: Cleanup) => Promise<ReadonlyArray<Row>>, rounds: number]>> = {
  reads: [reads, rounds],
  orders: [async (cleanup) => [await orders(cleanup, rounds)], rounds],
  queue: [queue, rounds],
  arrival: [async (cleanup) => [await arrival(cleanup, rounds)], rounds],
  evaluate: [async () => [evaluations()], rounds],
  processes: [processes, fewRounds],
}

const only = chosen(Object.keys(parts))
const { "dry-run": isDry } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } }).values

/** Each part has databases and processes of its own, which end before the next one begins. */
const measureAll = async (): Promise<ReadonlyArray<readonly [string, Entry]>> => {
  const measured: Array<readonly [string, Entry]> = []
  for (const name of only) {
    const [open, count] = parts[name] ?? []
    if (open === undefined || count === undefined) throw new Error(`There is no part ${name}`)
    note(name)
    measured.push(...(await withCleanup(async (cleanup) => measureRows(await open(cleanup), count))))
  }
  return measured
}

await main(async () => {
  const line: LedgerLine = {
    ...currentCommit(),
    node: process.version,
    fixedWork: Number(median(Array.from({ length: 9 }, fixedWork)).toPrecision(3)),
    rows: Object.fromEntries(await measureAll()),
  }
  console.table(line.rows)
  for (const { against, isWorse, name, now } of judge(readLedger(), line)) {
    if (against === undefined) console.log(`not judged: ${name}, as no line is of a machine like this`)
    else if (isWorse)
      console.log(`worse: ${name}, ${now.ratio} after ${against.rows[name]?.ratio} at ${against.commit}`)
  }
  if (isDry || only.length < Object.keys(parts).length) console.log(JSON.stringify(line))
  else append(line)
})
