/** The time from a change to its arrival on an idle system, compared with a job of graphile-worker. */
import { Effect, Layer, Redacted } from "effect"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { defaultWorker } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import * as WorkerHost from "../../../hosts/worker/index.ts"
import { instant, pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { type Contender, settledIn } from "./Contender.ts"
import { receiverPolicy, stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Warm-up orders, not measured. */
const warmUp = 50

/** A source of one delivery. */
interface Source {
  readonly name: string
  readonly place: () => Promise<unknown>
}

interface Times {
  readonly fromCall: number
  readonly fromAnswer: number
}

/** Makes sources create deliveries in turn, at random moments. */
const measure = async ({ receiver }: Bench, sources: ReadonlyArray<Source>, samples: number) => {
  const times = await alternate(sources, { rounds: samples, warmUp }, async ({ place }): Promise<Times> => {
    await pause(20 + 40 * Math.random())
    const arrived = receiver.expect(1)
    const begin = instant()
    await place()
    const end = instant()
    await arrived
    const [arrival] = (await receiver.take()).values()
    const at = arrival?.at ?? Number.NaN
    return { fromCall: at - begin, fromAnswer: at - end }
  })
  return (name: string, from: keyof Times) => percentiles((times.get(name) ?? []).map((time) => time[from]))
}

/**
 * Places orders with one design and therefore one delivery each: with a worker of another host, alternating with
 * `other`, then with a worker of the same host.
 */
export const arrival = async (bench: Bench, other: Contender, samples: number): Promise<ReadonlyArray<Finding>> => {
  const { cleanup, environment, receiver, secret, sql, stores } = bench
  const { shop } = await stageShop(stores, "arrival", [`${receiver.url}/arrival`], secret)
  const { designs } = sample(shop, { designs: 2 * (warmUp + samples), orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  let placed = 0
  const place = () => {
    const index = placed++
    const order = {
      name: `#${index}`,
      orderedAt: format(Date.now()),
      lines: [{ designId: designs[index]?.id as string, lineItemId: `line${index}` }],
    }
    return stores.runPromise(Effect.orDie(placeOrder(shop.id, `order${index}`, order)))
  }
  const settled = async () => {
    // A delivery that is sent but not settled would be sent again and counted in another measurement.
    while (!(await settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"))) await pause(20)
  }

  const workers = [
    await startWorker("./designwire.ts", environment, cleanup),
    await startWorker(other.file, environment, cleanup),
  ]
  for (const worker of workers) worker.begin()
  await pause(1_000)
  const sources = [
    { name: "another host", place },
    { name: other.name, place: () => other.enqueue(1) },
  ]
  const apart = await measure(bench, sources, samples)
  await settled()
  for (const worker of workers) await worker.stop()

  const worker = WorkerHost.layer({
    keyRing: { keys: [Redacted.make(Buffer.from(environment["KEY"] as string, "base64"))] },
    webhookPolicy: receiverPolicy,
    worker: defaultWorker,
  })
  const stop = new AbortController()
  const working = stores.runPromise(Layer.launch(worker), { signal: stop.signal }).catch(() => undefined)
  await pause(1_000)
  const together = await measure(bench, [{ name: "the same host", place }], samples)
  await settled()
  stop.abort()
  await working

  const of = (name: string, times: typeof apart) => {
    const measured = times(name, "fromCall")
    const details = { samples, fromCall: measured, fromAnswer: times(name, "fromAnswer") }
    return [
      finding(`Order placed until arrival, ${name}, median`, "ms", { designwire: measured.p50 }, { most: 6 }, details),
      finding(`Order placed until arrival, ${name}, p99`, "ms", { designwire: measured.p99 }, { most: 20 }),
    ]
  }
  const medians = { designwire: apart("another host", "fromCall").p50, other: apart(other.name, "fromCall").p50 }
  const details = { fromCall: apart(other.name, "fromCall"), fromAnswer: apart(other.name, "fromAnswer") }
  return [
    ...of("another host", apart),
    ...of("the same host", together),
    finding(`Order placed until arrival vs a job of ${other.name}, median`, "ms", medians, { most: 1.5 }, details),
  ]
}
