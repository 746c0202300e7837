/** A shop that sells engraved rings, with their orders and designs for the workshop. */
import { readFileSync } from "node:fs"
import process from "node:process"
import { createDesignwire, DesignwireError, fromPg, fromPgPool, toNodeHandler } from "designwire/embed"
import express from "express"
import pg from "pg"

const { DATABASE_URL, PORT = "3000", SECRET_KEYS = "", WEBHOOK_URL = "" } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL }).on("error", console.error)
await pool.query("CREATE TABLE IF NOT EXISTS sales (id text PRIMARY KEY, engraving text NOT NULL)")

const designwire = await createDesignwire({
  database: fromPgPool(pool),
  encryptionKeys: SECRET_KEYS,
  basePath: "/designs/v1",
  allowNetworks: "127.0.0.0/8",
  allowHttp: true,
})
await designwire.migrate()

if ((await designwire.shops.list()).length === 0) {
  const site = "https://acme.example.com"
  const definition = JSON.parse(readFileSync("ring.json", "utf8"))
  await designwire.shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: site })
  await designwire.customizers.put("acme", 1, {
    title: "Ring",
    platformProductId: "gid://acme/Product/1",
    assetBase: site,
  })
  await designwire.customizers.publish("acme", 1, { definition })
  const { secret } = await designwire.webhooks.create("acme", { url: WEBHOOK_URL })
  const { token } = await designwire.tokens.create("acme", { name: "Workshop" })
  console.log(JSON.stringify({ token, secret }))
}
await designwire.start()

class Declined extends Error {}

/** Charges a card. */
const charge = async (card: string): Promise<void> => {
  if (card === "declined") throw new Declined("The card was declined")
}

const app = express().use(toNodeHandler(designwire), express.json())

app.post("/checkout", async ({ body: { card, engraving, sale } }, response) => {
  const client = await pool.connect()
  const tx = fromPg(client)
  try {
    await client.query("BEGIN")
    await client.query("INSERT INTO sales (id, engraving) VALUES ($1, $2)", [sale, engraving])
    const choices = { customizerId: 1, basePrice: 12_900, selection: { engraving: { text: engraving } } }
    const design = await designwire.designs.save("acme", undefined, choices, { tx })
    const lines = [{ designId: design.id, lineItemId: "1" }]
    const order = { name: `#${sale}`, orderedAt: new Date().toISOString(), lines }
    await designwire.orders.place("acme", sale, order, { tx })
    await charge(card)
    await client.query("COMMIT")
    response.status(201).json({ sale })
  } catch (error) {
    await client.query("ROLLBACK")
    if (error instanceof Declined) response.status(402).json({ message: error.message })
    else if (error instanceof DesignwireError) response.status(422).json({ message: error.message })
    else response.status(500).json({ message: "The sale was not stored" })
  } finally {
    client.release()
  }
})

app.get("/sales", async (_request, response) => {
  const { rows } = await pool.query("SELECT id, engraving FROM sales ORDER BY id")
  response.json(rows)
})

const server = app.listen(Number(PORT)).once("listening", () => console.log(`Listening on port ${PORT}`))
process.once("SIGTERM", () => server.close(() => designwire.stop().then(() => pool.end())))
