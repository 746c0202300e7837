/** Express and pg: an order is your row and ours, in one transaction of your pool. */
import { createDesignwire, DesignwireError, fromPg, fromPgPool, toNodeHandler } from "designwire/embed"
import express from "express"
import pg from "pg"

const { DATABASE_URL, DESIGNWIRE_ENCRYPTION_KEYS = "", PORT = "3000", WEBHOOK_URL = "" } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL }).on("error", console.error)
pool.on("connect", (client) => client.on("error", console.error)) // lost while a checkout has it
await pool.query("CREATE TABLE IF NOT EXISTS my_orders (id text PRIMARY KEY)")

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

const app = express().use(toNodeHandler(designwire), express.json())
app.post("/checkout/:id", async ({ body, params: { id }, query }, response) => {
  const client = await pool.connect()
  const tx = fromPg(client)
  try {
    await client.query("BEGIN")
    await client.query("INSERT INTO my_orders (id) VALUES ($1)", [id])
    const choices = { customizerId: 1, basePrice: 12_900, selection: body }
    const design = await designwire.designs.save("acme", undefined, choices, { tx })
    const lines = [{ designId: design.id, lineItemId: "1" }]
    await designwire.orders.place("acme", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines }, { tx })
    if ("fail" in query) throw new Error("The payment failed")
    await client.query("COMMIT")
    response.json({ id, total: design.price.total })
  } catch (error) {
    await client.query("ROLLBACK").catch(console.error)
    if (!(error instanceof DesignwireError)) throw error
    response.status(error.code === "Unavailable" ? 503 : 422).json({ code: error.code, message: error.message })
  } finally {
    client.release()
  }
})
const server = app.listen(Number(PORT)).once("listening", () => console.log(`Listening on port ${PORT}`))
process.once("SIGTERM", () => {
  server.close(() => designwire.stop().then(() => pool.end()))
  setTimeout(() => server.closeAllConnections(), 5_000).unref() // browsers open connections that they never use
})
