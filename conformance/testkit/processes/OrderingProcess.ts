/**
 * A shop's backend as a process of its own, for tests: it notes carts and places their orders, each in a transaction of
 * `pg`, several at a time, until it is killed. It prints `begin <cart>` and `end <cart>` around each.
 */
import { randomUUID } from "node:crypto"
import { writeSync } from "node:fs"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, ManagedRuntime } from "effect"
import pg from "pg"
import { fromPg, fromPgPool, layerStores, within } from "../../../adapters/connection/index.ts"
import { saveDesign } from "../../../core/usecases/catalog/SaveDesign.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"

/** The input of such a process, as JSON in its first argument. */
export interface OrderingOptions {
  readonly url: string
  readonly shop: string
  readonly design: Parameters<typeof saveDesign>[2]
  /** How many transactions are open at once. */
  readonly concurrency: number
}

const { concurrency, design, shop, url } = JSON.parse(process.argv[2] ?? "") as OrderingOptions

const pool = new pg.Pool({ connectionString: url, max: concurrency + 2 })
const runtime = ManagedRuntime.make(Layer.merge(layerStores(fromPgPool(pool)), NodeCrypto.layer))

// At once, so that nothing that was said is lost with the process.
const say = (line: string) => void writeSync(1, `${line}\n`)

const order = (id: string) =>
  Effect.andThen(
    saveDesign(shop, `dsn_${id}`, design),
    placeOrder(shop, id, {
      name: `#${id}`,
      orderedAt: "2026-10-05T14:48:00Z",
      lines: [{ designId: `dsn_${id}`, lineItemId: `line-${id}` }],
    }),
  )

/** Notes a cart and places its order; every second one is given up at the end. */
const checkout = async (number: number) => {
  const id = randomUUID()
  const client = await pool.connect()
  say(`begin ${id}`)
  await client.query("BEGIN")
  await client.query("INSERT INTO carts (id) VALUES ($1)", [id])
  await runtime.runPromise(within(fromPg(client))(order(id)))
  await client.query(number % 2 === 1 ? "ROLLBACK" : "COMMIT")
  say(`end ${id}`)
  client.release()
}

process.once("SIGUSR2", async () => {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let number = 0; ; number++) await checkout(number)
    }),
  )
})

// Its parent may be killed before it can end this process.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000)

await runtime.runPromise(Effect.void)
await pool.query("SELECT 1")
say("standby")
