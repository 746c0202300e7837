/** How long a change takes to reach its receiver, while nothing else is going on. */
import { Effect } from "effect"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/PlaceOrder.ts"
import { instant, pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { settledIn } from "./Contenders.ts"
import { stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Orders that are placed first and not measured. */
const warmUp = 50

/** Places orders at random moments; each has one design and so one delivery. */
export const arrival = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  samples: number,
): Promise<ReadonlyArray<Finding>> => {
  const { shop } = await stageShop(stores, "arrival", [`${receiver.url}/arrival`], secret)
  const { designs } = sample(shop, { designs: warmUp + samples, orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()
  await pause(1_000)
  const placed = new Map<string, { readonly begin: number; readonly end: number }>()
  for (const [index, design] of designs.entries()) {
    const id = `order${index}`
    const order = {
      name: `#${index}`,
      orderedAt: format(Date.now()),
      lines: [{ designId: design.id, lineItemId: `line${index}` }],
    }
    const begin = instant()
    await stores.runPromise(Effect.orDie(placeOrder(shop.id, id, order)))
    if (index >= warmUp) placed.set(id, { begin, end: instant() })
    await pause(20 + 40 * Math.random())
  }
  await receiver.expect(designs.length)
  const arrivals = await receiver.take()
  // A delivery that is sent but not settled would be sent again, and counted in another measurement.
  while (!(await settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"))) await pause(20)
  await worker.stop()
  const deliveries = await sql<Array<{ id: string; order: string }>>`
    SELECT d.id, e.body::jsonb #>> '{data,design,order,id}' AS "order" FROM designwire.deliveries d
    JOIN designwire.events e ON e.shop = d.shop AND e.id = d.event_id WHERE d.shop = ${shop.id}`
  const fromCall: Array<number> = []
  const fromAnswer: Array<number> = []
  for (const { id, order } of deliveries) {
    const times = placed.get(order)
    const at = arrivals.get(id)?.at
    if (times === undefined || at === undefined) continue
    fromCall.push(at - times.begin)
    fromAnswer.push(at - times.end)
  }
  const measured = percentiles(fromCall)
  const details = { samples: fromCall.length, fromCall: measured, fromAnswer: percentiles(fromAnswer) }
  return [
    finding("Order placed until arrival, median", "ms", { designwire: measured.p50 }, { most: 15 }, details),
    finding("Order placed until arrival, p99", "ms", { designwire: measured.p99 }, { most: 60 }),
  ]
}
