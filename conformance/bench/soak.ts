/**
 * A long run of everything at once: orders, one in ten cancelled, reads, deliveries to receivers that fail once in
 * fifty times, and a worker that is killed and restarted ten times. Memory, delays and tables are sampled and drawn,
 * and none may grow after the first half.
 *
 * Run with `npm run bench:soak`; it writes `conformance/bench/soak.svg`, and its last line is JSON. `BENCH_SECONDS` is
 * the duration (600), `BENCH_ORDERS` (20) and `BENCH_READS` (50) are rates per second. `TEST_DATABASE_URL` names an
 * existing Postgres server.
 */
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { format } from "../../core/model/Instant.ts"
import { cancelOrder } from "../../core/usecases/orders/CancelOrder.ts"
import { placeOrder } from "../../core/usecases/orders/PlaceOrder.ts"
import { startReceiver } from "./deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "./deliver/Stage.ts"
import { startWorker } from "./deliver/Worker.ts"
import { fetchPage } from "./read/FetchPage.ts"
import { startServer } from "./read/Server.ts"
import { chart } from "./soak/Chart.ts"
import { type Sample, Times, take } from "./soak/Sample.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { instant, pause } from "./support/Clock.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { finding, print, type Report } from "./support/Report.ts"
import { sample } from "./support/Sample.ts"
import { seedDesigns, seedShop, shopOf, tidy } from "./support/Seed.ts"
import { median } from "./support/Statistics.ts"

const seconds = numberOf("BENCH_SECONDS", 600)
const [ordersPerSecond, readsPerSecond] = [numberOf("BENCH_ORDERS", 20), numberOf("BENCH_READS", 50)]

/** Number of samples, and of worker restarts. */
const [samples, restarts] = [120, 10]

/** Does something at a rate per second until an instant, catching up if it is late. */
const paced = async (perSecond: number, until: number, act: (index: number) => Promise<unknown>): Promise<void> => {
  const begin = instant()
  const underWay = new Set<Promise<unknown>>()
  for (let index = 0; instant() < until; index++) {
    const acting = act(index).finally(() => underWay.delete(acting))
    underWay.add(acting)
    await pause(Math.max(0, begin + ((index + 1) * 1_000) / perSecond - instant()))
  }
  await Promise.all(underWay)
}

const timed = async (times: Times, act: () => Promise<unknown>): Promise<void> => {
  const begin = instant()
  await act()
  times.add(instant() - begin)
}

/** Starts everything, with designs for all orders of the run. */
const prepare = async (cleanup: Cleanup) => {
  note("Starting Postgres, the server, the worker and the receiver")
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const receiver = await startReceiver(secret, cleanup)
  const [token] = await seedShop(sql, shopOf("soak"), 1)
  const urls = [0, 1, 2].map((endpoint) => `${receiver.url}/some/${endpoint}`)
  const { shop } = await stageShop(stores, "soak", urls, secret)
  const { designs } = sample(shop, { designs: Math.ceil(1.2 * seconds * ordersPerSecond) + 100, orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  const environment = {
    DATABASE_URL: url,
    KEY: key.toString("base64"),
    SECRET: secret,
    ORIGIN: receiver.url,
    LIMIT: "off",
  }
  const server = await startServer("./designwire.mjs", environment, cleanup)
  const begin = async () => {
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    worker.begin()
    return worker
  }
  return { sql, stores, shop, designs, server, token: token as string, begin }
}

type Stage = Awaited<ReturnType<typeof prepare>>

/** Orders, reads and restarts for as long as the run takes, with samples of what they take. */
const runAll = async ({ begin, designs, server, shop, sql, stores, token }: Stage) => {
  let worker = await begin()
  const [reads, orders] = [new Times(), new Times()]
  let placed = 0
  const place = async (index: number) => {
    const id = `order${index}`
    const order = {
      name: `#${index}`,
      orderedAt: format(Date.now()),
      lines: [{ designId: designs[index]?.id as string, lineItemId: `line${index}` }],
    }
    await timed(orders, () => stores.runPromise(Effect.orDie(placeOrder(shop.id, id, order))))
    placed = index
    if (index % 10 === 9) await stores.runPromise(Effect.orDie(cancelOrder(shop.id, id)))
  }
  const read = (index: number) => {
    const paths = ["/orders?limit=25", `/designs/${designs[placed]?.id}`, "/orders?limit=5&orderedAfter=2026-01-01"]
    return timed(reads, () => fetchPage(server.port, token, `/api/v1${paths[index % paths.length]}`))
  }
  const until = instant() + 1_000 * seconds
  const restarting = paced(restarts / seconds, until - (1_000 * seconds) / restarts, async (index) => {
    if (index === 0) return
    await worker.stop()
    worker = await begin()
  })
  const taken: Array<Sample> = []
  const interval = (1_000 * seconds) / samples
  const sampling = paced(samples / seconds, until, async (index) => {
    if (index === 0) return
    const processes = { server: server.pid, worker: worker.pid }
    taken.push(await take(sql, new Date(Date.now() - interval), processes, { reads, orders }))
  })
  note(`${seconds} seconds of orders, reads, deliveries and restarts`)
  await Promise.all([paced(ordersPerSecond, until, place), paced(readsPerSecond, until, read), sampling, restarting])
  return { taken, orders: placed + 1 }
}

const draw = async (taken: ReadonlyArray<Sample>): Promise<void> => {
  const curve = (name: string, of: keyof Sample) => ({ name, values: taken.map((one) => one[of]) })
  const charts = [
    { title: "Memory in MiB", curves: [curve("server", "server"), curve("worker", "worker")] },
    {
      title: "99th percentile in ms",
      curves: [curve("reads", "read"), curve("orders", "order"), curve("from event to attempt", "delivery")],
    },
    { title: "Tables in MiB", curves: [curve("all", "tables")] },
    { title: "Orders", curves: [curve("stored", "orders")] },
  ]
  const file = fileURLToPath(new URL("soak.svg", import.meta.url))
  await writeFile(file, chart(charts, seconds / 60))
  note(`Wrote ${file}`)
}

/** Compares the end of a run with its middle. */
const compareHalves = (taken: ReadonlyArray<Sample>): Report["findings"] => {
  const half = Math.floor(taken.length / 2)
  const tenth = Math.max(1, Math.floor(taken.length / 10))
  const around = (of: (one: Sample) => number, from: number, to: number) =>
    median(taken.slice(from, to).map(of).filter(Number.isFinite))
  const compare = (name: string, unit: string, of: (one: Sample) => number, most: number) =>
    finding(
      `${name}: the last tenth vs the tenth after the first half`,
      unit,
      { designwire: around(of, taken.length - tenth, taken.length), other: around(of, half, half + tenth) },
      { most },
    )
  return [
    compare("Memory of the server", "MiB", ({ server }) => server, 1.1),
    compare("Memory of the worker", "MiB", ({ worker }) => worker, 1.25),
    compare("p99 of reads", "ms", ({ read }) => read, 1.5),
    compare("p99 of orders", "ms", ({ order }) => order, 1.5),
    compare("p99 from event to attempt", "ms", ({ delivery }) => delivery, 1.5),
    compare("Tables per order", "KiB", ({ orders, tables }) => (1_024 * tables) / orders, 1.1),
  ]
}

const soak = async (cleanup: Cleanup): Promise<Report> => {
  const { orders, taken } = await runAll(await prepare(cleanup))
  await draw(taken)
  return {
    findings: compareHalves(taken),
    context: { seconds, ordersPerSecond, readsPerSecond, restarts, orders, node: process.version },
  }
}

await main(async () => {
  print("soak", await withCleanup(soak), (bar) => ("least" in bar ? bar.least : bar.most))
})
