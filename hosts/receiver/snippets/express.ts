import { verifyWebhook } from "designwire/receiver"
import express from "express"

const secret = process.env.SIGNING_SECRET ?? ""

export const app = express()

// The raw body: express.json() would parse it. An order with all its designs may have 34 MiB.
app.post("/hooks", express.raw({ type: "application/json", limit: "34mb" }), async (request, response) => {
  const result = await verifyWebhook({ secret, headers: request.headers, body: request.body })
  if (!result.ok) {
    response.status(401).json({ message: result.message })
    return
  }
  response.status(204).end()
  console.log(result.event.id) // Slow work belongs here, after the answer.
})
