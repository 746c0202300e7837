/** Requests whose body was parsed or read before designwire gets them (D57a). */
import express, { type RequestHandler } from "express"
import { expect, it, onTestFinished } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { shopifyOrder } from "../ingest/samples/ShopifyOrder.ts"
import { asSent, signedHeaders } from "../ingest/samples/SignedWebhook.ts"
import { type Designwire, toNodeHandler } from "./index.ts"

const secret = "shpss_0123456789abcdef"
const reason = "mount designwire before express.json() and other body parsers"
const byName = { message: expect.stringContaining(reason) }

const started = async () => {
  const designwire = await embed({
    ingest: { shopify: { secret } },
    settings: { path: "/settings", authorize: () => ({ shop: "acme", actor: "jo" }) },
  })
  await fill(designwire)
  await designwire.designs.save("acme", "d1", ringInput)
  return designwire
}

/** A webhook as Shopify sends it: with escapes that `JSON.stringify` does not write. */
const webhook = () => {
  const lines = [{ id: 1, properties: { _designwire_id: "d1" } }]
  const body = asSent(shopifyOrder({ id: 7, lines }))
  expect(body).toContain("\\/")
  return { body, headers: signedHeaders.shopify({ topic: "orders/create", body, secret }) }
}

/** Sends a request to an Express application that has a handler before designwire. */
const behind = async (designwire: Designwire, handler: RequestHandler) => {
  const server = express().use(handler, toNodeHandler(designwire)).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { readonly port: number }
  return (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", ...init })
}

const path = "/ingest/shopify/acme"

it("a webhook that was parsed MUST be refused by name, and never be written again and compared (D57a)", async () => {
  const designwire = await started()
  const send = await behind(designwire, express.json())
  const answer = await send(path, webhook())
  expect([answer.status, await answer.json()]).toEqual([500, byName])
  await expect(designwire.orders.get("acme", "7")).rejects.toMatchObject({ code: "NotFound" })
})

it("a `Request` whose body was read MUST be refused by name, and taken if it was cloned (D57a)", async () => {
  const designwire = await started()
  const request = new Request(`http://localhost${path}`, { method: "POST", ...webhook() })
  await request.clone().json()
  const read = new Request(request.clone())
  await read.text()
  for (const send of [designwire.handler, designwire.respond]) {
    const answer = await send(read)
    expect([answer?.status, await answer?.json()]).toEqual([500, byName])
  }
  expect((await designwire.handler(request)).status).toBe(200)
})
