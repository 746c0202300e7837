/** What an order keeps in the database, and what it costs to place and deliver it. */

import { startReceiver } from "../deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import { startWorker } from "../deliver/Worker.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { pause } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns } from "../support/Seed.ts"
import { startWriter } from "./Writer.ts"

/** Bytes of an order with two designs, with their indexes. */
export interface Sizes {
  /** For good. */
  readonly kept: number
  /** As long as its events and deliveries are kept. */
  readonly events: number
}

/** Tables of which upkeep drops the rows of an order. */
const passing = ["events", "deliveries", "received", "kept_answers", "uncounted_orders"]

/** Places and delivers orders in an empty database, and measures its tables once they are packed. */
export const sizes = async (cleanup: Cleanup, seconds: number): Promise<Sizes> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const receiver = await startReceiver(secret, cleanup)
  const { shop } = await stageShop(stores, "sizes", [`${receiver.url}/0`], secret)
  await seedDesigns(sql, sample(shop, { designs: 4_000 * seconds, orders: 0 }).designs)
  const environment = { DATABASE_URL: url, KEY: key.toString("base64"), SECRET: secret, ORIGIN: receiver.url }
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()
  const write = await startWriter({ ...environment, SHOPS: shop.id }, cleanup)
  await write(seconds * 1_000)
  const left = async () =>
    Number((await sql`SELECT 1 FROM designwire.deliveries WHERE status = 'pending' LIMIT 1`).length)
  while ((await left()) > 0) await pause(100)
  await worker.stop()
  await sql`DELETE FROM designwire.designs WHERE status = 'draft'`
  await sql`VACUUM FULL`
  const [orders] = await sql<Array<{ count: number }>>`SELECT count(*)::int4 AS count FROM designwire.orders`
  const bytes = await sql<Array<{ name: string; bytes: number }>>`
    SELECT relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'designwire' AND c.relkind = 'r' AND c.reltuples > 100`
  const of = (isPassing: boolean) =>
    bytes.filter(({ name }) => passing.includes(name) === isPassing).reduce((sum, each) => sum + each.bytes, 0)
  return { kept: of(false) / (orders?.count ?? 0), events: of(true) / (orders?.count ?? 0) }
}
