/** The workshop: it takes webhooks. (Signatures are left out, because this is about traces.) */
import { createServer } from "node:http"

createServer(async (request, response) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  const { data, event } = JSON.parse(Buffer.concat(parts).toString())
  response.writeHead(204).end()
  if (event === "design.ordered") console.log(data.design.order.name)
}).listen(Number(process.env.WORKSHOP_PORT), "127.0.0.1")
