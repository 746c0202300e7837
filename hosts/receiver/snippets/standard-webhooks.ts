import { Webhook } from "standardwebhooks"

const secret = process.env.SIGNING_SECRET ?? ""

export async function POST(request: Request) {
  try {
    const event = new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers))
    console.log(event) // Slow work belongs in a queue. Drop events whose id you have seen.
    return new Response(null, { status: 204 })
  } catch {
    return new Response(null, { status: 401 })
  }
}
