/** A Postgres database that the team uses too: by URL, and over a pool of `pg`. */
import pg from "pg"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  customizer,
  embed,
  emptyDatabase,
  fill,
  orderOf,
  receiver,
} from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { type Database, type Designwire, fromPg, fromPgPool, NotMigrated } from "./index.ts"

/** A team's pool of `pg`. */
const poolOf = (connectionString: string, max = 5): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max })
  // The database is dropped while connections are idle.
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

/** Creates a table of the team's, and returns a function that reads its rows. */
const withCarts = async (pool: pg.Pool) => {
  await pool.query("CREATE TABLE carts (id text PRIMARY KEY)")
  return async () => (await pool.query("SELECT id FROM carts ORDER BY id")).rows.map(({ id }) => id)
}

/** Runs a function in a transaction, and ends the transaction. */
const transaction = async (
  pool: pg.Pool,
  end: "COMMIT" | "ROLLBACK",
  run: (client: pg.PoolClient) => Promise<void>,
) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await run(client)
    await client.query(end)
  } finally {
    client.release()
  }
}

/** Waits until this number of hosts listens for deliveries. */
const listening = async (pool: pg.Pool, hosts: number): Promise<void> => {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS hosts FROM pg_stat_activity
WHERE datname = current_database() AND query ILIKE 'listen %deliveries%'`,
  )
  if (rows[0].hosts < hosts) await listening(pool, hosts)
}

const kinds = {
  "a URL": (url: string): Database => ({ url }),
  "a pool of pg": (url: string): Database => fromPgPool(poolOf(url)),
}

describe.each(Object.entries(kinds))("%s", (_, databaseAt) => {
  it("MUST make every change within a transaction", async () => {
    const url = await emptyDatabase()
    const pool = poolOf(url)
    const designwire = await embed({ database: databaseAt(url) })
    await designwire.migrate()
    const { customizers, designs, orders, shops, tokens, webhooks } = designwire
    const everything = async (client: pg.PoolClient) => {
      const tx = { tx: fromPg(client) }
      await shops.put("acme", shopInput, tx)
      await customizers.put("acme", customizer.id, customizer.description, tx)
      await customizers.publish("acme", customizer.id, { definition: customizer.definition }, tx)
      const token = await tokens.create("acme", { name: "ERP" }, tx)
      await tokens.delete("acme", token.id, tx)
      await tokens.create("acme", { name: "BI" }, tx)
      const { id } = await webhooks.create("acme", { url: "http://127.0.0.1:8080/" }, tx)
      await webhooks.update("acme", id, { description: "ERP" }, tx)
      await webhooks.enable("acme", id, tx)
      await webhooks.rotate("acme", id, {}, tx)
      expect((await webhooks.promote("acme", id, tx)).rotation).toBeNull()
      const { id: delivery } = await webhooks.test("acme", id, tx)
      await webhooks.redeliver("acme", id, delivery, tx)
      await webhooks.tryNow("acme", id, delivery, tx)
      await webhooks.resend("acme", id, { state: "failed" }, tx)
      await webhooks.recover("acme", id, { since: "2026-01-01T00:00:00Z" }, tx)
      const other = await webhooks.create("acme", { url: "http://127.0.0.1:8081/" }, tx)
      await webhooks.delete("acme", other.id, tx)
      await designs.save("acme", "d-1", ringInput, tx)
      await orders.place("acme", "1001", orderOf("d-1"), tx)
      await orders.cancel("acme", "1001", tx)
      await orders.redact("acme", "1001", tx)
    }
    await transaction(pool, "ROLLBACK", everything)
    const tables = "shops customizers customizer_versions tokens endpoints deliveries events designs orders".split(" ")
    const counts = async () => {
      const columns = tables.map((table) => `(SELECT count(*)::int FROM designwire.${table}) AS ${table}`)
      return (await pool.query(`SELECT ${columns.join(", ")}`)).rows[0]
    }
    expect(await counts()).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
    await transaction(pool, "COMMIT", everything)
    expect(await counts()).toEqual({
      shops: 1,
      customizers: 1,
      customizer_versions: 1,
      tokens: 1,
      endpoints: 1,
      // The test, the redelivery, `design.ordered` and `order.cancelled`.
      deliveries: 4,
      // Also `design.created`.
      events: 4,
      designs: 1,
      orders: 1,
    })
  })

  it("MUST refuse calls in a transaction until the schema is current, and leave the transaction usable", async () => {
    const url = await emptyDatabase()
    const pool = poolOf(url)
    const designwire = await embed({ database: databaseAt(url) })
    const carts = await withCarts(pool)
    await transaction(pool, "COMMIT", async (client) => {
      await expect(designwire.shops.put("acme", shopInput, { tx: fromPg(client) })).rejects.toBeInstanceOf(NotMigrated)
      await client.query("INSERT INTO carts VALUES ('1001')")
    })
    expect(await carts()).toEqual(["1001"])
  })

  it("MUST deliver at once after another process's transaction commits (LISTEN)", async () => {
    const url = await emptyDatabase()
    const pool = poolOf(url)
    const [placing, delivering] = [
      await embed({ database: databaseAt(url) }),
      await embed({ database: databaseAt(url) }),
    ]
    await placing.migrate()
    await fill(placing)
    const receiving = await receiver()
    const { secret } = await placing.webhooks.create("acme", { url: receiving.url("/hook") })
    receiving.trust("/hook", secret)
    await delivering.start()
    await listening(pool, 2)
    // The worker's own timers must not help.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] })
    onTestFinished(() => void vi.useRealTimers())
    for (const id of ["1", "2"]) {
      await placing.designs.save("acme", `d-${id}`, ringInput)
      await transaction(pool, "COMMIT", async (client) => {
        await placing.orders.place("acme", id, orderOf(`d-${id}`), { tx: fromPg(client) })
      })
    }
    await receiving.until(() => receiving.requests.filter(({ status }) => status === 200).length === 2)
    expect(receiving.requests.map(({ signed }) => signed)).toEqual([true, true])
  })
})

describe("Migrating", () => {
  it("MUST have the same result in three ways: at once, as a script, and one by one", async () => {
    const [first, second, third] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
    const byMigrate = await embed({ database: { url: first } })
    const names = byMigrate.migrations.map(({ id, name }) => `${id}_${name}`)
    expect(names.length).toBeGreaterThan(0)
    expect(await byMigrate.migrate()).toEqual(names)
    expect(await byMigrate.migrate()).toEqual([])

    const byScript = await embed({ database: { url: second } })
    const script = await byScript.pendingSql()
    await poolOf(second).query(script)

    const oneByOne = await embed({ database: { url: third } })
    const pool = poolOf(third)
    for (const { sql } of oneByOne.migrations) {
      await expect(oneByOne.shops.list()).rejects.toBeInstanceOf(NotMigrated)
      await transaction(pool, "COMMIT", async (client) => void (await client.query(sql)))
    }

    for (const designwire of [byMigrate, byScript, oneByOne]) {
      expect(await designwire.pendingSql()).toBe("")
      expect(await designwire.migrate()).toEqual([])
      await fill(designwire)
    }
  })

  it("MUST keep everything in the schema that the option names", async () => {
    const url = await emptyDatabase()
    const pool = poolOf(url)
    for (const database of [{ url }, fromPgPool(pool)]) {
      const designwire = await embed({ database, schema: "designs" })
      await designwire.migrate()
      await fill(designwire)
      await transaction(pool, "COMMIT", async (client) => {
        await designwire.designs.save("acme", "d-1", ringInput, { tx: fromPg(client) })
      })
    }
    const { rows } = await pool.query("SELECT id FROM designs.designs")
    expect(rows).toEqual([{ id: "d-1" }])
    const schemas = await pool.query("SELECT count(*)::int AS count FROM pg_namespace WHERE nspname = 'designwire'")
    expect(schemas.rows).toEqual([{ count: 0 }])
  })
})

/** A service over a pool that can't listen. */
const withoutListen = async (pool: pg.Pool): Promise<Designwire> => {
  const { listen: _, ...database } = fromPgPool(pool)
  const designwire = await embed({ database })
  await designwire.migrate()
  await fill(designwire)
  return designwire
}

describe("A pool of the team's", () => {
  it("MUST serve the first call in a transaction that uses its only connection", async () => {
    const url = await emptyDatabase()
    const before = await embed({ database: { url } })
    await before.migrate()
    await fill(before)
    const pool = poolOf(url, 1)
    const designwire = await embed({ database: fromPgPool(pool) })
    await transaction(pool, "COMMIT", async (client) => {
      await designwire.designs.save("acme", "d-1", ringInput, { tx: fromPg(client) })
    })
    expect(await before.designs.get("acme", "d-1")).toMatchObject({ id: "d-1" })
  })

  it("MUST deliver a transaction's order when wake() is called, if it can't listen", async () => {
    const pool = poolOf(await emptyDatabase())
    const designwire = await withoutListen(pool)
    const receiving = await receiver()
    await designwire.webhooks.create("acme", { url: receiving.url("/hook") })
    await designwire.designs.save("acme", "d-1", ringInput)
    // The worker's own timers must not help.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] })
    onTestFinished(() => void vi.useRealTimers())
    await designwire.start()
    await transaction(pool, "COMMIT", async (client) => {
      await designwire.orders.place("acme", "1001", orderOf("d-1"), { tx: fromPg(client) })
    })
    designwire.wake()
    await receiving.until(() => receiving.requests.length === 1)
  })

  it("MUST deliver at once an order placed in the same process without a transaction", async () => {
    const designwire = await withoutListen(poolOf(await emptyDatabase()))
    const receiving = await receiver()
    await designwire.webhooks.create("acme", { url: receiving.url("/hook") })
    await designwire.designs.save("acme", "d-1", ringInput)
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] })
    onTestFinished(() => void vi.useRealTimers())
    await designwire.start()
    await designwire.orders.place("acme", "1001", orderOf("d-1"))
    await receiving.until(() => receiving.requests.length === 1)
  })

  it("MUST stay open when the service stops", async () => {
    const pool = poolOf(await emptyDatabase())
    const designwire = await withoutListen(pool)
    await designwire.start()
    await designwire.stop()
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  })
})
