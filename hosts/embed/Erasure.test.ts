/** Erasing a buyer's texts, and a shop (D43). */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Client } from "pg"
import { expect, it, onTestFinished } from "vitest"
import { customizers, shopInput } from "../../conformance/suites/service/Samples.ts"
import { embed, emptyDatabase, encryptionKeys, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { type Definition, fromPg, type Order } from "./index.ts"

const text = "Für Zoë ♥"
const uploads = ["upl_9f1c", "upl_77aa"]

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [
    {
      id: "colour",
      step: "s",
      type: "single",
      title: "Colour",
      answers: [{ id: "red", title: "Red", productionCode: "R1", price: 250 }],
    },
    { id: "line", step: "s", type: "text", title: "Line", price: 100 },
    { id: "photos", step: "s", type: "upload", title: "Photos", max: 2 },
  ],
  rules: [],
}

const selection = { colour: "red", line: { text, font: text }, photos: uploads }

/** A receiver that refuses everything, and responds with the data that it received. */
const echo = async (): Promise<{ readonly url: string; readonly bodies: ReadonlyArray<string> }> => {
  const bodies: Array<string> = []
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString("utf8")
    bodies.push(body)
    response.writeHead(500).end(JSON.stringify((JSON.parse(body) as { data: unknown }).data))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies }
}

/** Every row of every table as text, by table. */
const dump = async (connectionString: string): Promise<Readonly<Record<string, string>>> => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'designwire'",
    )
    const dumped: Record<string, string> = {}
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM designwire.${name} t`)
      dumped[name] = rows.map(({ row }) => row).join("\n")
    }
    return dumped
  } finally {
    await client.end()
  }
}

/** The tables that contain one of these texts. */
const tablesWith = async (url: string, ...texts: ReadonlyArray<string>) =>
  Object.entries(await dump(url))
    .filter(([, rows]) => texts.some((text) => rows.includes(text)))
    .map(([name]) => name)
    .toSorted()

/** A shop with an order whose buyer wrote and uploaded something; its events were sent, including a test. */
const filled = async () => {
  const url = await emptyDatabase()
  const designwire = await embed({ database: { url }, encryptionKeys, retrySchedule: "1ms" })
  await designwire.migrate()
  const receiving = await echo()
  await designwire.shops.put("acme", shopInput)
  const { assetBase, platformProductId } = customizers[0] as (typeof customizers)[number]
  await designwire.customizers.put("acme", 7, { title: "Shirt", platformProductId, assetBase })
  await designwire.customizers.publish("acme", 7, { definition })
  const { id: endpoint } = await designwire.webhooks.create("acme", {
    url: receiving.url,
    events: ["design.created", "design.ordered", "order.cancelled"],
  })
  await designwire.designs.save("acme", "d-1", {
    customizerId: 7,
    selection: { ...selection, line: { text: `${text} at first` } },
    basePrice: 1000,
  })
  await designwire.designs.save("acme", "d-1", { customizerId: 7, selection, basePrice: 1000 })
  await designwire.designs.save("acme", "d-2", { customizerId: 7, selection: { colour: "red" }, basePrice: 1000 })
  await designwire.orders.place("acme", "1", {
    name: "#1",
    orderedAt: "2026-11-20T12:00:00Z",
    lines: ["d-1", "d-2"].map((designId) => ({ designId, lineItemId: designId })),
  })
  await designwire.webhooks.test("acme", endpoint)
  await designwire.orders.cancel("acme", "1")
  await designwire.drain({ max: 100, seconds: 20 })
  return { url, designwire, receiving, endpoint }
}

it("redacting an order MUST remove every text and upload of its buyer, and change nothing else", async () => {
  const { designwire, endpoint, receiving, url } = await filled()
  expect(await tablesWith(url, text, ...uploads)).toEqual(["deliveries", "designs", "events"])
  const before = await designwire.orders.get("acme", "1")
  const sent = receiving.bodies.length
  const order: Order = await designwire.orders.redact("acme", "1")
  expect(await tablesWith(url, text, ...uploads)).toEqual([])

  const [first, second] = order.designs
  expect(first).toMatchObject({
    status: "cancelled",
    selection: { colour: "red", line: { text: "[redacted]" }, photos: ["[redacted]", "[redacted]"] },
    productionData: [{ value: "R1" }, { value: "[redacted]" }, { values: ["[redacted]", "[redacted]"] }],
    price: before.designs[0]?.price,
  })
  expect(second).toEqual(before.designs[1])
  expect(order.total).toBe(before.total)
  expect(await designwire.orders.get("acme", "1")).toEqual(order)
  expect(await designwire.designs.get("acme", "d-1")).toEqual(first)

  const log = await designwire.webhooks.deliveries("acme", endpoint)
  expect(log).toHaveLength(6)
  const { body } = await designwire.webhooks.delivery("acme", endpoint, log[0]?.id ?? "")
  expect(JSON.parse(body).data.order).toEqual(order)
  expect(receiving.bodies).toHaveLength(sent)

  const dumped = await dump(url)
  expect(await designwire.orders.redact("acme", "1")).toEqual(order)
  expect(await dump(url)).toEqual(dumped)
  await expect(designwire.orders.redact("acme", "2")).rejects.toMatchObject({ code: "NotFound" })
  await expect(
    designwire.designs.save("acme", "d-1", { customizerId: 7, selection, basePrice: 1 }),
  ).rejects.toMatchObject({
    code: "DesignFrozen",
  })
})

it("redacting a design MUST remove every text and upload of its buyer, and undo it with the caller's transaction", async () => {
  const { designwire, endpoint, url } = await filled()
  const before = await dump(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query("BEGIN")
  await designwire.designs.redact("acme", "d-1", { tx: fromPg(client) })
  await client.query("ROLLBACK")
  expect(await dump(url)).toEqual(before)
  const redacted = await designwire.designs.redact("acme", "d-1")
  expect(await tablesWith(url, text, ...uploads)).toEqual([])
  expect(redacted.selection).toEqual({
    ...{ colour: "red", line: { text: "[redacted]" }, photos: ["[redacted]", "[redacted]"] },
  })
  expect((await designwire.orders.get("acme", "1")).designs[0]).toEqual(redacted)
  expect(await designwire.webhooks.deliveries("acme", endpoint)).toHaveLength(6)
})

it("deleting a draft MUST remove every text and upload of its buyer, once, within the caller's transaction (D43)", async () => {
  const { designwire, url } = await filled()
  await designwire.orders.redact("acme", "1")
  await designwire.designs.save("acme", "d-3", { customizerId: 7, selection, basePrice: 1000 })
  const before = await dump(url)
  const feed = (await designwire.events.list("acme")).data.map(({ id }) => id)
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query("BEGIN")
  await designwire.designs.delete("acme", "d-3", { tx: fromPg(client) })
  await client.query("ROLLBACK")
  expect(await dump(url)).toEqual(before)
  await client.query("BEGIN")
  await designwire.designs.delete("acme", "d-3", { tx: fromPg(client) })
  expect((await designwire.designs.get("acme", "d-3")).id).toBe("d-3")
  await client.query("COMMIT")
  await expect(designwire.designs.get("acme", "d-3")).rejects.toMatchObject({ code: "NotFound" })
  await expect(designwire.designs.delete("acme", "d-3")).rejects.toMatchObject({ code: "NotFound" })
  expect(await tablesWith(url, text, ...uploads)).toEqual([])
  expect((await designwire.events.list("acme")).data.map(({ id }) => id)).toEqual(feed)
  await expect(designwire.designs.delete("acme", "d-1")).rejects.toMatchObject({ code: "DesignFrozen" })
})

it("removing a shop MUST remove everything of it, and nothing of other shops", async () => {
  const { designwire, url } = await filled()
  await designwire.shops.put("other", shopInput)
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  const ask = () =>
    designwire.handler(new Request("http://localhost/api/v1/orders", { headers: { authorization: `Bearer ${token}` } }))
  expect((await ask()).status).toBe(200)
  const rows = await dump(url)
  expect(
    Object.keys(rows).filter((table) => /^\(?acme,|\nacme,|^\(acme/m.test(rows[table] ?? "")).length,
  ).toBeGreaterThan(8)

  await designwire.shops.delete("acme")
  // The mark for rows that are written after the removal.
  expect(await tablesWith(url, "acme", text, ...uploads)).toEqual(["removed_shops"])
  expect((await ask()).status).toBe(401)
  expect((await designwire.shops.list()).map(({ id }) => id)).toEqual(["other"])
  await expect(designwire.shops.delete("acme")).rejects.toMatchObject({ code: "NotFound" })
  await fill(designwire)
  expect((await designwire.orders.list("acme")).data).toEqual([])
})
