/**
 * What embedding costs: the time to place an order in a transaction of one's own through `pg` and postgres.js, compared
 * with Effect's driver, which the standalone host uses; and the time from the COMMIT to the arrival of the delivery, by
 * the worker of the same process, which hears of it by LISTEN.
 *
 * Run with `npm run bench:embed`; the last line is JSON. `BENCH_ROUNDS` (9), `BENCH_ORDERS` (of one round, 100),
 * `BENCH_SAMPLES` (of the time to arrival, 200) and `BENCH_ONLY` (some of `place,arrival`) make it shorter;
 * `TEST_DATABASE_URL` names a Postgres server to use rather than one of its own.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { format } from "../../core/model/Instant.ts"
import { startReceiver } from "./deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "./deliver/Stage.ts"
import { type Backend, overPg, overPostgresJs, own, type Placed } from "./embed/Backends.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { instant, pause } from "./support/Clock.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"
import { alternate } from "./support/Rounds.ts"
import { sample } from "./support/Sample.ts"
import { seedDesigns, tidy } from "./support/Seed.ts"
import { median, percentiles } from "./support/Statistics.ts"

const only = chosen(["place", "arrival"])
const rounds = numberOf("BENCH_ROUNDS", 9)
const orders = numberOf("BENCH_ORDERS", 100)
const samples = numberOf("BENCH_SAMPLES", 200)
const warmUp = 2

const measure = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  note("Starting Postgres and the receiver")
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const receiver = await startReceiver(secret, cleanup)
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  await sql`CREATE TABLE my_orders (id text PRIMARY KEY)`
  const { shop } = await stageShop(stores, "embed", [`${receiver.url}/embed`], secret)
  const { designs } = sample(shop, { designs: 3 * ((warmUp + rounds) * orders + samples), orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)

  let next = 0
  const order = (): Placed => {
    const id = `order${next}`
    const designId = designs[next++]?.id ?? ""
    return { id, name: `#${id}`, orderedAt: format(Date.now()), lines: [{ designId, lineItemId: id }] }
  }
  const keys = key.toString("base64")
  const backends = [
    await own(stores, url, keys, cleanup),
    await overPg(url, keys, cleanup),
    await overPostgresJs(url, keys, cleanup),
  ]
  const findings: Array<Finding> = []

  if (only.includes("place")) {
    note("Orders in transactions")
    const times = await alternate(backends, { rounds, warmUp }, (backend) =>
      place(backend, shop.id, Array.from({ length: orders }, order)),
    )
    const of = (name: string) => median(times.get(name) ?? [])
    const other = of("own driver")
    const details = { rounds: Object.fromEntries(times) }
    for (const { name } of backends.slice(1)) {
      const title = `An order in a transaction of ${name}, compared with our own driver`
      findings.push(finding(title, "ms", { designwire: of(name), other }, { most: 2 }, details))
    }
    // None of them is to be delivered in what follows.
    await sql`DELETE FROM designwire.deliveries`
  }
  if (only.includes("arrival")) {
    for (const backend of backends) {
      note(`From COMMIT to arrival, ${backend.name}`)
      const commits = await placeAtRandom(backend, shop.id, Array.from({ length: samples }, order))
      await receiver.expect(samples)
      const arrivals = await receiver.take()
      const deliveries = await sql<Array<{ id: string; order: string }>>`
        SELECT d.id, e.body::jsonb #>> '{data,design,order,id}' AS "order" FROM designwire.deliveries d
        JOIN designwire.events e ON e.shop = d.shop AND e.id = d.event_id WHERE d.shop = ${shop.id}`
      await backend.designwire.stop()
      const latencies = deliveries.flatMap(({ id, order }) => {
        const [commit, arrival] = [commits.get(order), arrivals.get(id)]
        return commit === undefined || arrival === undefined ? [] : [arrival.at - commit]
      })
      const measured = percentiles(latencies)
      const details = { samples: latencies.length, ...measured }
      const name = `From COMMIT to arrival, ${backend.name}, median`
      findings.push(finding(name, "ms", { designwire: measured.p50 }, { most: 50 }, details))
    }
  }
  return findings
}

/** Places orders one after the other; answers the median of their times in milliseconds. */
const place = async (backend: Backend, shop: string, placed: ReadonlyArray<Placed>): Promise<number> => {
  const times: Array<number> = []
  for (const order of placed) {
    const begin = instant()
    await backend.place(shop, order)
    times.push(instant() - begin)
  }
  return median(times)
}

/** Places orders at random moments while its worker runs; answers when COMMIT was sent for each. */
const placeAtRandom = async (
  backend: Backend,
  shop: string,
  placed: ReadonlyArray<Placed>,
): Promise<ReadonlyMap<string, number>> => {
  await backend.designwire.start()
  await pause(1_000)
  const commits = new Map<string, number>()
  for (const order of placed) {
    commits.set(order.id, await backend.place(shop, order))
    await pause(20 + 40 * Math.random())
  }
  return commits
}

await main(async () => {
  const findings = await withCleanup(measure)
  const context = { rounds, orders, samples, processors: availableParallelism(), node: process.version }
  print("embed", { findings, context }, (bar) => ("least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`))
})
