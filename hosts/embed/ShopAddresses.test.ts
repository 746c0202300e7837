/** An embedded REST API whose address names the shop (D15a). */
import { request } from "node:http"
import express from "express"
import { describe, expect, it } from "vitest"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { listening } from "../../conformance/testkit/hosts/Embedded.ts"
import { embed, fill, opened } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { toNodeHandler } from "./index.ts"

const basePath = "/integrations/designs"

/** A service with two shops and a token of each. */
const started = async (options: Parameters<typeof embed>[0]) => {
  const designwire = await embed({ basePath, ...options })
  await fill(designwire)
  await designwire.shops.put("globex", { ...shopInput, domain: "globex.example.com" })
  const tokenOf = async (shop: string) => (await designwire.tokens.create(shop, { name: "Test" })).token
  return { designwire, acme: await tokenOf("acme"), globex: await tokenOf("globex") }
}

const get = (url: string, token: string, headers: Readonly<Record<string, string>> = {}) =>
  new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } })

describe("publicUrl with {shop}", () => {
  it("MUST answer at the path of a shop to its tokens alone, and at basePath to all (D15a)", async () => {
    const { acme, designwire, globex } = await started({ publicUrl: "https://api.example.com/{shop}/designs" })
    for (const [path, token, status] of [
      ["/acme/designs/orders", acme, 200],
      ["/acme/designs/orders", globex, 401],
      ["/globex/designs/orders", globex, 200],
      [`${basePath}/orders`, acme, 200],
      [`${basePath}/orders`, globex, 200],
    ] as const) {
      const answer = await designwire.handler(get(`http://localhost:3000${path}`, token))
      expect([path, answer.status]).toEqual([path, status])
    }
    expect(designwire.answers({ url: "/acme/designs/orders" })).toBe(true)
    for (const url of ["/acme", "/acme/designer", "/Acme/designs/orders", "/login"]) {
      expect([url, designwire.answers({ url })]).toEqual([url, false])
    }
  })

  it("MUST leave paths of the other parts to them", async () => {
    const { designwire, globex } = await started({
      publicUrl: "https://api.example.com/{shop}/designs",
      settings: { path: "/settings/designs", authorize: () => ({ shop: "acme", actor: "jo" }) },
    })
    const page = await designwire.handler(get("http://localhost/settings/designs/acme/", globex))
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(await page.text()).toContain("https://api.example.com/acme/designs/orders?limit=2")
  })

  it("MUST take the shop from the host of a Request, and from the header that came with it (D15a)", async () => {
    const { acme, designwire, globex } = await started({ publicUrl: "https://{shop}.example.com/designs" })
    for (const [origin, host, token, status] of [
      ["https://acme.example.com", undefined, acme, 200],
      ["https://acme.example.com", undefined, globex, 401],
      ["http://localhost:3000", "acme.example.com", acme, 200],
      ["http://localhost:3000", "acme.example.com", globex, 401],
      ["http://localhost:3000", undefined, globex, 200],
    ] as const) {
      const asked = get(`${origin}${basePath}/orders`, token, host === undefined ? {} : { host })
      expect([origin, host, (await designwire.handler(asked)).status]).toEqual([origin, host, status])
    }
  })

  it("MUST work in Express, which passes on paths of the application's own", async () => {
    const { acme, designwire, globex } = await started({ publicUrl: "https://api.example.com/{shop}/designs" })
    const application = express().use(toNodeHandler(designwire), (_request, response) => void response.send("mine"))
    const port = await opened(listening(application))
    const statusOf = (path: string, token: string) =>
      new Promise<number | undefined>((resolve) => {
        request({ port, path, headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
          resolve(response.resume().statusCode)
        }).end()
      })
    expect(await statusOf("/acme/designs/orders", acme)).toBe(200)
    expect(await statusOf("/acme/designs/orders", globex)).toBe(401)
    expect(await (await fetch(`http://127.0.0.1:${port}/acme/orders`)).text()).toBe("mine")
  })

  it.each(["https://{shop}.example.com/{shop}", "https://api.example.com/{shop}", "https://x.example.com/{store}/a"])(
    "MUST be refused with the form of addresses: %s",
    async (publicUrl) => {
      await expect(embed({ publicUrl })).rejects.toMatchObject({
        code: "InvalidInput",
        problems: [{ path: "publicUrl", message: expect.stringContaining("/{shop}") }],
      })
    },
  )
})
