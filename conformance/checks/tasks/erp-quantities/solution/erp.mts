/** Writes what has to be made into the table of the ERP. */
import { DatabaseSync } from "node:sqlite"
import { createClient } from "designwire/client"

const client = createClient({ url: process.env.API_URL ?? "", token: process.env.TOKEN ?? "" })
const database = new DatabaseSync(process.env.FILE ?? "erp.db")
database.exec(`CREATE TABLE IF NOT EXISTS positions (
  order_name TEXT NOT NULL, line TEXT NOT NULL, design TEXT NOT NULL, pieces INTEGER NOT NULL, metal TEXT NOT NULL,
  PRIMARY KEY (order_name, line)
)`)

const rows: Array<[string, string, string, number, string]> = []
for await (const order of client.orders.list({ limit: 100 })) {
  const codes = new Map(
    order.designs.map(({ id, productionData }) => {
      const metal = productionData.find(({ key }) => key === "metal")
      return [id, metal !== undefined && "value" in metal ? String(metal.value) : ""]
    }),
  )
  for (const { designId, lineItemId, quantity, status } of await client.orders.lines(order.id)) {
    rows.push([order.name, lineItemId, designId, status === "ordered" ? quantity : 0, codes.get(designId) ?? ""])
  }
}

const put = database.prepare(`INSERT INTO positions VALUES (?, ?, ?, ?, ?) ON CONFLICT (order_name, line)
  DO UPDATE SET design = excluded.design, pieces = excluded.pieces, metal = excluded.metal`)
for (const row of rows) put.run(...row)
