import { verifyWebhook } from "designwire/receiver"
import fastify from "fastify"

const secret = process.env.SIGNING_SECRET ?? ""

// An order with all its designs may have 34 MiB.
export const app = fastify({ bodyLimit: 34 * 1024 * 1024 })

// The raw body: Fastify would parse it.
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body))

app.post("/hooks", async (request, reply) => {
  const result = await verifyWebhook({ secret, headers: request.headers, body: request.body as Buffer })
  if (!result.ok) return reply.code(401).send({ message: result.message })
  console.log(result.event.id) // Slow work belongs in a queue.
  return reply.code(204).send()
})
