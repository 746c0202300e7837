/** Hono and Drizzle: an order is your row and ours, in one transaction of `db`. */
import type { Server } from "node:http"
import { serve } from "@hono/node-server"
import { createDesignwire, DesignwireError, fromDrizzle, fromPgPool, toHonoMiddleware } from "designwire/embed"
import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { pgTable, text } from "drizzle-orm/pg-core"
import { Hono } from "hono"
import pg from "pg"

const { DATABASE_URL, DESIGNWIRE_ENCRYPTION_KEYS = "", PORT = "3000", WEBHOOK_URL = "" } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL }).on("error", console.error)
const db = drizzle({ client: pool })
const myOrders = pgTable("my_orders", { id: text().primaryKey() })
await db.execute(sql`CREATE TABLE IF NOT EXISTS ${myOrders} (id text PRIMARY KEY)`)

const designwire = await createDesignwire({
  database: fromPgPool(pool),
  encryptionKeys: DESIGNWIRE_ENCRYPTION_KEYS,
  basePath: "/integrations/designs/v1",
  allowNetworks: process.env.DESIGNWIRE_ALLOW_NETWORKS,
  allowHttp: process.env.DESIGNWIRE_ALLOW_HTTP === "true",
})
await designwire.migrate()

const [site, product] = ["https://acme.example.com", "gid://acme/Product/1"]
await designwire.shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: site })
await designwire.customizers.put("acme", 1, { title: "Ring", platformProductId: product, assetBase: site })
if ((await designwire.webhooks.list("acme")).length === 0) {
  const steps = [{ id: "text", title: "Text", view: "front" }] as const
  const questions = [{ id: "engraving", step: "text", title: "Engraving", type: "text" }] as const
  await designwire.customizers.publish("acme", 1, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
  const { secret } = await designwire.webhooks.create("acme", { url: WEBHOOK_URL })
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  console.log(`Token ${token}, signing secret ${secret}`)
}
await designwire.start()

const app = new Hono().use(toHonoMiddleware(designwire))
app.post("/checkout/:id", async (c) => {
  const id = c.req.param("id")
  const choices = { customizerId: 1, basePrice: 12_900, selection: await c.req.json() }
  const total = await db.transaction(async (transaction) => {
    const tx = fromDrizzle(transaction)
    await transaction.insert(myOrders).values({ id })
    const design = await designwire.designs.save("acme", undefined, choices, { tx })
    const lines = [{ designId: design.id, lineItemId: "1" }]
    await designwire.orders.place("acme", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines }, { tx })
    if (c.req.query("fail") !== undefined) throw new Error("The payment failed")
    return design.price.total
  })
  return c.json({ id, total })
})
app.onError((error, c) => c.json({ message: error.message }, error instanceof DesignwireError ? 422 : 500))
const server = serve({ fetch: app.fetch, port: Number(PORT) }, () => console.log(`Listening on port ${PORT}`)) as Server
process.once("SIGTERM", () => {
  server.close(() => designwire.stop().then(() => pool.end()))
  setTimeout(() => server.closeAllConnections(), 5_000).unref() // browsers open connections that they never use
})
