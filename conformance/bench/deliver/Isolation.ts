/** The cost of shops in trouble for the others (D45). */
import { type Health, healthy } from "../../../core/model/Health.ts"
import { pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { inChunks } from "./Contender.ts"
import { makeEvent, type StagedShop } from "./Events.ts"
import { steadyLoad } from "./Load.ts"
import { commitEvents, stageShop, troubled } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Healthy shops, and events per second in all of them together. */
const [healthyShops, eventsPerSecond] = [20, 40]

/** Shops in trouble, endpoints per shop and deliveries per endpoint. */
const [shops, endpoints, deliveries] = [200, 5, 4]

/** Orders of the shop that places many at once. */
const orders = 100_000

/**
 * The time from commit to arrival of healthy shops' deliveries, with one default worker, alongside each kind of
 * trouble.
 */
export const isolation = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  { seconds }: { readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const stage = (name: string, count: number, urls: ReadonlyArray<string>, health: Health) =>
    Promise.all(Array.from({ length: count }, (_, index) => stageShop(stores, `${name}${index}`, urls, secret, health)))
  const commit = ({ shop }: StagedShop, count: number) =>
    commitEvents(
      stores,
      shop.id,
      Array.from({ length: count }, () => makeEvent(shop)),
    )

  const quiet = await stage("a-quiet", healthyShops / 2, [`${receiver.url}/quiet`], healthy)
  // Half of them sort before the shops in trouble, half after them.
  quiet.push(...(await stage("z-quiet", healthyShops / 2, [`${receiver.url}/quiet`], healthy)))

  const troubles: ReadonlyArray<{ readonly name: string; readonly begin: (name: string) => Promise<unknown> }> = [
    { name: "no trouble", begin: async () => undefined },
    ...[
      { name: "endpoints that hang", url: `${receiver.url}/hang` },
      { name: "endpoints that drip", url: `${receiver.url}/drip` },
      { name: "endpoints that answer 500 after 4.9 s", url: `${receiver.url}/late` },
      { name: "endpoints that refuse", url: "http://127.0.0.1:1" },
    ].map(({ name, url }) => ({
      name: `${shops * endpoints} ${name}`,
      begin: async (id: string) => {
        const urls = Array.from({ length: endpoints }, (_, index) => `${url}/${index}`)
        const staged = await stage(id, shops, urls, troubled)
        await Promise.all(staged.map((one) => commit(one, deliveries)))
      },
    })),
    {
      name: `a shop that places ${orders} orders at once`,
      begin: async (id) => {
        const [one] = await stage(id, 1, [`${receiver.url}/many`], healthy)
        if (one !== undefined) await inChunks(orders, (count) => commit(one, count))
      },
    },
  ]

  const findings: Array<Finding> = []
  for (const [index, { begin, name }] of troubles.entries()) {
    await tidy(sql)
    await receiver.take()
    await begin(`m-trouble${index}-`)
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    worker.begin()
    const committed = await steadyLoad(stores, quiet, { seconds, eventsPerSecond })
    // Deliveries that have not arrived by then waited longer than this.
    const patience = 10_000
    await pause(patience)
    const arrivals = await receiver.take()
    const waits = percentiles([...committed].map(([id, at]) => (arrivals.get(id)?.at ?? at + patience) - at))
    await worker.stop()
    await sql`DELETE FROM designwire.deliveries WHERE queue IS NOT NULL`
    findings.push(
      finding(
        `Commit until arrival, p99, alongside ${name}`,
        "ms",
        { designwire: waits.p99 },
        { most: 150 },
        { waits },
      ),
    )
  }
  return findings
}
