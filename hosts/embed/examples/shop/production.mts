/** A production queue: prints a ticket of each design that was ordered, once, however often the webhook comes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { type Design, verifyWebhook } from "designwire/receiver"
import { html, page } from "./html.mts"

const { PORT = "3003", SIGNING_SECRET = "", TICKETS = "tickets" } = process.env
mkdirSync(TICKETS, { recursive: true })

const ticketOf = ({ customizer, id, order, productionData }: Design): string =>
  [
    `ORDER ${order?.name}, line ${order?.lineItemId}`,
    `${customizer.title}, version ${customizer.version}`,
    "-".repeat(32),
    ...productionData.map((entry) => {
      const value = "values" in entry ? entry.values.join(" ") : entry.value
      return entry.key.padEnd(9) + value.replaceAll(/[\r\n]+/g, `\n${" ".repeat(9)}`)
    }),
    "-".repeat(32),
    id,
  ].join("\n")

/** Prints a ticket, unless that was done: the event's id, which stays the same when it comes again, names a file. */
const print = (event: string, ticket: string): void => {
  try {
    writeFileSync(join(TICKETS, `${event}.txt`), ticket, { flag: "wx", flush: true })
    console.log(`\n${ticket}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

createServer(async (request, response) => {
  if (request.method === "POST") {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return // the sender has gone
    const result = await verifyWebhook({ secret: SIGNING_SECRET, headers: request.headers, body })
    if (!result.ok) return response.writeHead(401).end(result.message)
    const { event } = result
    if (event.event === "design.ordered" && !event.test) print(event.id, ticketOf(event.data.design))
    return response.writeHead(204).end()
  }
  // Ids of events sort by time.
  const names = readdirSync(TICKETS).toSorted().reverse().slice(0, 100)
  const tickets = names.map((name) => html`<pre class="card">${readFileSync(join(TICKETS, name), "utf8")}</pre>`)
  const main = html`<p class="quiet">Tickets: ${names.length}. Each came by a webhook.</p>
    <div class="cards">${tickets}</div>`
  return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page("Production", main))
}).listen(Number(PORT), "127.0.0.1", () => process.send?.("ready"))
process.once("disconnect", () => process.exit()) // start.mts has ended
