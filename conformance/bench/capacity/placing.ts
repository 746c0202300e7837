/** Places orders of two designs each, as quickly as it can, eight at a time, like a backend with Designwire in it. */
import { Effect } from "effect"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { openStores } from "../deliver/Stage.ts"
import { listen, processorTime, setting, tell } from "../support/Child.ts"
import { instant } from "../support/Clock.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Written } from "./Writer.ts"

const stores = openStores(setting("DATABASE_URL"), Buffer.from(setting("KEY"), "base64"))
const shops = setting("SHOPS").split(",")
let placed = 0

const place = () => {
  const index = placed++
  const design = (position: number) =>
    `dsn_bench_${String(2 * Math.floor(index / shops.length) + position).padStart(9, "0")}`
  const lines = [0, 1].map((position) => ({ designId: design(position), lineItemId: `line${position}` }))
  const order = { name: `#${index}`, orderedAt: format(Date.now()), lines }
  return stores.runPromise(Effect.orDie(placeOrder(shops[index % shops.length] as string, `order${index}`, order)))
}

listen(async ({ milliseconds }: { readonly milliseconds: number }) => {
  const [first, before, end] = [placed, processorTime(), instant() + milliseconds]
  const times: Array<number> = []
  const write = async () => {
    while (instant() < end) {
      const begin = instant()
      await place()
      times.push(instant() - begin)
    }
  }
  await Promise.all(Array.from({ length: 8 }, write))
  tell({ count: placed - first, p99: percentiles(times).p99, processor: processorTime() - before } satisfies Written)
})
await place()
tell("prepared")
