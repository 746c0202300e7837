/** A store that continues while the mirror of it is killed, and while the service is away. */
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import { createDesignwire, type Designwire } from "../../../../hosts/embed/index.ts"
import type { Attempt, Check } from "../Attempt.ts"
import { expect, type Program } from "../Program.ts"
import { eventually, type Json } from "../Service.ts"

/** A store in memory, and its REST API, which may be away. */
const openStore = async (attempt: Attempt) => {
  const designwire = await createDesignwire({
    database: { memory: true },
    encryptionKeys: Buffer.alloc(32, 7).toString("base64"),
    rateLimit: 100_000,
  })
  const site = "https://acme.example.com"
  await designwire.shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: site })
  const ring = { title: "Ring", platformProductId: "gid://acme/Product/1", assetBase: site }
  await designwire.customizers.put("acme", 1, ring)
  const steps = [{ id: "text", title: "Text", view: "front" }] as const
  const questions = [{ id: "engraving", step: "text", title: "Engraving", type: "text" }] as const
  await designwire.customizers.publish("acme", 1, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
  const away = { status: 0 }
  const asked: Array<string> = []
  const server = createServer(async ({ headers, url = "/" }, response) => {
    if (away.status !== 0) {
      response.writeHead(away.status, { "retry-after": "1" }).end()
      return
    }
    asked.push(url)
    const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
    const answer = await designwire.handler(new Request(`http://service.test${url}`, { headers: given }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  attempt.closing(async () => {
    server.closeAllConnections()
    server.close()
    await designwire.stop()
  })
  const { token } = await designwire.tokens.create("acme", { name: "Mirror" })
  return { designwire, token, away, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1` }
}

const place = async (designwire: Designwire, id: number): Promise<void> => {
  const choices = { customizerId: 1, basePrice: 12_900, selection: { engraving: { text: `Order ${id}` } } }
  const lines: Array<{ designId: string; lineItemId: string }> = []
  for (const lineItemId of ["1", "2"]) {
    lines.push({ designId: (await designwire.designs.save("acme", undefined, choices)).id, lineItemId })
  }
  await designwire.orders.place("acme", `${id}`, { name: `#${id}`, orderedAt: "2026-11-20T12:00:00Z", lines })
}

/** Everything that the store has by now. */
const storedIn = async (designwire: Designwire) => {
  const [events, orders]: [Array<Json>, Array<Json>] = [[], []]
  for (let after: string | undefined; ; ) {
    const { data, pagination } = await designwire.events.list("acme", { limit: 100, ...(after ? { after } : {}) })
    events.push(...data.map(({ event, id }) => ({ id, kind: event })))
    after = pagination.nextCursor
    if (!pagination.hasMore) break
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, pagination } = await designwire.orders.list("acme", { limit: 100, ...(cursor ? { cursor } : {}) })
    orders.push(...data.map(({ id, name, status }) => ({ id, name, status })))
    cursor = pagination.nextCursor
  }
  return { events, orders: orders.toSorted((one, other) => Number(one.id) - Number(other.id)) }
}

/** Everything that the mirror has by now. */
const mirroredIn = (file: string): { readonly events: Array<Json>; readonly orders: Array<Json> } => {
  if (!existsSync(file)) return { events: [], orders: [] }
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const events = database.prepare("SELECT id, kind FROM events ORDER BY rowid").all()
    const orders = database.prepare("SELECT id, name, status FROM orders ORDER BY CAST(id AS INTEGER)").all()
    return { events: events.map((row) => ({ ...row })), orders: orders.map((row) => ({ ...row })) }
  } catch {
    return { events: [], orders: [] } // The mirror is making its tables.
  } finally {
    database.close()
  }
}

export const check: Check = async (attempt) => {
  const { asked, away, designwire, token, url } = await openStore(attempt)
  const file = join(await attempt.temporary(), "mirror.db")
  const start = (): Program => attempt.start("exec node mirror.mts", { API_URL: url, TOKEN: token, FILE: file })
  const text = (value: unknown) => JSON.stringify(value)
  const hasCaughtUp = async (): Promise<boolean> => text(mirroredIn(file)) === text(await storedIn(designwire))
  const compare = async (when: string): Promise<void> => {
    if (await eventually(hasCaughtUp, 12_000)) return
    const [mirror, store] = [mirroredIn(file), await storedIn(designwire)]
    const ids = mirror.events.map(({ id }) => id)
    const doubled = ids.find((id, index) => ids.indexOf(id) !== index)
    const lost = store.events.find(({ id }) => !ids.includes(id))
    expect(doubled === undefined, `${when} the event ${doubled} is in the table \`events\` twice`)
    expect(lost === undefined, `${when} the event ${lost?.id} (${lost?.kind}) is not in the table \`events\``)
    expect(text(mirror.events) === text(store.events), `${when} the events are in another order than in the store`)
    const wrong = store.orders.find((order) => !mirror.orders.some((other) => text(other) === text(order)))
    expect(false, `${when} the table \`orders\` does not have ${text(wrong ?? "only the store's orders")}`)
  }

  for (let id = 1; id <= 60; id++) await place(designwire, id)
  let mirror = start()
  await mirror.until(() => mirroredIn(file).events.length > 0, "an event of the shop is in the file")
  let next = 61
  for (const milliseconds of [0, 3, 6, 10, 15, 25]) {
    // Right after a page has arrived, as the mirror stores it.
    const before = asked.length
    for (let more = 0; more < 10; more++) await place(designwire, next++)
    await designwire.orders.cancel("acme", `${next - 5}`)
    await mirror.until(() => asked.length > before, "it asks for new events")
    await pause(milliseconds)
    await mirror.kill()
    mirror = start()
  }
  await compare("After the mirror was killed and started again several times,")

  const askedFirst = () => asked.find((path) => path.includes("/events"))
  const first = askedFirst()
  await mirror.kill()
  asked.splice(0)
  mirror = start()
  await mirror.until(() => askedFirst() !== undefined, "it asks for new events")
  expect(askedFirst() !== first, `Started again, the mirror reads the store from the beginning: GET ${first}`)

  for (const status of [503, 429]) {
    away.status = status
    await pause(1_000)
    await place(designwire, next++)
    away.status = 0
    await compare(`After the service has answered ${status} for a moment,`)
    expect(!mirror.hasEnded, `The mirror has ended after the service answered ${status}:\n${mirror.printed}`)
  }
}
