/** The cost of an endpoint that accepts and never answers, for the others. */
import { pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { medians, percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { inChunks } from "./Contender.ts"
import { makeEvent, type StagedShop } from "./Events.ts"
import { steadyLoad } from "./Load.ts"
import { commitEvents, stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Events per second, each with a delivery to all five endpoints of its shop. */
const eventsPerSecond = 20

/** Due deliveries of the hanging endpoint. */
const backlog = 10_000

/** Milliseconds, longer than the longest attempt. */
const attempt = 5_500

/**
 * A steady load for 50 endpoints, alternating without and with 10,000 due deliveries of a hanging one. The failures of
 * that one are reset continuously: otherwise it would be switched off after 20 attempts, and its backlog would end.
 */
export const hanging = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  size: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const shops: Array<StagedShop> = []
  for (let shop = 0; shop < 10; shop++) {
    const urls = Array.from({ length: 5 }, (_, endpoint) => `${receiver.url}/healthy/${shop}/${endpoint}`)
    shops.push(await stageShop(stores, `healthy${shop}`, urls, secret))
  }
  // Its id sorts between the others.
  const stuck = await stageShop(stores, "healthy5hanging", [`${receiver.url}/hang`], secret)
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()

  const load = async (seconds: number) => {
    const committed = await steadyLoad(stores, shops, { seconds, eventsPerSecond })
    await receiver.expect(committed.size)
    const arrivals = await receiver.take()
    return percentiles([...committed].map(([id, at]) => (arrivals.get(id)?.at ?? Number.NaN) - at))
  }

  const fill = () =>
    inChunks(backlog, (count) =>
      commitEvents(
        stores,
        stuck.shop.id,
        Array.from({ length: count }, () => makeEvent(stuck.shop)),
      ),
    )
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
    await tidy(sql)
    without.push(await load(size.seconds))
    await fill()
    await tidy(sql)
    const measured = load(size.seconds)
    await keepOn(measured)
    beside.push(await measured)
    await empty()
  }
  await worker.stop()
  const middle = { beside: medians(beside, ["p50", "p99"]), without: medians(without, ["p50", "p99"]) }
  return [
    finding(
      "Commit until arrival, p99, beside an endpoint that hangs vs without",
      "ms",
      { designwire: middle.beside.p99, other: middle.without.p99 },
      { most: 1.5 },
      { p50: { beside: middle.beside.p50, without: middle.without.p50 }, beside, without },
    ),
  ]
}
