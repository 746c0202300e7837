/** The option `ingest` (hosts/ingest/README.md, D57). */
import express from "express"
import { expect, it, onTestFinished } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, emptyDatabase, fill, opened } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { listening } from "../../conformance/testkit/platforms/PlatformServer.ts"
import { accessKeys } from "../../conformance/testkit/platforms/PlatformWorld.ts"
import { wooCommerceServer } from "../../conformance/testkit/platforms/WooCommerceServer.ts"
import { shopifyOrder } from "../ingest/samples/ShopifyOrder.ts"
import { signedHeaders } from "../ingest/samples/SignedWebhook.ts"
import { wooCommerceOrder } from "../ingest/samples/WooCommerceOrder.ts"
import { type Designwire, type Notice, toNodeHandler } from "./index.ts"

const secret = "shpss_0123456789abcdef"

/** A webhook of Shopify about the order 7 with a design. */
const webhook = (path: string, design = "d1", signedWith = secret) => {
  const body = JSON.stringify(shopifyOrder({ id: 7, lines: [{ id: 1, properties: { _designwire_id: design } }] }))
  const headers = signedHeaders.shopify({ topic: "orders/create", body, secret: signedWith })
  return new Request(`http://localhost${path}`, { method: "POST", headers, body })
}

const stateOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { readonly state?: string }).state,
]

const filled = async (options: Parameters<typeof embed>[0]): Promise<Designwire> => {
  const designwire = await embed(options)
  await designwire.migrate()
  await fill(designwire)
  await designwire.designs.save("acme", "d1", ringInput)
  return designwire
}

it("MUST place orders of both platforms, through the handler and the mounts, also on a database", async () => {
  const ingest = { shopify: { secret }, woocommerce: { secret: ["a-woo-secret-of-24-letters"], property: "design" } }
  const designwire = await filled({ database: { url: await emptyDatabase() }, ingest })
  expect(designwire.answers({ url: "/ingest/shopify/acme" })).toBe(true)
  const server = express().use(toNodeHandler(designwire)).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { readonly port: number }
  const sent = webhook("/ingest/shopify/acme")
  const answer = await fetch(`http://127.0.0.1:${port}/ingest/shopify/acme`, {
    method: "POST",
    headers: sent.headers,
    body: await sent.text(),
  })
  expect(await stateOf(answer)).toEqual([200, "applied"])
  expect((await designwire.orders.get("acme", "7")).designs.map(({ id }) => id)).toEqual(["d1"])
  await designwire.designs.save("acme", "d2", ringInput)
  const body = JSON.stringify(wooCommerceOrder({ id: 8, lines: [{ id: 1, properties: { design: "d2" } }] }))
  const [woo = ""] = ingest.woocommerce.secret
  const headers = signedHeaders.woocommerce({ topic: "order.created", body, secret: woo })
  const request = new Request("http://localhost/ingest/woocommerce/acme", { method: "POST", headers, body })
  expect(await stateOf(await designwire.handler(request))).toEqual([200, "applied"])
  expect((await designwire.orders.get("acme", "8")).status).toBe("ordered")
})

it("drain MUST find an order whose webhook never came, with the property of its platform (D88)", async () => {
  const server = wooCommerceServer(accessKeys.woocommerce)
  const { domain } = await opened(listening(server))
  const modifiedAt = new Date().toISOString().slice(0, 19)
  server.orders.set(8, wooCommerceOrder({ id: 8, lines: [{ id: 1, properties: { design: "d1" } }], modifiedAt }))
  const designwire = await filled({ ingest: { woocommerce: { property: "design" } } })
  await designwire.platforms.put("acme", "woocommerce", { domain, accessKey: accessKeys.woocommerce })
  await designwire.drain({ max: 10, seconds: 20 })
  expect((await designwire.orders.get("acme", "8")).status).toBe("ordered")
  expect((await designwire.platforms.get("acme", "woocommerce")).trouble).toBe(null)
})

it("MUST be at the configured path alone, and nowhere without the option", async () => {
  const designwire = await filled({ ingest: { path: "/hooks", shopify: { secret } } })
  expect(await stateOf(await designwire.handler(webhook("/hooks/shopify/acme")))).toEqual([200, "applied"])
  expect(designwire.answers({ url: "/ingest/shopify/acme" })).toBe(false)
  expect((await designwire.handler(webhook("/hooks/woocommerce/acme"))).status).toBe(404)
  expect((await embed()).answers({ url: "/ingest/shopify/acme" })).toBe(false)
})

it("a function MUST give the secrets of each shop, and 503 MUST be answered if it fails", async () => {
  const asked: Array<string> = []
  const secrets: Readonly<Record<string, () => Promise<string | ReadonlyArray<string> | undefined | null>>> = {
    acme: async () => [secret, "shpss_fedcba9876543210"],
    nobody: async () => undefined,
    nothing: async () => null,
    short: async () => "short",
    broken: () => Promise.reject(new Error("no vault")),
  }
  const designwire = await filled({
    ingest: {
      shopify: {
        secret: (shop) => {
          asked.push(shop)
          return secrets[shop]?.()
        },
      },
    },
  })
  const status = async (shop: string, signedWith = secret) =>
    (await designwire.handler(webhook(`/ingest/shopify/${shop}`, "d1", signedWith))).status
  expect([await status("acme"), await status("acme", "shpss_fedcba9876543210")]).toEqual([200, 200])
  expect([await status("acme", "another-secret-01"), await status("nobody"), await status("nothing")]).toEqual([
    401, 401, 401,
  ])
  expect([await status("short"), await status("broken")]).toEqual([503, 503])
  expect(await status("No-Shop")).toBe(401)
  expect(asked).not.toContain("No-Shop")
})

it("drain MUST first apply what waits for a design that exists by now", async () => {
  const designwire = await filled({ ingest: { shopify: { secret } } })
  expect(await stateOf(await designwire.handler(webhook("/ingest/shopify/acme", "later")))).toEqual([200, "waiting"])
  await designwire.designs.save("acme", "later", ringInput)
  await designwire.drain({ max: 10, seconds: 5 })
  expect((await designwire.orders.get("acme", "7")).status).toBe("ordered")
})

it("what waits MUST be applied by every process without a call", async () => {
  const designwire = await filled({ ingest: { shopify: { secret } } })
  await designwire.handler(webhook("/ingest/shopify/acme", "later"))
  await designwire.designs.save("acme", "later", ringInput)
  await expect
    .poll(async () => (await designwire.orders.list("acme")).data.length, { interval: 100, timeout: 60_000 })
    .toBe(1)
})

it("onNotice MUST be called once about an event that failed, and about no other (D85)", async () => {
  const notices: Array<Notice> = []
  const designwire = await filled({ ingest: { shopify: { secret } }, onNotice: (notice) => void notices.push(notice) })
  expect(await stateOf(await designwire.handler(webhook("/ingest/shopify/acme")))).toEqual([200, "applied"])
  await designwire.drain({ max: 10, seconds: 5 })
  expect(notices).toEqual([])
  expect(await stateOf(await designwire.handler(webhook("/ingest/shopify/acme", "d\u0007")))).toEqual([200, "failed"])
  for (const _ of [1, 2]) await designwire.drain({ max: 10, seconds: 5 })
  expect(notices).toMatchObject([{ notice: "inbox.failed", shop: "acme", inbox: { orderId: "7", state: "failed" } }])
})
