/** From an order to the arrival of its delivery, alongside a job of graphile-worker: milliseconds. */
import { Effect } from "effect"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { graphile } from "../deliver/Contenders.ts"
import { jobsOf } from "../deliver/Events.ts"
import { startReceiver } from "../deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import { startWorker } from "../deliver/Worker.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant, pause } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import { median } from "../support/Statistics.ts"
import type { Row } from "./Row.ts"

/** Deliveries of one measurement. */
const samples = 12

export const arrival = async (cleanup: Cleanup, rounds: number): Promise<Row> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const receiver = await startReceiver(secret, cleanup)
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const staged = await stageShop(stores, "arrival", [`${receiver.url}/arrival`], secret)
  const { designs } = sample(staged.shop, { designs: samples * (rounds + 1), orders: 0 })
  await seedDesigns(sql, designs)
  const other = await graphile(sql, url, jobsOf([staged], receiver.url, secret), cleanup)
  await tidy(sql)
  const environment = { DATABASE_URL: url, KEY: key.toString("base64"), SECRET: secret, ORIGIN: receiver.url }
  for (const file of ["./designwire.ts", other.file]) (await startWorker(file, environment, cleanup)).begin()
  await pause(1_000)

  let placed = 0
  const place = () => {
    const index = placed++
    const lines = [{ designId: designs[index]?.id as string, lineItemId: `line${index}` }]
    const order = { name: `#${index}`, orderedAt: format(Date.now()), lines }
    return stores.runPromise(Effect.orDie(placeOrder(staged.shop.id, `order${index}`, order)))
  }
  const middle = async (send: () => Promise<unknown>) => {
    const times: Array<number> = []
    for (let count = 0; count < samples; count++) {
      // On an idle system: the workers wait for a signal again.
      await pause(15 + 20 * Math.random())
      const arrived = receiver.expect(1)
      const begin = instant()
      await send()
      await arrived
      const [first] = (await receiver.take()).values()
      times.push((first?.at ?? Number.NaN) - begin)
    }
    return median(times)
  }
  return { name: "arrival", unit: "ms", own: () => middle(place), bare: () => middle(() => other.enqueue(1)) }
}
