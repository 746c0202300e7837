/** Small reads of a shop alongside a token of another that asks for pages of 8 MB as fast as it may (D46). */
import { randomBytes } from "node:crypto"
import type postgres from "postgres"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { note } from "../support/Main.ts"
import { start } from "../support/Processes.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { countOrders, seedDesigns, seedOrders, seedShop, shopOf } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"
import type { Schedule } from "./Medians.ts"
import { startServer } from "./Server.ts"
import type { Stage } from "./Stage.ts"

/** Orders of one design of 250 KB, that fill a page. */
const orders = 32

const path = `/api/v1/orders?limit=${orders}`

/** Pages a second that a token may ask for. */
const perSecond = 2

const first: Instant = Date.parse("2026-09-01T00:00:00Z")

/** Stores a shop whose page of orders has 8 MB, and returns its token. */
const seedLong = async (sql: postgres.Sql): Promise<string> => {
  const shop = shopOf("long")
  const [token] = await seedShop(sql, shop, 1)
  const numbered = Array.from({ length: orders }, (_, index) => ({ id: `long_${index}`, at: first + index * 60_000 }))
  await seedOrders(
    sql,
    numbered.map(({ at, id }) => ({
      shop: shop.id,
      id,
      orderedAt: at,
      head: `{"id":"${id}","name":"#${id}","status":"ordered","currency":"EUR","total":1,"orderedAt":"${format(at)}","designs":[`,
      etag: id,
      revision: 1,
    })),
  )
  await seedDesigns(
    sql,
    numbered.map(({ at, id }) => ({
      shop: shop.id,
      id: `dsn_${id}`,
      status: "ordered" as const,
      orderId: id,
      position: 0,
      createdAt: at,
      // Texts that do not compress.
      wire: `{"id":"dsn_${id}","filling":"${randomBytes(187_500).toString("base64")}"}`,
      etag: id,
      revision: 2,
    })),
  )
  await sql`DELETE FROM designwire.order_counts`
  await countOrders(sql)
  return token as string
}

interface Answered {
  readonly pages: number
  readonly refused: number
  readonly bytes: number
}

/**
 * Latency alongside a token that asks at once for what it may ask for in a run, and memory alongside a minute's pages.
 */
export const beside = async (
  { environment, load, sql }: Stage,
  { rounds, seconds }: Schedule,
  cleanup: Cleanup,
): Promise<ReadonlyArray<Finding>> => {
  note("GET /designs/{id} alongside pages of 8 MB of another shop")
  const token = await seedLong(sql)
  const server = await startServer("./designwire.mjs", { ...environment, LIMIT: "off" }, cleanup)
  const greedy = start<{ readonly path: string; readonly times: number }>(
    new URL("./greedy.ts", import.meta.url),
    { SERVER_PORT: String(server.port), TOKEN: token },
    cleanup,
  )
  await greedy.answer()
  const run = () => load.run({ plan: "designs", port: server.port, connections: 16, milliseconds: seconds * 1_000 })
  const asked: Array<Answered> = []
  const runs = await alternate(
    [
      { name: "alone", pages: 0 },
      { name: "beside", pages: perSecond * seconds },
    ],
    { rounds, warmUp: 1 },
    async ({ pages }) => {
      if (pages === 0) return run()
      const [measured, answered] = await Promise.all([run(), greedy.ask<Answered>({ path, times: pages })])
      asked.push(answered)
      return measured
    },
  )
  const [alone, besides] = ["alone", "beside"].map((name) => medians(runs.get(name) ?? [], ["p50", "p99", "perSecond"]))
  if (alone === undefined || besides === undefined) throw new Error("Nothing was measured")
  const minute = await Promise.all([run(), greedy.ask<Answered>({ path, times: 60 * perSecond })])
  const { peak } = await server.usage()
  return [
    finding(
      "GET /designs/{id}, p99 alongside a token's pages of 8 MB vs alone",
      "ms",
      { designwire: besides.p99, other: alone.p99 },
      { most: 3 },
      { alone, alongside: besides, asked },
    ),
    finding(
      "Resident memory alongside 120 pages of 8 MB at once",
      "MiB",
      { designwire: peak / 2 ** 20 },
      { most: 300 },
      { minute },
    ),
  ]
}
