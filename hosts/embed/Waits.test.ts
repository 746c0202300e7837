/** Calls that have to wait for a connection or a lock, and calls that the database refuses: no call hangs. */
import pg from "pg"
import postgres from "postgres"
import { describe, expect, it, onTestFinished } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, emptyDatabase, fill, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import {
  Conflict,
  type Database,
  fromPg,
  fromPgPool,
  fromPostgresJs,
  fromPostgresJsPool,
  InvalidInput,
  NotPermitted,
  type Query,
  Unavailable,
} from "./index.ts"

const poolOf = (connectionString: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max })
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

/** Databases of one connection, with a way to take it. */
const poolsOfOne = {
  pg: (url: string) => {
    const pool = poolOf(url, 1)
    return {
      database: fromPgPool(pool),
      take: async () => {
        const client = await pool.connect()
        return () => client.release()
      },
      begin: async () => {
        const client = await pool.connect()
        await client.query("BEGIN")
        const end = () => client.query("COMMIT").then(() => client.release())
        return { tx: fromPg(client), end }
      },
    }
  },
  "postgres.js": (url: string) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    onTestFinished(() => sql.end({ timeout: 1 }))
    return {
      database: fromPostgresJsPool(sql),
      take: async () => {
        const reserved = await sql.reserve()
        return () => reserved.release()
      },
      begin: () =>
        new Promise<{ tx: Query; end: () => Promise<void> }>((resolve) => {
          const ended = sql.begin(
            (tx) =>
              new Promise<void>((commit) => {
                const end = async () => {
                  commit()
                  await ended
                }
                resolve({ tx: fromPostgresJs(tx), end })
              }),
          )
        }),
    }
  },
}

describe.each(Object.entries(poolsOfOne))("A pool of one connection of %s", (_, open) => {
  it("MUST suffice for every call, within a transaction too, and for delivering", async () => {
    const { begin, database } = open(await emptyDatabase())
    const designwire = await embed({ database })
    const arrived = await receiver()
    await designwire.migrate()
    await fill(designwire)
    await designwire.webhooks.create("acme", { url: arrived.url("/hook") })
    await designwire.start()
    await designwire.designs.save("acme", "d-1", ringInput)
    await designwire.orders.place("acme", "1001", orderOf("d-1"))
    await arrived.until(() => arrived.requests.length > 0)
    expect((await designwire.orders.list("acme")).pagination.total).toBe(1)
    // A transaction of the caller's has the one connection.
    const { end, tx } = await begin()
    await designwire.designs.save("acme", "d-2", ringInput, { tx })
    await designwire.orders.place("acme", "1002", orderOf("d-2"), { tx })
    await end()
    expect((await designwire.orders.list("acme")).pagination.total).toBe(2)
  })

  it("MUST answer Unavailable, saying that the pool has no connection, while something else holds it", async () => {
    const { database, take } = open(await emptyDatabase())
    const designwire = await embed({ database })
    await designwire.migrate()
    await fill(designwire)
    const hasty = await embed({ database, connectionWait: "50ms" })
    const release = await take()
    for (const call of [
      () => hasty.shops.get("acme"),
      () => hasty.designs.save("acme", "d-1", ringInput),
      () => hasty.webhooks.create("acme", { url: "http://127.0.0.1:8080/" }),
    ]) {
      const error = await call().catch((error: unknown) => error)
      expect(error).toBeInstanceOf(Unavailable)
      expect((error as Error).message).toContain("The pool had no free connection for 0.05 s")
      expect(error).toHaveProperty("retryable", true)
    }
    release()
    await designwire.designs.save("acme", "d-1", ringInput)
  })
})

const databases: Readonly<Record<string, (url: string) => Database>> = {
  "a URL": (url) => ({ url }),
  "a pool of pg": (url) => fromPgPool(poolOf(url, 5)),
  "a pool of postgres.js": (url) => {
    const sql = postgres(url, { max: 5, onnotice: () => undefined })
    onTestFinished(() => sql.end({ timeout: 1 }))
    return fromPostgresJsPool(sql)
  },
}

describe.each(Object.entries(databases))("%s", (_, databaseAt) => {
  const open = async (lockWait = "30s") => {
    const url = await emptyDatabase()
    const designwire = await embed({ database: databaseAt(url), lockWait })
    await designwire.migrate()
    await fill(designwire)
    const client = await poolOf(url, 2).connect()
    onTestFinished(() => client.release(true))
    return { url, designwire, client, tx: fromPg(client) }
  }

  it("MUST answer Conflict that names what is locked, instead of waiting for the caller's own transaction", async () => {
    const { client, designwire, tx } = await open("100ms")
    const { designs, orders, webhooks } = designwire
    await designs.save("acme", "d-1", ringInput)
    await designs.save("acme", "d-2", ringInput)
    await client.query("BEGIN")
    await designs.save("acme", "d-1", { ...ringInput, basePrice: 1 }, { tx })
    await designs.save("acme", "d-3", ringInput, { tx })
    await webhooks.create("acme", { url: "http://127.0.0.1:8080/" }, { tx })
    const locked = [
      [() => designs.save("acme", "d-1", { ...ringInput, basePrice: 2 }), "a row of designs"],
      [() => designs.save("acme", "d-3", ringInput), "a row of designs"],
      [() => orders.place("acme", "1001", orderOf("d-1")), "a row of designs"],
      [() => webhooks.create("acme", { url: "http://127.0.0.1:8080/" }), "a row of shops"],
    ] as const
    for (const [call, object] of locked) {
      const error = await call().catch((error: unknown) => error)
      expect(error, String(error)).toBeInstanceOf(Conflict)
      expect((error as Error).message).toContain(`Another transaction has locked ${object}`)
      expect(error).toHaveProperty("retryable", true)
    }
    await client.query("COMMIT")
    for (const [call] of locked) await call()
  })

  it("MUST answer Conflict within a tx, too, and let the transaction continue", async () => {
    const { client, designwire, url } = await open("100ms")
    const { designs } = designwire
    await designs.save("acme", "d-1", ringInput)
    await client.query("BEGIN; SELECT FROM designwire.designs FOR UPDATE")
    const other = await poolOf(url, 1).connect()
    onTestFinished(() => other.release(true))
    const tx = fromPg(other)
    await other.query("BEGIN")
    const saved = designs.save("acme", "d-1", { ...ringInput, basePrice: 1 }, { tx })
    await expect(saved).rejects.toThrow("Another transaction has locked a row of designs")
    await designs.save("acme", "d-2", ringInput, { tx })
    await other.query("COMMIT")
    await client.query("ROLLBACK")
    expect((await designs.get("acme", "d-2")).id).toBe("d-2")
  })

  it("MUST answer InvalidInput for a tx that is not begun, has failed or has ended", async () => {
    const { client, designwire, tx } = await open()
    const save = () => designwire.designs.save("acme", "d-1", ringInput, { tx }).catch((error: unknown) => error)
    const refused = async (words: string) => {
      const error = await save()
      expect(error, String(error)).toBeInstanceOf(InvalidInput)
      expect(error).toMatchObject({ message: expect.stringContaining(words), problems: [{ path: "tx" }] })
    }
    await refused("The transaction is not begun, or has ended already")
    await client.query("BEGIN")
    await client.query("SELECT 1 / 0").catch(() => undefined)
    await refused("A statement of the transaction has failed: roll it back")
    await client.query("ROLLBACK")
    await refused("The transaction is not begun, or has ended already")
  })

  it("MUST answer NotPermitted with the GRANT for a right that the database's user lacks", async () => {
    const { client, designwire, url } = await open()
    const user = `reader_${new URL(url).pathname.slice(1)}`
    await client.query(`CREATE ROLE "${user}" LOGIN PASSWORD 'reader'`)
    onTestFinished(async () => {
      await client.query(`DROP OWNED BY "${user}"; DROP ROLE "${user}"`)
    })
    const asUser = Object.assign(new URL(url), { username: user, password: "reader" }).href
    const theirs = await embed({ database: databaseAt(asUser) })
    const refused = async (grant: string) => {
      const error = await theirs.designs.save("acme", "d-1", ringInput).catch((error: unknown) => error)
      expect(error, String(error)).toBeInstanceOf(NotPermitted)
      expect((error as Error).message).toContain(grant)
      await client.query(grant.replace("…", `"${user}"`))
    }
    await client.query(
      `GRANT USAGE ON SCHEMA designwire TO "${user}"; GRANT SELECT ON designwire.migrations TO "${user}"`,
    )
    await refused("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA designwire TO …")
    await designwire.designs.save("acme", "d-1", ringInput)
  })
})
