/** An ERP: follows the event feed into its own table. Killed at any time, it misses nothing and repeats nothing. */
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import { createClient, type FeedEvent } from "designwire/client"
import { html, money, page } from "./html.mts"

const { DATABASE = "erp.sqlite", DESIGNWIRE_TOKEN = "", DESIGNWIRE_URL = "", PORT = "3002" } = process.env

const db = new DatabaseSync(DATABASE)
db.exec(`
  CREATE TABLE IF NOT EXISTS rings (design TEXT PRIMARY KEY, number TEXT NOT NULL, picture TEXT NOT NULL,
    summary TEXT NOT NULL, total INTEGER NOT NULL, currency TEXT NOT NULL, status TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS feed (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT NOT NULL)`)
const insert = db.prepare("INSERT INTO rings VALUES (?, ?, ?, ?, ?, ?, 'ordered')")
const cancel = db.prepare("UPDATE rings SET status = 'cancelled' WHERE design = ?")
const move = db.prepare("INSERT INTO feed VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET cursor = excluded.cursor")
const position = db.prepare("SELECT cursor FROM feed")
const newest = db.prepare("SELECT * FROM rings ORDER BY rowid DESC LIMIT 100")
const totals = db.prepare("SELECT count(*) AS rings, total(total) AS amount FROM rings WHERE status = 'ordered'")

// It needs no quantities: those are on the lines of orders, and a new one makes no event. This shop cancels only whole
// orders; one that cancels lines takes `design.cancelled` as well.
const take = (event: FeedEvent): void => {
  if (event.event === "order.cancelled") for (const { id } of event.data.order.designs) cancel.run(id)
  if (event.event !== "design.ordered") return
  const { id, order, price, summary, thumbnail } = event.data.design
  const words = summary.map(({ key, value }) => `${key}: ${[value].flat().join(", ")}`).join(" · ")
  insert.run(id, order?.name ?? "", thumbnail, words, price.total, price.currency)
}

createServer((_request, response) => {
  const { amount, rings } = totals.get() ?? {}
  const rows = newest.all()
  const sum = money(Number(amount), "EUR")
  const main = html`<p class="quiet">Ordered: ${rings}, for ${sum}. This page follows the event feed.</p>
    <div class="wide" role="region" aria-label="Orders" tabindex="0"><table>
    <tr><th>Order<th colspan="2">Ring<th>Status<th class="amount">Total</tr>
    ${rows.map(
      (row) => html`<tr><td>${row.number}<td><img src="${row.picture}" alt="" width="64"><td>${row.summary}
        <td>${row.status}<td class="amount">${money(Number(row.total), `${row.currency}`)}</tr>`,
    )}</table></div>`
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page("ERP", main))
}).listen(Number(PORT), "127.0.0.1", () => process.send?.("ready"))

process.once("disconnect", () => process.exit()) // start.mts has ended

const client = createClient({ url: DESIGNWIRE_URL, token: DESIGNWIRE_TOKEN })
const after = position.get()?.cursor as string | undefined
for await (const { cursor, events } of client.events.follow({ after, interval: 1_000 })) {
  db.exec("BEGIN")
  for (const event of events) take(event)
  move.run(cursor) // with the rows, or not at all
  db.exec("COMMIT")
}
