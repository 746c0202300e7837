/** A shop that sells engraved rings. */
import process from "node:process"
import express from "express"
import pg from "pg"

const { DATABASE_URL, PORT = "3000" } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL }).on("error", console.error)
await pool.query("CREATE TABLE IF NOT EXISTS sales (id text PRIMARY KEY, engraving text NOT NULL)")

class Declined extends Error {}

/** Charges a card. */
const charge = async (card: string): Promise<void> => {
  if (card === "declined") throw new Declined("The card was declined")
}

const app = express().use(express.json())

app.post("/checkout", async ({ body: { card, engraving, sale } }, response) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query("INSERT INTO sales (id, engraving) VALUES ($1, $2)", [sale, engraving])
    await charge(card)
    await client.query("COMMIT")
    response.status(201).json({ sale })
  } catch (error) {
    await client.query("ROLLBACK")
    if (error instanceof Declined) response.status(402).json({ message: error.message })
    else response.status(500).json({ message: "The sale was not stored" })
  } finally {
    client.release()
  }
})

app.get("/sales", async (_request, response) => {
  const { rows } = await pool.query("SELECT id, engraving FROM sales ORDER BY id")
  response.json(rows)
})

app.listen(Number(PORT)).once("listening", () => console.log(`Listening on port ${PORT}`))
