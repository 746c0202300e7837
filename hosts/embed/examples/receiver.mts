/** The other side: a receiver of webhooks that believes nothing but what is signed. It needs only Node. */
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { verifyWebhook } from "designwire/receiver"

const { PORT = "4000", WEBHOOK_SECRET = "" } = process.env
const seen = new Set<string>() // in your database, with what an event changes there

const server = createServer(async (request, response) => {
  // The bytes as they came: JSON that is parsed and written again has another signature.
  const body = await buffer(request).catch(() => undefined)
  if (body === undefined) return // the sender has gone
  const result = await verifyWebhook({ secret: WEBHOOK_SECRET, headers: request.headers, body })
  if (!result.ok) {
    console.log(`Refused: ${result.message}`)
    response.writeHead(401).end()
    return
  }
  response.writeHead(204).end()
  const { event } = result
  if (seen.has(event.id)) return
  seen.add(event.id)
  if (event.event === "design.ordered") console.log(`Verified ${event.event} ${event.data.design.order?.name}`)
  else console.log(`Verified ${event.event}`)
})

server.listen(Number(PORT), () => console.log(`Listening on port ${PORT}`))
process.once("SIGTERM", () => {
  server.close()
  setTimeout(() => server.closeAllConnections(), 5_000).unref() // senders keep connections open
})
