/**
 * What a core carries at the top end: two hosts and two workers on one Postgres with a million designs and a hundred
 * thousand pending deliveries. Reads, orders and deliveries a second, each alone and all at once, with the processor
 * time that they take.
 *
 * Run with `npm run bench:capacity`, which takes about three minutes and writes `conformance/bench/capacity.json`, from
 * which `npm run guides` makes the tables of the guide to growing. Shorter runs: `BENCH_SECONDS` (of a run, default
 * 10), `BENCH_DESIGNS` (1,000,000) and `BENCH_PENDING` (100,000).
 */
import { writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import process from "node:process"
import { type Sizes, sizes } from "./capacity/Sizes.ts"
import { startWriter } from "./capacity/Writer.ts"
import { designwire } from "./deliver/Contenders.ts"
import type { StagedShop } from "./deliver/Events.ts"
import { startReceiver } from "./deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "./deliver/Stage.ts"
import { startWorker, type Worker } from "./deliver/Worker.ts"
import { startLoad } from "./read/Load.ts"
import { startServer } from "./read/Server.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { pause } from "./support/Clock.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { postgresUsage } from "./support/PostgresUsage.ts"
import { sample } from "./support/Sample.ts"
import { countOrders, seedDesigns, seedManyOrders, seedShop, shopOf, tidy } from "./support/Seed.ts"

const milliseconds = numberOf("BENCH_SECONDS", 10) * 1_000
const counts = { designs: numberOf("BENCH_DESIGNS", 1_000_000), pending: numberOf("BENCH_PENDING", 100_000) }

/** What was done in a run. */
export interface Carried {
  readonly perSecond: number
  /** Microseconds of processor time of one: in processes of Designwire, and in Postgres. */
  readonly own: number
  readonly postgres: number
  /** Milliseconds of the slowest hundredth; `null` for deliveries, which nobody waits for. */
  readonly p99: number | null
}

type Kind = "reads" | "orders" | "deliveries"

/** The file that the run writes. */
export interface Capacity {
  readonly date: string
  readonly processors: number
  readonly node: string
  readonly designs: number
  readonly pending: number
  readonly alone: Readonly<Record<Kind, Carried>>
  /** All at once; Postgres' time can't be divided among them. */
  readonly together: Readonly<Record<Kind, Omit<Carried, "postgres">>>
  readonly sizes: Sizes
}

const stage = async (cleanup: Cleanup) => {
  note(`Filling Postgres with ${counts.designs} designs`)
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const top = shopOf("top")
  const [token = ""] = await seedShop(sql, top, 1)
  await seedManyOrders(sql, top, { count: counts.designs, first: Date.parse("2024-01-01T00:00:00Z"), span: 6e10 })
  const receiver = await startReceiver(secret, cleanup)
  const shops: Array<StagedShop> = []
  for (let index = 0; index < 8; index++) {
    const urls = Array.from({ length: 5 }, (_, endpoint) => `${receiver.url}/${index}/${endpoint}`)
    const staged = await stageShop(stores, `shop${index}`, urls, secret)
    shops.push(staged)
    const drafts = Math.ceil((milliseconds / 1_000) * 1_000)
    await seedDesigns(sql, sample(staged.shop, { designs: drafts, orders: 0 }).designs)
  }
  await countOrders(sql)
  await tidy(sql)
  const environment = { DATABASE_URL: url, KEY: key.toString("base64"), SECRET: secret, ORIGIN: receiver.url }
  const hosts = [0, 1].map(async () => {
    const server = await startServer("./designwire.mjs", { ...environment, LIMIT: "off", SHOP: top.id }, cleanup)
    const load = startLoad(cleanup)
    const found = await sql<Array<{ id: string; wire: string }>>`SELECT id, wire FROM designwire.designs
      WHERE shop = ${top.id} ORDER BY md5(id) LIMIT 20000`
    const plan = found.map(({ id, wire }) => ({ path: `/api/v1/designs/${id}`, token, body: wire }))
    await load.prepare("designs", plan)
    return { server, load }
  })
  const write = await startWriter({ ...environment, SHOPS: shops.map(({ shop }) => shop.id).join() }, cleanup)
  const workers = () => Promise.all([0, 1].map(() => startWorker("./designwire.ts", environment, cleanup)))
  return { sql, hosts: await Promise.all(hosts), write, workers, queue: designwire(sql, stores, shops) }
}

type Stage = Awaited<ReturnType<typeof stage>>

const sent = async (sql: Stage["sql"]): Promise<number> => {
  const [row] = await sql<Array<{ count: number }>>`SELECT count(*)::int4 AS count FROM designwire.deliveries
    WHERE status = 'succeeded'`
  return row?.count ?? 0
}

/** One kind of work for the time of a run. Returns what it did, with the processor time of its own processes. */
const work: Readonly<Record<Kind, (on: Stage, workers: ReadonlyArray<Worker>) => Promise<Omit<Carried, "postgres">>>> =
  {
    reads: async ({ hosts }) => {
      const usage = async () =>
        (await Promise.all(hosts.map(({ server }) => server.usage()))).reduce((sum, { cpu }) => sum + cpu, 0)
      const before = await usage()
      const run = { plan: "designs", connections: 32, milliseconds }
      const done = await Promise.all(hosts.map(({ load, server }) => load.run({ ...run, port: server.port })))
      const requests = done.reduce((sum, each) => sum + each.requests, 0)
      const perSecond = done.reduce((sum, each) => sum + each.perSecond, 0)
      return {
        perSecond,
        own: (((await usage()) - before) * 1_000) / requests,
        p99: Math.max(...done.map(({ p99 }) => p99)),
      }
    },
    orders: async ({ write }) => {
      const { count, p99, processor } = await write(milliseconds)
      return { perSecond: (count / milliseconds) * 1_000, own: (processor * 1_000) / count, p99 }
    },
    deliveries: async ({ sql }, workers) => {
      const usage = async () =>
        (await Promise.all(workers.map((each) => each.usage()))).reduce((sum, each) => sum + each.processor, 0)
      const before = await usage()
      const first = await sent(sql)
      await pause(milliseconds)
      const count = (await sent(sql)) - first
      return { perSecond: (count / milliseconds) * 1_000, own: (((await usage()) - before) * 1_000) / count, p99: null }
    },
  }

const kinds = ["reads", "orders", "deliveries"] as const

/** Runs some kinds of work at once, over a full queue that workers have begun with. */
const measured = async (on: Stage, chosen: ReadonlyArray<Kind>) => {
  await on.queue.clear()
  await on.queue.enqueue(counts.pending)
  const workers = chosen.includes("deliveries") ? await on.workers() : []
  for (const worker of workers) worker.begin()
  while (workers.length > 0 && (await sent(on.sql)) === 0) await pause(20)
  const before = await postgresUsage(on.sql)
  const done = await Promise.all(chosen.map(async (kind) => [kind, await work[kind](on, workers)] as const))
  const postgres = (await postgresUsage(on.sql)) - before
  await Promise.all(workers.map((worker) => worker.stop()))
  return { done: Object.fromEntries(done) as Record<Kind, Omit<Carried, "postgres">>, postgres }
}

const capacity = async (cleanup: Cleanup): Promise<Capacity> => {
  const on = await stage(cleanup)
  note("Warming")
  await measured(on, ["reads", "orders"])
  const alone: Array<readonly [Kind, Carried]> = []
  for (const kind of kinds) {
    note(`${kind}, alone`)
    const { done, postgres } = await measured(on, [kind])
    alone.push([
      kind,
      { ...done[kind], postgres: (postgres * 1_000) / (done[kind].perSecond * (milliseconds / 1_000)) },
    ])
  }
  note("All at once")
  const { done } = await measured(on, kinds)
  note("What an order keeps")
  return {
    date: new Date().toISOString().slice(0, 10),
    ...{ processors: availableParallelism(), node: process.version, ...counts },
    ...{ alone: Object.fromEntries(alone) as Record<Kind, Carried>, together: done },
    sizes: await sizes(cleanup, milliseconds / 2_000),
  }
}

await main(async () => {
  const found = await withCleanup(capacity)
  const rounded = JSON.stringify(
    found,
    (_, value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value),
    2,
  )
  writeFileSync(new URL("./capacity.json", import.meta.url), `${rounded}\n`)
  console.log(rounded)
})
