/** How soon newcomers are served alongside endpoints that hang (D45). */
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
const every = 50

/** Shops with one new endpoint each, which hangs. */
const hangingNewcomers = [60, 1_000]

/** Milliseconds of probes alongside them: an attempt takes 5 s, and then they are newcomers no longer. */
const besideNewcomers = 6_000

/** Milliseconds: a delivery that has not arrived by then waited longer than this. */
const patience = 10_000

const makeStage = ({ receiver, secret, stores }: Bench) => {
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
  return {
    commit,
    newShop,
    first,
    /** Adds the first delivery of a new endpoint, and returns its id. */
    firstDelivery: async () => first(await newShop("/new", newHealth)),
    /** Adds a test event to a new endpoint, and returns the id of its delivery. */
    testEvent: async () => {
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
  }
}

type Probes = Readonly<Record<string, () => Promise<string>>>

/** Adds a delivery by each probe in turn for some milliseconds, and finds how long they took, by probe. */
const probeFor = async (bench: Bench, probes: Probes, milliseconds: number) => {
  const added: Array<{ readonly name: string; readonly id: string; readonly at: number }> = []
  const end = instant() + milliseconds
  while (instant() < end) {
    for (const [name, probe] of Object.entries(probes)) {
      const id = await probe()
      added.push({ name, id, at: instant() })
      await pause(every)
    }
  }
  await pause(patience)
  const arrivals = await bench.receiver.take()
  return added.map(({ at, id, name }) => ({ name, wait: (arrivals.get(id)?.at ?? at + patience) - at }))
}

const judged = (name: string, beside: string, all: ReadonlyArray<{ readonly name: string; readonly wait: number }>) => {
  const waits = percentiles(all.filter((one) => one.name === name).map(({ wait }) => wait))
  const title = `Commit until arrival, p99, of ${name}, alongside ${beside}`
  return finding(title, "ms", { designwire: waits.p99 }, { most: 250 }, { waits })
}

/**
 * The time from commit to arrival of newcomers' deliveries with one default worker alongside 1,000 hanging endpoints.
 */
export const newcomers = async (
  bench: Bench,
  { seconds }: { readonly seconds: number },
): Promise<ReadonlyArray<Finding>> => {
  const { cleanup, environment, receiver, secret, sql, stores } = bench
  const { commit, first, firstDelivery, newShop, testEvent } = makeStage(bench)
  const probes: Probes = {
    "the first delivery to a new endpoint": firstDelivery,
    "a test event to a new endpoint": testEvent,
    "the next delivery after one 500": async () => {
      const shop = await newShop("/once", healthy)
      await first(shop)
      while ((await sql`SELECT 1 FROM designwire.endpoints WHERE shop = ${shop.shop.id} AND NOT proven`).length === 0)
        await pause(5)
      return first(shop)
    },
  }
  const start = async () => {
    await tidy(sql)
    await receiver.take()
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    worker.begin()
    return worker
  }
  const clear = () => sql`DELETE FROM designwire.deliveries WHERE queue IS NOT NULL`

  const hanging = Array.from({ length: endpoints }, (_, index) => `${receiver.url}/hang/${index}`)
  for (let shop = 0; shop < shops; shop++) {
    await commit(await stageShop(stores, `hanging${shop}`, hanging, secret, troubled), deliveries)
  }
  const worker = await start()
  await pause(2_000)
  const findings: Array<Finding> = []
  for (const [name, probe] of Object.entries(probes)) {
    const waits = await probeFor(bench, { [name]: probe }, (seconds * 1_000) / 2)
    findings.push(judged(name, `${shops * endpoints} endpoints that hang`, waits))
  }
  await worker.stop()
  await clear()

  for (const count of hangingNewcomers) {
    const waits: Array<{ readonly name: string; readonly wait: number }> = []
    for (let round = 0; round < 3; round++) {
      const hanging: Array<StagedShop> = []
      for (let shop = 0; shop < count; shop++) hanging.push(await newShop("/hang", newHealth))
      const beside = await start()
      await pause(1_000)
      await Promise.all(hanging.map((shop) => commit(shop, 1)))
      const { "the next delivery after one 500": _, ...forNew } = probes
      waits.push(...(await probeFor(bench, forNew, besideNewcomers)))
      await beside.stop()
      await clear()
    }
    for (const name of new Set(waits.map((one) => one.name)))
      findings.push(judged(name, `${count} new ones that hang, each of another shop`, waits))
  }
  return findings
}
