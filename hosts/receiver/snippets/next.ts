import { verifyWebhook } from "designwire/receiver"

const secret = process.env.SIGNING_SECRET ?? ""

export async function POST(request: Request) {
  const result = await verifyWebhook({ secret, headers: request.headers, body: await request.arrayBuffer() })
  if (!result.ok) return Response.json({ message: result.message }, { status: 401 })
  console.log(result.event.id) // Slow work belongs in a queue. Drop events whose id you have seen.
  return new Response(null, { status: 204 })
}
