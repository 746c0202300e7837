/** Receives webhooks, and believes those that are signed with one of the secrets in `secrets.json`. */
import { createServer } from "node:http"
import process from "node:process"
import { buffer } from "node:stream/consumers"
import { verifyWebhook } from "designwire/receiver"
import { readSecrets } from "./secrets.mts"

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const result = await verifyWebhook({ secret: readSecrets(), headers: request.headers, body })
  response.writeHead(result.ok ? 204 : 401).end()
})

server.listen(Number(process.env.PORT), "127.0.0.1")
