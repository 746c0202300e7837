import { verifyWebhook } from "designwire/receiver"
import { Hono } from "hono"

const secret = process.env.SIGNING_SECRET ?? ""

export const app = new Hono()

app.post("/hooks", async (c) => {
  const result = await verifyWebhook({ secret, headers: c.req.raw.headers, body: await c.req.arrayBuffer() })
  if (!result.ok) return c.json({ message: result.message }, 401)
  console.log(result.event.id) // Slow work belongs in a queue.
  return c.body(null, 204)
})
