/** The back office of a shop. */
import { createServer } from "node:http"
import { createDesignwire, toNodeHandler } from "designwire/embed"

const port = Number(process.env.PORT)

/** The people who are signed in. */
const owners = new Map([["owner", { shop: "acme", email: "owner@acme.example.com" }]])
/** The settings app sets cookies of its own alongside the session. */
const ownerOf = (cookies: string | null | undefined) =>
  owners.get(/(?:^|; )session=([^;]*)/.exec(cookies ?? "")?.[1] ?? "")

const designwire = await createDesignwire({
  database: { memory: true },
  encryptionKeys: process.env.SECRET_KEYS ?? "",
  settings: {
    path: "/office/designs",
    url: "https://office.example.com/office/designs",
    authorize: (request) => {
      const owner = ownerOf(request.headers.get("cookie"))
      return owner && { shop: owner.shop, actor: owner.email }
    },
    name: "Werkstatt",
    language: "de",
    frameAncestors: ["https://portal.example.com"],
  },
})
await designwire.shops.put("acme", {
  domain: "acme.example.com",
  currency: "EUR",
  imageBase: "https://images.acme.example.com",
})
await designwire.start()
const settings = toNodeHandler(designwire)

createServer(async (request, response) => {
  if (request.url?.startsWith("/office/designs")) {
    settings(request, response)
    return
  }
  const owner = ownerOf(request.headers.cookie)
  if (owner === undefined) {
    response.writeHead(403).end()
    return
  }
  if (request.url !== "/office/link") {
    response.writeHead(200).end(owner.email)
    return
  }
  const { url } = await designwire.settings.link(owner.shop, { actor: owner.email })
  response.writeHead(200, { "cache-control": "no-store" }).end(url)
}).listen(port, "127.0.0.1")
