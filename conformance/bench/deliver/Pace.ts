/** The rate of an endpoint with a pace alongside many busy ones, and its cost for them (D54). */

import { healthy } from "../../../core/model/Health.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { changing } from "../../../core/rules/webhooks/EndpointUpdates.ts"
import { pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { deliveryId, makeEvent, type StagedShop } from "./Events.ts"
import { steadyLoad } from "./Load.ts"
import { commitEvents, stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Busy shops, endpoints of each, and events per second in all of them together. */
const [shops, endpoints, eventsPerSecond] = [200, 5, 60]

const maxPerSecond = 10

/** With two default workers: how long busy endpoints' deliveries take, without and alongside one with a backlog. */
export const pace = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  { seconds }: { readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const urls = Array.from({ length: endpoints }, (_, index) => `${receiver.url}/busy/${index}`)
  const busy: Array<StagedShop> = []
  for (let shop = 0; shop < shops; shop++) busy.push(await stageShop(stores, `busy${shop}`, urls, secret, healthy))
  const paced = await stageShop(stores, "paced", [`${receiver.url}/paced`], secret, healthy)
  const [pacedId = ""] = paced.endpoints
  await stores.runPromise(
    EndpointStore.use((store) => store.update(paced.shop.id, pacedId, changing({ options: { maxPerSecond } }))),
  )

  const measure = async (backlog: number) => {
    await tidy(sql)
    await receiver.take()
    const events = Array.from({ length: backlog }, () => makeEvent(paced.shop))
    if (backlog > 0) await commitEvents(stores, paced.shop.id, events)
    const workers = [
      await startWorker("./designwire.ts", environment, cleanup),
      await startWorker("./designwire.ts", environment, cleanup),
    ]
    for (const worker of workers) worker.begin()
    const committed = await steadyLoad(stores, busy, { seconds, eventsPerSecond })
    await pause(1_000)
    const arrivals = await receiver.take()
    for (const worker of workers) await worker.stop()
    await sql`DELETE FROM designwire.deliveries WHERE queue IS NOT NULL`
    const waits = percentiles([...committed].map(([id, at]) => (arrivals.get(id)?.at ?? Number.POSITIVE_INFINITY) - at))
    const times = events
      .flatMap(({ id }) => arrivals.get(deliveryId(id, pacedId))?.at ?? [])
      .sort((one, other) => one - other)
    return { waits, times }
  }

  const alone = await measure(0)
  const { times, waits } = await measure((seconds + 60) * maxPerSecond)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const rate = ((times.length - 1) * 1_000) / (last - first)
  const most = Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length))
  const gaps = percentiles(times.slice(1).map((at, index) => at - (times[index] ?? 0)))
  const beside = `alongside ${shops * endpoints} busy ones`
  return [
    finding(
      `Deliveries of an endpoint at ${maxPerSecond} a second, ${beside}`,
      "/s",
      { designwire: rate },
      { least: maxPerSecond * 0.99 },
      { most, gaps },
    ),
    finding(
      "Commit until arrival at busy endpoints, p99, alongside one with a pace and a backlog",
      "ms",
      { designwire: waits.p99, other: alone.waits.p99 },
      { most: 1.1 },
      { waits, alone: alone.waits },
    ),
  ]
}
