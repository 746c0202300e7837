/** Next and postgres.js. This file is `designwire.ts` alongside `app/`, and three files of one line use it:
 * - app/integrations/designs/v1/[[...path]]/route.ts:
 *   `export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "../../../../../designwire"`
 * - app/checkout/[id]/route.ts: `export { checkout as POST } from "../../../designwire"`
 * - instrumentation.ts: `export async function register() {
 *     if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./designwire")).start() }`
 */
import { createDesignwire, DesignwireError, fromPostgresJs, fromPostgresJsPool, toNextHandlers } from "designwire/embed"
import postgres from "postgres"

const { DATABASE_URL = "", DESIGNWIRE_ENCRYPTION_KEYS = "", WEBHOOK_URL = "" } = process.env
const sql = postgres(DATABASE_URL, { onnotice: () => undefined })
let opened: ReturnType<typeof createDesignwire> | undefined // at the first use: Next imports routes while it builds
const open = () =>
  (opened ??= createDesignwire({
    database: fromPostgresJsPool(sql),
    encryptionKeys: DESIGNWIRE_ENCRYPTION_KEYS,
    basePath: "/integrations/designs/v1",
    allowNetworks: process.env.DESIGNWIRE_ALLOW_NETWORKS,
    allowHttp: process.env.DESIGNWIRE_ALLOW_HTTP === "true",
  }))
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = toNextHandlers(open)

export const checkout = async (request: Request, { params }: { params: Promise<{ id: string }> }) => {
  const [{ id }, designwire] = await Promise.all([params, open()])
  const choices = { customizerId: 1, basePrice: 12_900, selection: (await request.json()) as Record<string, unknown> }
  const order = sql.begin(async (transaction) => {
    const tx = fromPostgresJs(transaction)
    await transaction`INSERT INTO my_orders (id) VALUES (${id})`
    const design = await designwire.designs.save("acme", undefined, choices, { tx })
    const lines = [{ designId: design.id, lineItemId: "1" }]
    await designwire.orders.place("acme", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines }, { tx })
    if (new URL(request.url).searchParams.has("fail")) throw new Error("The payment failed")
    return Response.json({ id, total: design.price.total })
  })
  return order.catch((error: unknown) => {
    if (!(error instanceof DesignwireError)) throw error
    return Response.json({ code: error.code, message: error.message }, { status: 422 })
  })
}

export const start = async () => {
  const designwire = await open()
  await sql`CREATE TABLE IF NOT EXISTS my_orders (id text PRIMARY KEY)`
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
  process.once("SIGTERM", () => designwire.stop().then(() => process.exit())) // run Next with NEXT_MANUAL_SIG_HANDLE=true
}
