/** Whether a page of orders with `total` costs the same at any depth in a shop of any size (D14). */
import { createHmac, hkdfSync } from "node:crypto"
import type postgres from "postgres"
import { format, type Instant } from "../../../core/model/Instant.ts"
import * as Cursor from "../../../core/rules/Cursor.ts"
import type { Finding } from "../support/Report.ts"
import { seedManyOrders, seedShop, shopOf } from "../support/Seed.ts"
import { fetchPage } from "./FetchPage.ts"
import { ratio } from "./Findings.ts"
import type { Load } from "./Load.ts"
import { type Contender, measure, type Schedule } from "./Medians.ts"
import type { Server } from "./Server.ts"

/** A shop with orders evenly spread over some time. */
export interface GrowthShop {
  readonly id: string
  readonly token: string
  readonly count: number
  readonly first: Instant
  readonly span: number
}

const limit = 25

const day = 86_400_000

/** Three years. */
const span = 3 * 365 * day

/** Time of the last orders. */
const end = Date.parse("2026-10-01T00:00:00Z")

/**
 * Stores a shop with very many orders over three years, one with few orders over the same time, and a young one with
 * few orders but as many per day as the first.
 */
export const seedGrowth = async (sql: postgres.Sql, orders: { readonly many: number; readonly few: number }) => {
  const make = async (id: string, count: number, span: number): Promise<GrowthShop> => {
    const shop = shopOf(id)
    const [token] = await seedShop(sql, shop, 1)
    const first = end - span
    await seedManyOrders(sql, shop, { count, first, span })
    return { id, token: token as string, count, first, span }
  }
  return {
    many: await make("many", orders.many, span),
    few: await make("few", orders.few, span),
    young: await make("young", orders.few, Math.ceil((span * orders.few) / orders.many)),
  }
}

interface Case {
  readonly name: string
  /** Orders skipped by a cursor. */
  readonly skipped: (shop: GrowthShop) => number
  readonly orderedAfter: (shop: GrowthShop) => Instant | null
}

const lastPage = (shop: GrowthShop): number => Math.floor(shop.count / limit) - 1

const cases: ReadonlyArray<Case> = [
  { name: "first page", skipped: () => 0, orderedAfter: () => null },
  {
    name: "page 1,000",
    // A page in the middle if there are fewer pages.
    skipped: (shop) => limit * (lastPage(shop) >= 1_000 ? 999 : Math.floor(lastPage(shop) / 2)),
    orderedAfter: () => null,
  },
  {
    name: "orderedAfter the middle",
    skipped: () => 0,
    orderedAfter: (shop) => shop.first + Math.floor(shop.span / 2) + 1,
  },
  {
    name: "orderedAfter of late",
    skipped: () => 0,
    // Late enough that the smaller shops have little more than two pages.
    orderedAfter: (shop) => end - Math.floor(shop.span / 18) + 1,
  },
]

interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly pagination: { readonly total: number }
}

/** The path of a case and its response, checked against the tables. */
const expected = async (sql: postgres.Sql, port: number, key: Buffer, shop: GrowthShop, one: Case) => {
  const after = one.orderedAfter(shop)
  const skipped = one.skipped(shop)
  const matching = sql`FROM designwire.orders WHERE shop = ${shop.id} 
AND (${after}::float8 IS NULL OR ordered_at >= to_timestamp(${after}::float8 / 1000))`
  const query = new URLSearchParams({ limit: String(limit) })
  if (after !== null) query.set("orderedAfter", format(after))
  if (skipped > 0) {
    const [last] = await sql<Array<{ id: string; at: Date }>>`
      SELECT id, ordered_at AS at ${matching} ORDER BY ordered_at DESC, id DESC OFFSET ${skipped - 1} LIMIT 1`
    if (last === undefined) throw new Error(`There are not ${skipped} orders`)
    const payload = Cursor.encode({ after: { orderedAt: last.at.getTime(), id: last.id }, orderedAfter: after })
    const cursorKey = new Uint8Array(hkdfSync("sha256", key, "", "designwire cursors", 32))
    const mac = createHmac("sha256", cursorKey).update(Cursor.signed(shop.id, payload)).digest()
    query.set("cursor", Cursor.join(payload, mac))
  }
  const path = `/api/v1/orders?${query}`
  const body = await fetchPage(port, shop.token, path)
  const { data, pagination } = JSON.parse(body) as Page
  const [counted] = await sql<Array<{ total: number }>>`SELECT count(*)::int AS total ${matching}`
  const rows = await sql<Array<{ id: string }>>`
    SELECT id ${matching} ORDER BY ordered_at DESC, id DESC OFFSET ${skipped} LIMIT ${limit}`
  if (pagination.total !== counted?.total) {
    throw new Error(`${path}: total is ${pagination.total}, not ${counted?.total}`)
  }
  if (data.length !== limit || data.some((order, index) => order.id !== rows[index]?.id)) {
    throw new Error(`${path}: not the orders of this page`)
  }
  return { path, token: shop.token, body }
}

/** Measures pages one after the other on a single connection. */
export const growth = async (
  sql: postgres.Sql,
  load: Load,
  server: Server,
  key: Buffer,
  shops: Awaited<ReturnType<typeof seedGrowth>>,
  schedule: Schedule,
): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  for (const one of cases) {
    const contenders: Array<Contender> = []
    for (const [name, shop] of Object.entries(shops)) {
      const plan = `${one.name}: ${name}`
      await load.prepare(plan, [await expected(sql, server.port, key, shop, one)])
      contenders.push({ name, server, plan })
    }
    const medians = await measure(load, contenders, { ...schedule, connections: 1 })
    for (const other of ["few", "young"] as const) {
      const pace = other === "young" ? " as many a day" : ""
      const name = `GET /orders, ${one.name}: ${shops.many.count} orders vs ${shops[other].count}${pace}`
      findings.push(ratio(name, "ms", "p50", medians, { own: "many", other }, { most: 1.15 }))
    }
  }
  return findings
}
