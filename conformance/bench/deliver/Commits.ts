/** The cost of signals for writers: many of them place orders concurrently. */
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { fromPg, within } from "../../../adapters/connection/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import * as Sql from "../../../adapters/sql/index.ts"
import { format } from "../../../core/model/Instant.ts"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { layerCrypto } from "../../../core/support/WebCrypto.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { instant } from "../support/Clock.ts"
import { type Bar, type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, seedShop, shopOf, tidy } from "../support/Seed.ts"
import { median } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { makeEvent } from "./Events.ts"
import { stageShop } from "./Stage.ts"

const writers = 64

/** A way of placing orders. */
interface Way {
  readonly name: string
  /** The change to commit: an order with its design and event, or only an event, the smallest change. */
  readonly what: "order" | "event"
  /**
   * The signal, if any: a NOTIFY after our commit, or in transactions of `pg` a NOTIFY or `wake()` after the commit.
   */
  readonly told: "not" | "behind the commit" | "in the transaction" | "by wake()"
  readonly webhook?: false
}

const ways: ReadonlyArray<Way> = [
  { name: "no webhook", what: "order", told: "behind the commit", webhook: false },
  ...(["order", "event"] as const).flatMap((what) =>
    (["not", "behind the commit", "in the transaction", "by wake()"] as const).map(
      (told): Way => ({ name: `${what}, told: ${told}`, what, told }),
    ),
  ),
]

const run = async (bench: Bench, { told, webhook, what }: Way, shopId: string, orders: number): Promise<number> => {
  const { environment, receiver, secret, sql, stores } = bench
  const url = environment["DATABASE_URL"] as string
  const shop = shopOf(shopId)
  if (webhook !== false) await stageShop(stores, shopId, [`${receiver.url}/commits`], secret)
  else await seedShop(sql, shop, 0)
  const { designs } = sample(shop, { designs: writers + orders, orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)

  const client = Postgres.layerClient({
    url: Redacted.make(url),
    maxConnections: told.includes("commit") || told === "not" ? writers : 2,
  })
  const ports = told === "not" ? Sql.layerSingleProcess : Postgres.layerStores()
  const own = ManagedRuntime.make(
    Layer.provideMerge(ports, client).pipe(
      Layer.provide(Layer.succeed(Sql.NotifyInTransactions, told === "in the transaction")),
      Layer.provideMerge(layerCrypto),
    ),
  )
  const pool = new pg.Pool({ connectionString: url, max: writers })
  let next = 0
  const order = (index: number) =>
    placeOrder(shopId, `order${index}`, {
      name: `#${index}`,
      orderedAt: format(Date.now()),
      lines: [{ designId: designs[index]?.id as string, lineItemId: `line${index}` }],
    })
  const event = () =>
    OrderStore.use((store) => store.commit({ shop: shopId, designs: [], order: null, events: [makeEvent(shop)] }))
  const place = async () => {
    const index = next++
    const placed = what === "order" ? Effect.orDie(Effect.asVoid(order(index))) : Effect.orDie(event())
    if (told === "behind the commit" || told === "not") return own.runPromise(placed)
    const connection = await pool.connect()
    await connection.query("BEGIN")
    await own.runPromise(within(fromPg(connection))(placed))
    await connection.query("COMMIT")
    connection.release()
    if (told === "by wake()") await own.runPromise(DeliverySignal.use(({ wake }) => wake))
    return undefined
  }
  const placeUntil = async (last: number) => {
    while (next < last) await place()
  }
  await Promise.all(Array.from({ length: writers }, place))
  const begin = instant()
  await Promise.all(Array.from({ length: writers }, () => placeUntil(writers + orders)))
  const elapsed = instant() - begin
  await own.dispose()
  await pool.end()
  await sql`TRUNCATE designwire.events, designwire.deliveries`
  return (orders / elapsed) * 1_000
}

/** Places `orders` in each way, alternating. */
export const commits = async (
  bench: Bench,
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
): Promise<ReadonlyArray<Finding>> => {
  let shops = 0
  const perSecond = await alternate(ways, { rounds, warmUp: 0 }, (way) => run(bench, way, `commits${shops++}`, orders))
  const medians = Object.fromEntries([...perSecond].map(([name, of]) => [name, median(of)]))
  const compare = (what: string, designwire: string, other: string, bar: Bar, details = {}) =>
    finding(
      `${what} by ${writers} writers, notified: ${designwire} vs ${other}`,
      "per second",
      {
        designwire: medians[`${what}, told: ${designwire}`] ?? Number.NaN,
        other: medians[`${what}, told: ${other}`] ?? Number.NaN,
      },
      bar,
      details,
    )
  return (["order", "event"] as const).flatMap((what) => [
    compare(what, "behind the commit", "not", { least: 0.95 }, { medians }),
    compare(what, "by wake()", "in the transaction", { least: 1 }),
  ])
}
