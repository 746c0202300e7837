/** Orders in a transaction of an embedder's own, through `pg` and through our driver, and their deliveries. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { format } from "../../../core/model/Instant.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { createDesignwire, fromPg, fromPgPool } from "../../../hosts/embed/index.ts"
import { startReceiver } from "../deliver/Receiver.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant, pause } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"

const [rounds, warmUp] = [300, 50]

/** The time that an order takes alongside a row of one's own, and from COMMIT to the arrival by the same process. */
export const embed = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const receiver = await startReceiver(secret, cleanup)
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  await sql`CREATE TABLE my_orders (id text PRIMARY KEY)`
  const { shop } = await stageShop(stores, "embed", [`${receiver.url}/embed`], secret)
  const { designs } = sample(shop, { designs: 2 * (warmUp + rounds), orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  cleanup.add(() => pool.end())
  const local = { allowNetworks: "127.0.0.0/8", allowHttp: true }
  const encryptionKeys = key.toString("base64")
  const designwire = await createDesignwire({ database: fromPgPool(pool), encryptionKeys, ...local })
  cleanup.add(() => designwire.stop())
  await designwire.start()
  await pause(1_000)

  let next = 0
  const order = () => {
    const id = `order${next}`
    const designId = designs[next++]?.id as string
    return { id, name: `#${id}`, orderedAt: format(Date.now()), lines: [{ designId, lineItemId: id }] }
  }
  /** Each places an order in one transaction with a row, and answers when COMMIT was sent. */
  const own = () => {
    const { id, ...details } = order()
    return stores.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const placed = Effect.andThen(sql`INSERT INTO my_orders (id) VALUES (${id})`, placeOrder(shop.id, id, details))
        return yield* sql.withTransaction(Effect.map(placed, instant))
      }).pipe(Effect.orDie),
    )
  }
  const overPg = async () => {
    const { id, ...details } = order()
    const client = await pool.connect()
    await client.query("BEGIN")
    await client.query("INSERT INTO my_orders (id) VALUES ($1)", [id])
    await designwire.orders.place(shop.id, id, details, { tx: fromPg(client) })
    const commit = instant()
    await client.query("COMMIT")
    client.release()
    return commit
  }
  const ways = [
    { name: "own", place: own },
    { name: "pg", place: overPg },
  ]
  const times = await alternate(ways, { rounds, warmUp }, async ({ place }) => {
    await pause(20 + 20 * Math.random())
    const arrived = receiver.expect(1)
    const begin = instant()
    const commit = await place()
    const placed = instant() - begin
    await arrived
    const [arrival] = (await receiver.take()).values()
    return { placed, arrival: (arrival?.at ?? Number.NaN) - commit }
  })
  const of = (name: string) => medians(times.get(name) ?? [], ["placed", "arrival"])
  const numbers = { designwire: of("pg").placed, other: of("own").placed }
  return [
    finding("An order in a transaction of pg vs our driver", "ms", numbers, { most: 2 }),
    finding("From COMMIT of pg to arrival, median", "ms", { designwire: of("pg").arrival }, { most: 50 }),
  ]
}
