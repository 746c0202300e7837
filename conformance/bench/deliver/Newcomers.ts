/** How soon newcomers are served beside endpoints that hang (D45). */
import { type Health, healthy, newHealth } from "../../../core/model/Health.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { instant, pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { deliveryId, makeEvent, type StagedShop } from "./Events.ts"
import { commitEvents, stageShop, troubled } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Shops with endpoints that hang, endpoints per shop and deliveries per endpoint. */
const [shops, endpoints, deliveries] = [200, 5, 4]

/** Milliseconds between probes. */
const every = 100

/** The time from commit to arrival of newcomers' deliveries with one default worker beside 1,000 hanging endpoints. */
export const newcomers = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  { seconds }: { readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const commit = ({ shop }: StagedShop, count: number) => {
    const events = Array.from({ length: count }, () => makeEvent(shop))
    return commitEvents(stores, shop.id, events).then(() => events.map(({ id }) => id))
  }
  let staged = 0
  const newShop = (path: string, health: Health) =>
    stageShop(stores, `newcomer${staged++}`, [`${receiver.url}${path}/${staged}`], secret, health)
  const first = async (shop: StagedShop) => {
    const [id = ""] = await commit(shop, 1)
    return deliveryId(id, shop.endpoints[0] ?? "")
  }

  /** Each adds one delivery of a newcomer and returns its id. */
  const probes: Readonly<Record<string, () => Promise<string>>> = {
    "the first delivery to a new endpoint": async () => first(await newShop("/new", newHealth)),
    "a test event to a new endpoint": async () => {
      const { endpoints, shop } = await newShop("/test", newHealth)
      const [endpointId = ""] = endpoints
      const event = { ...makeEvent(shop), event: "ping" as const, test: true }
      const now = Date.now()
      const id = deliveryId(event.id, endpointId)
      const of = { shop: shop.id, id, endpointId, eventId: event.id, event: event.event, test: true }
      const delivery = { ...of, status: "pending" as const, createdAt: now, nextAttemptAt: now, attempts: [] }
      await stores.runPromise(DeliveryQueue.use((queue) => queue.add(delivery, event)))
      return id
    },
    "the next delivery after one 500": async () => {
      const shop = await newShop("/once", healthy)
      await first(shop)
      while ((await sql`SELECT 1 FROM designwire.endpoints WHERE shop = ${shop.shop.id} AND NOT proven`).length === 0)
        await pause(5)
      return first(shop)
    },
  }

  const hanging = Array.from({ length: endpoints }, (_, index) => `${receiver.url}/hang/${index}`)
  for (let shop = 0; shop < shops; shop++) {
    await commit(await stageShop(stores, `hanging${shop}`, hanging, secret, troubled), deliveries)
  }
  await tidy(sql)
  await receiver.take()
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()
  await pause(2_000)
  const findings: Array<Finding> = []
  for (const [name, probe] of Object.entries(probes)) {
    const added = new Map<string, number>()
    const end = instant() + (seconds * 1_000) / 2
    while (instant() < end) {
      const id = await probe()
      added.set(id, instant())
      await pause(every)
    }
    const patience = 10_000
    await pause(patience)
    const arrivals = await receiver.take()
    const waits = percentiles([...added].map(([id, at]) => (arrivals.get(id)?.at ?? at + patience) - at))
    const title = `Commit until arrival, p99, of ${name}, beside ${shops * endpoints} endpoints that hang`
    findings.push(finding(title, "ms", { designwire: waits.p99 }, { most: 250 }, { waits }))
  }
  await worker.stop()
  await sql`DELETE FROM designwire.deliveries WHERE queue IS NOT NULL`
  return findings
}
