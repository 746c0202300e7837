/**
 * Orders with five endpoints, alongside the least statements that write as much: microseconds of processor time of this
 * process and of Postgres.
 */
import { Effect } from "effect"
import type postgres from "postgres"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { makeEvent } from "../deliver/Events.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import { processorTime } from "../support/Child.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { startDatabase } from "../support/Postgres.ts"
import { postgresUsage } from "../support/PostgresUsage.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import type { Row } from "./Row.ts"

const [perRound, writers, endpoints] = [250, 8, 5]

/** Tables of a shop that writes the same by hand. */
const createTables = (sql: postgres.Sql) =>
  sql`CREATE TABLE bare_orders (shop text, id text, head text, PRIMARY KEY (shop, id));
    CREATE TABLE bare_designs (shop text, id text, order_id text, wire text, PRIMARY KEY (shop, id));
    CREATE TABLE bare_events (shop text, id text, body text, PRIMARY KEY (shop, id));
    CREATE TABLE bare_jobs (shop text, id text, endpoint text, event text, due timestamptz, PRIMARY KEY (shop, id));
    CREATE INDEX ON bare_jobs (shop, endpoint, due)`.simple()

export const orders = async (cleanup: Cleanup, rounds: number): Promise<Row> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const urls = Array.from({ length: endpoints }, (_, index) => `http://127.0.0.1:1/${index}`)
  const { shop } = await stageShop(stores, "ledger", urls, secret)
  const { designs } = sample(shop, { designs: perRound * (rounds + 1), orders: 0 })
  await seedDesigns(sql, designs)
  await createTables(sql)
  await sql`INSERT INTO bare_designs SELECT shop, id, NULL, wire FROM designwire.designs`
  await tidy(sql)

  const cost = async (place: (index: number) => Promise<unknown>, first: number) => {
    const before = processorTime() + (await postgresUsage(sql))
    let next = first
    const write = async () => {
      while (next < first + perRound) await place(next++)
    }
    await Promise.all(Array.from({ length: writers }, write))
    return ((processorTime() + (await postgresUsage(sql)) - before) * 1_000) / perRound
  }
  let [own, bare] = [0, 0]
  const placeOwn = (index: number) => {
    const lines = [{ designId: designs[index]?.id as string, lineItemId: `line${index}` }]
    const order = { name: `#${index}`, orderedAt: format(Date.now()), lines }
    return stores.runPromise(Effect.orDie(placeOrder(shop.id, `order${index}`, order)))
  }
  const connected = await postgresOf(url, cleanup)
  const placeBare = (index: number) => {
    const { body, id } = makeEvent(shop)
    const design = designs[index] as (typeof designs)[number]
    return connected.begin(async (tx) => {
      await tx`INSERT INTO bare_orders VALUES (${shop.id}, ${`order${index}`}, ${design.wire.slice(0, 200)})`
      await tx`UPDATE bare_designs SET order_id = ${`order${index}`}, wire = ${design.wire}
        WHERE shop = ${shop.id} AND id = ${design.id}`
      await tx`INSERT INTO bare_events VALUES (${shop.id}, ${id}, ${body})`
      await tx`INSERT INTO bare_jobs SELECT ${shop.id}, ${id} || e, e::text, ${id}, now()
        FROM generate_series(1, ${endpoints}::int) e`
    })
  }
  return {
    name: "commit of an order, 5 endpoints",
    unit: "µs",
    own: () => cost(placeOwn, perRound * own++),
    bare: () => cost(placeBare, perRound * bare++),
  }
}

/** As many connections as our own adapter opens. */
const postgresOf = async (url: string, cleanup: Cleanup): Promise<postgres.Sql> => {
  const { default: connect } = await import("postgres")
  const sql = connect(url, { max: 10, onnotice: () => undefined })
  cleanup.add(() => sql.end())
  return sql
}
