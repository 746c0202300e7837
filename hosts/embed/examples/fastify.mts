/** Fastify and postgres.js: an order is your row and ours, in one transaction of `sql`. */
import {
  createDesignwire,
  DesignwireError,
  fromPostgresJs,
  fromPostgresJsPool,
  toFastifyPlugin,
} from "designwire/embed"
import fastify from "fastify"
import postgres from "postgres"

const { DATABASE_URL = "", DESIGNWIRE_ENCRYPTION_KEYS = "", PORT = "3000", WEBHOOK_URL = "" } = process.env
const sql = postgres(DATABASE_URL, { onnotice: () => undefined })
await sql`CREATE TABLE IF NOT EXISTS my_orders (id text PRIMARY KEY)`

const designwire = await createDesignwire({
  database: fromPostgresJsPool(sql),
  encryptionKeys: DESIGNWIRE_ENCRYPTION_KEYS,
  basePath: "/integrations/designs/v1",
  allowNetworks: process.env.DESIGNWIRE_ALLOW_NETWORKS,
  allowHttp: process.env.DESIGNWIRE_ALLOW_HTTP === "true",
})
await designwire.migrate()
const [site, product] = ["https://acme.example.com", "gid://acme/Product/1"]
await designwire.shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: site })
await designwire.customizers.put("acme", 1, { title: "Ring", platformProductId: product, assetBase: site })
if ((await designwire.webhooks.list("acme")).length === 0) {
  const steps = [{ id: "text", title: "Text", view: "front" }] as const
  const questions = [{ id: "engraving", step: "text", title: "Engraving", type: "text" }] as const
  await designwire.customizers.publish("acme", 1, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
  const { secret } = await designwire.webhooks.create("acme", { url: WEBHOOK_URL })
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  console.log(`Token ${token}, signing secret ${secret}`)
}
await designwire.start()

type Checkout = { Params: { id: string }; Querystring: { fail?: string }; Body: { engraving: { text: string } } }
const app = fastify()
await app.register(toFastifyPlugin(designwire))
app.post<Checkout>("/checkout/:id", ({ body, params: { id }, query }) =>
  sql.begin(async (transaction) => {
    const tx = fromPostgresJs(transaction)
    await transaction`INSERT INTO my_orders (id) VALUES (${id})`
    const choices = { customizerId: 1, basePrice: 12_900, selection: body }
    const design = await designwire.designs.save("acme", undefined, choices, { tx })
    const lines = [{ designId: design.id, lineItemId: "1" }]
    await designwire.orders.place("acme", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines }, { tx })
    if ("fail" in query) throw new Error("The payment failed")
    return { id, total: design.price.total }
  }),
)
app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof DesignwireError)) throw error
  return reply.code(422).send({ code: error.code, message: error.message })
})
app.addHook("preClose", async () => void setTimeout(() => app.server.closeAllConnections(), 5_000).unref())
app.addHook("onClose", () => designwire.stop().then(() => sql.end()))
await app.listen({ port: Number(PORT) }).then(() => console.log(`Listening on port ${PORT}`))
process.once("SIGTERM", () => app.close())
