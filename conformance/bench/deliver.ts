/**
 * The cost of a webhook, compared with alternatives: deliveries per second of a worker alongside other queues on the
 * same Postgres and undici alone, the time from a change to its arrival, the cost of signals for writers, the cost of a
 * hanging endpoint for the others, claims and settlements among very many pending deliveries and waiting endpoints, two
 * workers compared with one, the cost of traces and of counting attempts, how late deliveries are when one of two
 * workers is killed, the cost of shops in trouble for the others, and the rate of an endpoint with a pace.
 *
 * Run with `npm run bench:deliver`; the last line is JSON. Shorter runs: `BENCH_DELIVERIES` (per run, default 40,000),
 * `BENCH_ROUNDS` (5), `BENCH_SAMPLES` (of the time to arrival, 400), `BENCH_ORDERS` (per round of writers, 3,000),
 * `BENCH_SECONDS` (per round alongside a hanging endpoint, 10), `BENCH_PENDING` (1,000,000), `BENCH_WAITING`
 * (endpoints, 100,000), `BENCH_CALLS` (300) and `BENCH_ONLY` (some of `throughput`, `streaming`, `workers`, `traces`,
 * `kill`, `arrival`, `commits`, `hanging`, `growth`, `figures`, `isolation`, `newcomers`, `pace`, between commas).
 * `TEST_DATABASE_URL` names an existing Postgres server.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { arrival } from "./deliver/Arrival.ts"
import type { Bench } from "./deliver/Bench.ts"
import { commits } from "./deliver/Commits.ts"
import { bare, bareRequest, designwire, graphile, pgBoss } from "./deliver/Contenders.ts"
import { jobsOf, type StagedShop } from "./deliver/Events.ts"
import { figures } from "./deliver/Figures.ts"
import { growth } from "./deliver/Growth.ts"
import { hanging } from "./deliver/Hanging.ts"
import { heldTransaction } from "./deliver/HeldTransaction.ts"
import { isolation } from "./deliver/Isolation.ts"
import { kill } from "./deliver/Kill.ts"
import { newcomers } from "./deliver/Newcomers.ts"
import { pace } from "./deliver/Pace.ts"
import { startReceiver } from "./deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "./deliver/Stage.ts"
import { compete, type Run, run } from "./deliver/Throughput.ts"
import { traces } from "./deliver/Traces.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"

const rounds = numberOf("BENCH_ROUNDS", 5)
const deliveries = numberOf("BENCH_DELIVERIES", 40_000)
const seconds = numberOf("BENCH_SECONDS", 10)
const size = { deliveries, rounds }

/** Starts Postgres, the receiver and the queues to compare. */
const prepare = async (cleanup: Cleanup) => {
  note("Starting Postgres and the receiver")
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const receiver = await startReceiver(secret, cleanup)
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const shops: Array<StagedShop> = []
  for (let shop = 0; shop < 8; shop++) {
    const urls = Array.from({ length: 5 }, (_, endpoint) => `${receiver.url}/${shop}/${endpoint}`)
    shops.push(await stageShop(stores, `shop${shop}`, urls, secret))
  }
  const environment = { DATABASE_URL: url, KEY: key.toString("base64"), SECRET: secret, ORIGIN: receiver.url }
  const bench: Bench = { sql, stores, receiver, secret, environment, cleanup }
  const jobs = jobsOf(shops, receiver.url, secret)
  const own = designwire(sql, stores, shops)
  const graphileWorker = await graphile(sql, url, jobs, cleanup)
  const queues = [own, await pgBoss(sql, url, jobs, cleanup), graphileWorker]
  return { bench, cleanup, own, graphileWorker, queues }
}

/** What each part of the benchmark compares. */
type Stage = Awaited<ReturnType<typeof prepare>>

type Findings = ReadonlyArray<Finding>

const waiting = async ({ bench, own, queues }: Stage): Promise<Findings> => {
  note(`${deliveries} deliveries that wait when the worker begins`)
  const runs = await compete(
    bench,
    [...queues, bareRequest, bare].map((contender) => ({ name: contender.name, contender, workers: 1 })),
    size,
  )
  note("Microseconds of processor time per delivery, by group, in a run with the profiler")
  const profiled = await run(bench, { name: "profiled", contender: own, workers: 1, profiled: true }, deliveries)
  const groups = Object.entries({ ...profiled.groups, "Postgres, in its own processes": profiled.postgres })
  console.table(Object.fromEntries(groups.map(([name, time]) => [name, Number(time.toPrecision(3))])))
  return throughput("Throughput", runs, 0.95)
}

const streaming = async ({ bench, queues }: Stage): Promise<Findings> => {
  note(`${deliveries} deliveries that are added while the worker works`)
  const runs = await compete(
    bench,
    queues.map((contender) => ({ name: contender.name, contender, workers: 1, streaming: true })),
    size,
  )
  return throughput("Throughput, added meanwhile", runs, 1.1)
}

const twoWorkers = async ({ bench, graphileWorker, own }: Stage): Promise<Findings> => {
  note(`${deliveries} deliveries for each of one and two workers`)
  const runs = await compete(
    bench,
    [
      { name: "one", contender: own, workers: 1 },
      { name: "two", contender: own, workers: 2 },
      { name: "one of graphile-worker", contender: graphileWorker, workers: 1 },
      { name: "two of graphile-worker", contender: graphileWorker, workers: 2 },
    ],
    size,
  )
  const [one, two] = [runs.get("one") as Run, runs.get("two") as Run]
  const details = Object.fromEntries(runs)
  const perSecond = { designwire: two.perSecond, other: one.perSecond }
  const processor = { designwire: two.processor, other: one.processor }
  return [
    // The receiver and Postgres need processors too.
    ...(availableParallelism() >= 4
      ? [finding("Two workers vs one", "deliveries/s", perSecond, { least: 1.6 }, details)]
      : []),
    finding("Processor time of one delivery, two workers vs one", "µs", processor, { most: 1.1 }, details),
    finding("Sent twice by two workers", "deliveries", { designwire: two.doubles }, { most: 0 }),
  ]
}

const parts: Readonly<Record<string, (stage: Stage) => Promise<Findings>>> = {
  throughput: waiting,
  streaming,
  workers: twoWorkers,
  traces: ({ bench, own }) => {
    note(`${deliveries} deliveries without traces, with 1 % of them and with all`)
    return traces(bench, own, size)
  },
  kill: ({ bench }) => {
    note("SIGKILL of one of two workers")
    return kill(bench, { rounds })
  },
  arrival: ({ bench, graphileWorker }) => {
    note("Orders on an idle system")
    return arrival(bench, graphileWorker, numberOf("BENCH_SAMPLES", 400))
  },
  commits: ({ bench }) => {
    note("Writers that place orders at the same time")
    return commits(bench, { orders: numberOf("BENCH_ORDERS", 3_000), rounds })
  },
  hanging: ({ bench }) => {
    note("An endpoint that hangs")
    return hanging(bench, { rounds, seconds })
  },
  growth: ({ cleanup }) => {
    note("Claims and settles among many deliveries and endpoints")
    const [pending, waiting] = [numberOf("BENCH_PENDING", 1_000_000), numberOf("BENCH_WAITING", 100_000)]
    return growth(cleanup, { pending, waiting, calls: numberOf("BENCH_CALLS", 300) })
  },
  figures: ({ cleanup }) => {
    note("Settlements with and without the counts of attempts")
    return figures(cleanup, { deliveries: deliveries / 4, rounds: 2 * rounds + 1 })
  },
  held: ({ bench }) => {
    note("Alongside a transaction that stays open")
    return heldTransaction(bench, { seconds: numberOf("BENCH_HELD", 600), settled: numberOf("BENCH_SETTLED", 0) })
  },
  isolation: async ({ bench }) => {
    note("Shops in trouble")
    const others = await isolation(bench, { seconds: 2 * seconds })
    return [...others, ...(await newcomers(bench, { seconds: 2 * seconds }))]
  },
  newcomers: ({ bench }) => {
    note("Newcomers alongside endpoints that hang")
    return newcomers(bench, { seconds: 2 * seconds })
  },
  pace: ({ bench }) => {
    note("An endpoint with a pace")
    return pace(bench, { seconds: 3 * seconds })
  },
}

/** `held` takes long, and `newcomers` is a part of `isolation`: only `BENCH_ONLY` runs them by themselves. */
const only = chosen(Object.keys(parts).filter((part) => part !== "held" && part !== "newcomers"))

const measure = async (cleanup: Cleanup) => {
  const stage = await prepare(cleanup)
  const findings: Array<Finding> = []
  for (const [part, find] of Object.entries(parts)) if (only.includes(part)) findings.push(...(await find(stage)))
  return findings
}

/** Compares Designwire's runs with graphile-worker's, of whose rate they have to reach `share`, and undici's alone. */
const throughput = (name: string, runs: ReadonlyMap<string, Run>, share: number): ReadonlyArray<Finding> => {
  const of = (contender: string, figure: "perSecond" | "postgres" | "log" | "memory") =>
    runs.get(contender)?.[figure] ?? Number.NaN
  const designwire = of("designwire", "perSecond")
  const details = Object.fromEntries(runs)
  const versus = (contender: string, least: number) => {
    const rates = { designwire, other: of(contender, "perSecond") }
    return finding(`${name} vs ${contender}`, "deliveries/s", rates, { least }, details)
  }
  const cost = (what: string, unit: string, figure: "postgres" | "log" | "memory", most: number) =>
    finding(`${name}, ${what}`, unit, { designwire: of("designwire", figure) }, { most })
  return [
    versus("graphile-worker", share),
    ...(runs.has(bareRequest.name) ? [versus(bareRequest.name, 0.52)] : []),
    cost("Postgres of one delivery", "µs", "postgres", 75),
    cost("log of one delivery", "bytes", "log", 900),
    cost("memory", "MiB", "memory", 200),
  ]
}

await main(async () => {
  const findings = await withCleanup(measure)
  const context = { deliveries, rounds, processors: availableParallelism(), node: process.version }
  print("deliver", { findings, context }, (bar) => ("least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`))
})
