/**
 * A typical implementation without Designwire: Fastify and `postgres`. Tokens by digest, designs as stored text, orders
 * from columns and jsonb, responses with the same headers as Designwire's.
 */
import { createHash, createHmac, hkdfSync } from "node:crypto"
import type { AddressInfo } from "node:net"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import postgres from "postgres"
import * as Cursor from "../../../core/rules/Cursor.ts"
import { setting } from "../support/Child.ts"
import type { ContenderDesign, ContenderOrder } from "./Contender.ts"
import { listening } from "./Serving.ts"

declare module "fastify" {
  interface FastifyRequest {
    shop: string
  }
}

const sql = postgres(setting("DATABASE_URL"), { max: Number(process.env["POOL"] ?? 10) })
const key = new Uint8Array(hkdfSync("sha256", Buffer.from(setting("KEY"), "base64"), "", "designwire cursors", 32))
const app = Fastify({ logger: false })

app.decorateRequest("shop", "")

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-api-version", "2026-10")
  const authorization = request.headers.authorization
  const digest = createHash("sha256")
    .update(authorization?.startsWith("Bearer ") === true ? authorization.slice(7) : "")
    .digest("hex")
  const [token] = await sql<Array<{ shop: string; plan: string }>>`
    SELECT t.shop, s.plan FROM designwire.tokens t JOIN designwire.shops s ON s.id = t.shop WHERE t.digest = ${digest}`
  if (token === undefined) {
    return reply.code(401).header("www-authenticate", "Bearer").send({ message: "A valid API token is needed" })
  }
  if (token.plan === "free") return reply.code(403).send({ message: "The REST API is part of the Pro and Plus plans" })
  request.shop = token.shop
})

const conditional = (request: FastifyRequest, reply: FastifyReply, etag: string, body: string) => {
  reply
    .header("etag", etag)
    .header("cache-control", "private, no-cache")
    .header("vary", "Authorization, Accept-Encoding")
  return request.headers["if-none-match"] === etag
    ? reply.code(304).send()
    : reply.header("content-type", "application/json").send(body)
}

app.get<{ Params: { id: string } }>("/api/v1/designs/:id", async (request, reply) => {
  const [found] = await sql<Array<{ wire: string; etag: string }>>`
    SELECT wire, etag FROM designwire.designs WHERE shop = ${request.shop} AND id = ${request.params.id}`
  if (found === undefined) return reply.code(404).send({ message: "There is no such design" })
  return conditional(request, reply, `"${found.etag}"`, found.wire)
})

const timestamp = (date: Date): string => `${date.toISOString().slice(0, -1)}+00:00`

const designOf = (row: ContenderDesign, order: ContenderOrder) => ({
  id: row.id,
  status: row.status,
  customizer: { id: row.customizer_id, title: row.customizer_title, version: row.customizer_version },
  order: { id: order.id, name: order.name, lineItemId: row.line_item_id },
  selection: row.selection,
  summary: row.summary,
  productionData: row.production_data,
  price: row.price,
  images: row.images,
  thumbnail: row.thumbnail,
  createdAt: timestamp(row.created_at),
  orderedAt: timestamp(order.ordered_at),
})

const cursorAfter = (shop: string, order: ContenderOrder): string => {
  const payload = Cursor.encode({ after: { orderedAt: order.ordered_at.getTime(), id: order.id }, orderedAfter: null })
  return Cursor.join(payload, createHmac("sha256", key).update(Cursor.signed(shop, payload)).digest())
}

const orderOf = (order: ContenderOrder, designs: ReadonlyArray<ContenderDesign>) => ({
  id: order.id,
  name: order.name,
  status: order.status,
  currency: order.currency,
  total: order.total,
  orderedAt: timestamp(order.ordered_at),
  designs: designs.map((design) => designOf(design, order)),
})

app.get<{ Params: { id: string } }>("/api/v1/orders/:id", async (request, reply) => {
  const { shop } = request
  const { id } = request.params
  const [[order], designs] = await Promise.all([
    sql<Array<ContenderOrder>>`
      SELECT id, name, status, currency, total, ordered_at FROM contender.orders WHERE shop = ${shop} AND id = ${id}`,
    sql<Array<ContenderDesign>>`
      SELECT id, status, customizer_id, customizer_title, customizer_version, order_id, line_item_id, selection, summary,
        production_data, price, images, thumbnail, created_at
      FROM contender.designs WHERE shop = ${shop} AND order_id = ${id} ORDER BY position`,
  ])
  if (order === undefined) return reply.code(404).send({ message: "There is no such order" })
  const body = JSON.stringify(orderOf(order, designs))
  return conditional(request, reply, `"${createHash("sha1").update(body).digest("base64url")}"`, body)
})

/** The first page; the benchmark asks for no other. */
app.get<{ Querystring: { limit?: string } }>("/api/v1/orders", async (request, reply) => {
  const { shop } = request
  const limit = Number(request.query.limit ?? 25)
  const [rows, [counted]] = await Promise.all([
    sql<Array<ContenderOrder>>`
      SELECT id, name, status, currency, total, ordered_at FROM contender.orders
      WHERE shop = ${shop} ORDER BY ordered_at DESC, id DESC LIMIT ${limit + 1}`,
    sql<Array<{ total: number }>>`SELECT count(*)::int AS total FROM contender.orders WHERE shop = ${shop}`,
  ])
  const orders = rows.slice(0, limit)
  const designs = await sql<Array<ContenderDesign>>`
    SELECT id, status, customizer_id, customizer_title, customizer_version, order_id, line_item_id, selection, summary,
      production_data, price, images, thumbnail, created_at
    FROM contender.designs WHERE shop = ${shop} AND order_id = ANY(${orders.map((order) => order.id)}) ORDER BY order_id, position`
  const byOrder = Map.groupBy(designs, (design) => design.order_id)
  const last = orders.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? cursorAfter(shop, last) : null
  const body = JSON.stringify({
    data: orders.map((order) => orderOf(order, byOrder.get(order.id) ?? [])),
    pagination: { total: counted?.total ?? 0, limit, nextCursor },
  })
  if (nextCursor !== null) {
    reply.header("link", `<?${new URLSearchParams({ limit: String(limit), cursor: nextCursor })}>; rel="next"`)
  }
  return conditional(request, reply, `"${createHash("sha1").update(body).digest("base64url")}"`, body)
})

await app.listen({ host: "127.0.0.1", port: 0 })
listening((app.server.address() as AddressInfo).port)
