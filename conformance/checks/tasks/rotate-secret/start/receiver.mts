/** Receives webhooks, and believes those that are signed with the secret in `secrets.json`. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import process from "node:process"
import { buffer } from "node:stream/consumers"
import { verifyWebhook } from "designwire/receiver"

const server = createServer(async (request, response) => {
  const { secret } = JSON.parse(readFileSync("secrets.json", "utf8"))
  const result = await verifyWebhook({ secret, headers: request.headers, body: await buffer(request) })
  response.writeHead(result.ok ? 204 : 401).end()
})

server.listen(Number(process.env.PORT), "127.0.0.1")
