/** What an endpoint that accepts and never answers costs the others. */
import type postgres from "postgres"
import { median } from "../read/Compare.ts"
import { instant } from "./Clock.ts"
import { deliveryId, makeEvent, type StagedShop } from "./Events.ts"
import { type Finding, finding } from "./Report.ts"
import { commitEvents, type Stores, stageShop } from "./Stage.ts"
import { percentiles } from "./Statistics.ts"
import type { Bench } from "./Throughput.ts"
import { startWorker } from "./Worker.ts"

/** Events per second, each with a delivery to all five endpoints of its shop. */
const eventsPerSecond = 20

/** Deliveries that are due to the endpoint that hangs. */
const backlog = 10_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Longer than an attempt may last. */
const attempt = 5_500

/**
 * A steady load for 50 endpoints, in turn without and with 10,000 deliveries due to another one that hangs. That one is kept from
 * being switched off, which would be the end of its backlog after 20 attempts.
 */
export const hanging = async (
  sql: postgres.Sql,
  stores: Stores,
  secret: string,
  bench: Bench,
  size: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const { cleanup, environment, receiver, tidy } = bench
  const shops: Array<StagedShop> = []
  for (let shop = 0; shop < 10; shop++) {
    const urls = Array.from({ length: 5 }, (_, endpoint) => `${receiver.url}/healthy/${shop}/${endpoint}`)
    shops.push(await stageShop(stores, `healthy${shop}`, urls, secret))
  }
  // In the order of endpoints it lies between the others.
  const stuck = await stageShop(stores, "healthy5hanging", [`${receiver.url}/hang`], secret)
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()

  const load = async (seconds: number) => {
    const committed = new Map<string, number>()
    const commits: Array<Promise<void>> = []
    const events = Math.round(seconds * eventsPerSecond)
    const begin = instant()
    for (let index = 0; index < events; index++) {
      await pause(Math.max(0, begin + (index * 1_000) / eventsPerSecond - instant()))
      const { endpoints, shop } = shops[index % shops.length] as StagedShop
      const event = makeEvent(shop)
      commits.push(
        commitEvents(stores, shop.id, [event]).then(() => {
          const at = instant()
          for (const endpoint of endpoints) committed.set(deliveryId(event.id, endpoint), at)
        }),
      )
    }
    await Promise.all(commits)
    await receiver.expect(committed.size)
    const arrivals = await receiver.take()
    return percentiles([...committed].map(([id, at]) => (arrivals.get(id)?.at ?? Number.NaN) - at))
  }

  const fill = async () => {
    for (let done = 0; done < backlog; done += 500) {
      await commitEvents(
        stores,
        stuck.shop.id,
        Array.from({ length: 500 }, () => makeEvent(stuck.shop)),
      )
    }
  }
  const empty = async () => {
    await sql`DELETE FROM designwire.deliveries WHERE shop = ${stuck.shop.id}`
    await sql`DELETE FROM designwire.events WHERE shop = ${stuck.shop.id}`
    await pause(attempt)
  }
  const keepOn = async (until: Promise<unknown>) => {
    let over = false
    void until.finally(() => {
      over = true
    })
    while (!over) {
      await sql`UPDATE designwire.endpoints SET consecutive_failures = 0 WHERE shop = ${stuck.shop.id}`
      await pause(1_000)
    }
  }

  await load(3)
  const without: Array<ReturnType<typeof percentiles>> = []
  const beside: Array<ReturnType<typeof percentiles>> = []
  for (let round = 0; round < size.rounds; round++) {
    await tidy()
    without.push(await load(size.seconds))
    await fill()
    await tidy()
    const measured = load(size.seconds)
    await keepOn(measured)
    beside.push(await measured)
    await empty()
  }
  await worker.stop()
  const middle = (of: ReadonlyArray<ReturnType<typeof percentiles>>, share: "p50" | "p99") =>
    median(of.map((one) => one[share]))
  return [
    finding(
      "Commit until arrival, p99, beside an endpoint that hangs vs without",
      "ms",
      { designwire: middle(beside, "p99"), other: middle(without, "p99") },
      { most: 1.5 },
      { p50: { beside: middle(beside, "p50"), without: middle(without, "p50") }, beside, without },
    ),
  ]
}
