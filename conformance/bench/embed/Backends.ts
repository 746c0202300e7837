/**
 * Backends that place an order in a transaction of theirs, beside a row of their own: through their own driver's pool,
 * and through ours.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import postgres from "postgres"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import {
  createDesignwire,
  type Database,
  type Designwire,
  fromPg,
  fromPgPool,
  fromPostgresJs,
  fromPostgresJsPool,
} from "../../../hosts/embed/index.ts"
import type { Stores } from "../deliver/Stage.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant } from "../support/Clock.ts"

/** An order of one design. */
export interface Placed {
  readonly id: string
  readonly name: string
  readonly orderedAt: string
  readonly lines: ReadonlyArray<{ readonly designId: string; readonly lineItemId: string }>
}

export interface Backend {
  readonly name: string
  readonly designwire: Designwire
  /** Places an order of a shop in one transaction with a row; answers when COMMIT was sent. */
  readonly place: (shop: string, order: Placed) => Promise<number>
}

const embed = async (database: Database, encryptionKeys: string, cleanup: Cleanup) => {
  const designwire = await createDesignwire({
    database,
    encryptionKeys,
    allowNetworks: "127.0.0.0/8",
    allowHttp: true,
  })
  cleanup.add(() => designwire.stop())
  return designwire
}

/** Effect's own driver for Postgres. */
export const own = async (stores: Stores, url: string, keys: string, cleanup: Cleanup): Promise<Backend> => ({
  name: "own driver",
  designwire: await embed({ url }, keys, cleanup),
  place: (shop, { id, ...order }) =>
    stores.runPromise(
      SqlClient.SqlClient.use((sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO my_orders (id) VALUES (${id})`
            yield* placeOrder(shop, id, order)
            return instant()
          }),
        ),
      ).pipe(Effect.orDie),
    ),
})

/** `pg`, with as many connections as our own driver has. */
export const overPg = async (url: string, keys: string, cleanup: Cleanup): Promise<Backend> => {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  cleanup.add(() => pool.end())
  const designwire = await embed(fromPgPool(pool), keys, cleanup)
  return {
    name: "pg",
    designwire,
    place: async (shop, { id, ...order }) => {
      const client = await pool.connect()
      await client.query("BEGIN")
      await client.query("INSERT INTO my_orders (id) VALUES ($1)", [id])
      await designwire.orders.place(shop, id, order, { tx: fromPg(client) })
      const commit = instant()
      await client.query("COMMIT")
      client.release()
      return commit
    },
  }
}

/** postgres.js, likewise. */
export const overPostgresJs = async (url: string, keys: string, cleanup: Cleanup): Promise<Backend> => {
  const sql = postgres(url, { max: 10 })
  cleanup.add(() => sql.end())
  const designwire = await embed(fromPostgresJsPool(sql), keys, cleanup)
  return {
    name: "postgres.js",
    designwire,
    place: (shop, { id, ...order }) =>
      sql.begin(async (tx) => {
        await tx`INSERT INTO my_orders (id) VALUES (${id})`
        await designwire.orders.place(shop, id, order, { tx: fromPostgresJs(tx) })
        return instant()
      }),
  }
}
