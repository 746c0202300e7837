/**
 * Starts a shop alongside designwire: its storefront, its ERP and its production. Everything is kept in the directory
 * `data`; Ctrl+C ends it all.
 */
import { fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createDesignwire, toNodeHandler } from "designwire/embed"
import { storefront } from "./storefront.mts"

const port = Number(process.env.PORT ?? "3000")
const [home, shop, erp, production] = [0, 1, 2, 3].map((place) => `http://127.0.0.1:${port + place}`)

mkdirSync("data", { recursive: true })
type Secrets = { key: string; token?: string; signing?: string }
const keep = (secrets: Secrets) => writeFileSync("data/secrets.json", JSON.stringify(secrets), { mode: 0o600 })
if (!existsSync("data/secrets.json")) keep({ key: randomBytes(32).toString("base64") })
const secrets: Secrets = JSON.parse(readFileSync("data/secrets.json", "utf8"))

const designwire = await createDesignwire({
  database: { directory: "data/postgres" },
  encryptionKeys: secrets.key,
  allowNetworks: "127.0.0.0/8", // production is on this machine, without https
  allowHttp: true,
  settings: { path: "/settings", url: `${home}/settings`, authorize: () => undefined }, // only by the link below
  imageUrls: (_shop, design) => ({
    images: { front: `${shop}/designs/${design}.svg` },
    thumbnail: `${shop}/designs/${design}.svg`,
  }),
})
await designwire.shops.put("rings", { domain: "rings.example.com", currency: "EUR", imageBase: `${shop}` })
const ring = { title: "Ring", platformProductId: "gid://rings/Product/1", assetBase: `${shop}` }
await designwire.customizers.put("rings", 1, ring)
const hook = { url: `${production}/webhooks`, events: ["design.ordered"], description: "Production" } as const
if (secrets.token === undefined) {
  const definition = JSON.parse(readFileSync(new URL("ring.json", import.meta.url), "utf8"))
  await designwire.customizers.publish("rings", 1, { definition })
  secrets.token = (await designwire.tokens.create("rings", { name: "ERP", scopes: ["events:read"] })).token
  secrets.signing = (await designwire.webhooks.create("rings", hook)).secret
  keep(secrets)
}
// The port may have changed since the endpoint was made.
for (const { description, id } of await designwire.webhooks.list("rings"))
  if (description === hook.description) await designwire.webhooks.update("rings", id, { url: hook.url })

const servers = [createServer(toNodeHandler(designwire)), await storefront(designwire)]
const run = (file: string, environment: Readonly<Record<string, string | undefined>>) =>
  fork(new URL(file, import.meta.url), { env: { ...process.env, ...environment } }).once("exit", end)
const programs = [
  run("erp.mts", {
    ...{ PORT: `${port + 2}`, DATABASE: "data/erp.sqlite" },
    ...{ DESIGNWIRE_URL: `${home}/api/v1`, DESIGNWIRE_TOKEN: secrets.token },
  }),
  run("production.mts", { PORT: `${port + 3}`, TICKETS: "data/tickets", SIGNING_SECRET: secrets.signing }),
]
function end(): void {
  for (const program of programs) program.kill()
  for (const server of servers) {
    server.close()
    setTimeout(() => server.closeAllConnections(), 1_000).unref() // browsers open connections that they never use
  }
  void designwire.stop()
}
process.once("SIGINT", end).once("SIGTERM", end)

await Promise.all(programs.map((program) => once(program, "message"))) // both listen
for (const [place, server] of servers.entries()) server.listen(port + place, "127.0.0.1")
await designwire.start()
const { url } = await designwire.settings.link("rings", { actor: "owner" })
console.log(
  `Storefront   ${shop}\nERP          ${erp}\nProduction   ${production}\nSettings     ${url}\nCtrl+C ends them.`,
)
