/**
 * What a read costs, against what one would run instead: requests per second of designs and orders in turn with other servers on
 * the same Postgres, pages of orders in shops of different sizes, memory, and the time to start.
 *
 * Run with `npm run bench:read`; the last line is JSON. `BENCH_SECONDS` (of one run, default 4), `BENCH_ROUNDS` (5),
 * `BENCH_DESIGNS` (50,000), `BENCH_ORDERS` (1,000,000) and `BENCH_ONLY` (some of `designs,limited,orders,growth,start`) make it
 * shorter; `TEST_DATABASE_URL` names a Postgres server to use rather than one of its own.
 */
import { randomBytes } from "node:crypto"
import { availableParallelism } from "node:os"
import process from "node:process"
import { isDeepStrictEqual } from "node:util"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { layerClient, migrate } from "../../adapters/postgres/index.ts"
import { alternate, median, type Schedule } from "./read/Compare.ts"
import { copyToColumns } from "./read/Contender.ts"
import { growth, seedGrowth } from "./read/Growth.ts"
import { startLoad } from "./read/Load.ts"
import { startPostgres } from "./read/Postgres.ts"
import { Cleanup, startServer } from "./read/Processes.ts"
import { atMost, type Finding, print, throughput } from "./read/Report.ts"
import { sample } from "./read/Sample.ts"
import { finish, seedDesigns, seedOrders, seedShop, shopOf } from "./read/Seed.ts"
import { timeToReady } from "./read/Start.ts"

const numberOf = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)

const parts = ["designs", "limited", "orders", "growth", "start"] as const

const only = process.env["BENCH_ONLY"]?.split(",") ?? parts
const schedule: Schedule = { seconds: numberOf("BENCH_SECONDS", 4), rounds: numberOf("BENCH_ROUNDS", 5) }
const connections = 64

/** Tokens that share the load where the limit is on: far more than it takes to meet none. */
const limitedTokens = 20_000

const note = (text: string) => console.error(text)

const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    const item = result[index] as A
    result[index] = result[other] as A
    result[other] = item
  }
  return result
}

const fetchPage = async (port: number, token: string, path: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
  return body
}

const measure = async (cleanup: Cleanup) => {
  note("Starting Postgres and filling it")
  const url = await startPostgres(cleanup)
  await Effect.runPromise(Effect.provide(migrate, layerClient({ url: Redacted.make(url), maxConnections: 1 })))
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  cleanup.add(() => sql.end())
  const shop = shopOf("bench")
  const designs = numberOf("BENCH_DESIGNS", 50_000)
  const filled = sample(shop, { designs, orders: Math.floor(designs / 10) })
  const tokens = await seedShop(sql, shop, 1 + limitedTokens)
  const token = tokens[0] as string
  await seedDesigns(sql, filled.designs)
  await seedOrders(sql, filled.orders)
  await copyToColumns(sql, shop.id)
  const growthShops = only.includes("growth")
    ? await seedGrowth(sql, { many: numberOf("BENCH_ORDERS", 1_000_000), few: 1_000 })
    : undefined
  await finish(sql)

  note("Starting the servers")
  const key = randomBytes(32)
  const environment = { DATABASE_URL: url, SHOP: shop.id, KEY: key.toString("base64") }
  const unlimited = await startServer("./designwire.ts", { ...environment, LIMIT: "off" }, cleanup)
  const limited = await startServer("./designwire.ts", environment, cleanup)
  const bare = await startServer("./bare.ts", environment, cleanup)
  const fastify = await startServer("./fastify.ts", environment, cleanup)
  const fixed = await startServer("./fixed.ts", { BODY: filled.designs[0]?.wire ?? "" }, cleanup)

  const load = startLoad(cleanup)
  const requestOf = ({ id, wire }: { readonly id: string; readonly wire: string }) => ({
    path: `/api/v1/designs/${id}`,
    token,
    body: wire,
  })
  const order = shuffled(filled.designs)
  await load.prepare("designs", order.map(requestOf))
  await load.prepare(
    "limited",
    order.map((design, index) => ({
      ...requestOf(design),
      token: tokens[1 + (index % limitedTokens)] as string,
    })),
  )
  await load.prepare("fixed", filled.designs.slice(0, 1).map(requestOf))

  const findings: Array<Finding> = []
  const context: Record<string, unknown> = {
    ...schedule,
    designs,
    processors: availableParallelism(),
    node: process.version,
    wireBytes: median(filled.designs.map((design) => Buffer.byteLength(design.wire))),
  }

  const ceiling = await alternate(load, [{ name: "fixed", server: fixed, plan: "fixed" }], {
    ...schedule,
    rounds: 1,
    connections,
  })
  context["ceiling"] = ceiling.get("fixed")?.perSecond

  if (only.includes("designs")) {
    note("GET /designs/{id}")
    const medians = await alternate(
      load,
      [
        { name: "designwire", server: unlimited, plan: "designs" },
        { name: "node:http + pg", server: bare, plan: "designs" },
        { name: "Fastify + postgres", server: fastify, plan: "designs" },
      ],
      { ...schedule, connections },
    )
    findings.push(throughput("GET /designs/{id} vs node:http + pg", medians, "node:http + pg", 1))
    findings.push(throughput("GET /designs/{id} vs Fastify + postgres", medians, "Fastify + postgres", 1.5))
    findings.push(atMost("Resident memory, limit lifted", "MiB", (await unlimited.usage()).peak / 2 ** 20, 300))
  }

  if (only.includes("limited")) {
    note(`GET /designs/{id}, limited, ${limitedTokens} tokens`)
    const medians = await alternate(
      load,
      [
        { name: "designwire", server: limited, plan: "limited" },
        { name: "node:http + pg", server: bare, plan: "designs" },
      ],
      { ...schedule, connections },
    )
    findings.push(
      throughput(
        `GET /designs/{id}, limited, ${limitedTokens} tokens vs node:http + pg`,
        medians,
        "node:http + pg",
        0.6,
      ),
    )
    findings.push(atMost("Resident memory, limited", "MiB", (await limited.usage()).peak / 2 ** 20, 300))
  }

  if (only.includes("orders")) {
    note("GET /orders?limit=25")
    const path = "/api/v1/orders?limit=25"
    const own = await fetchPage(unlimited.port, token, path)
    const other = await fetchPage(fastify.port, token, path)
    if (!isDeepStrictEqual(JSON.parse(own), JSON.parse(other))) throw new Error(`${path}: the answers differ`)
    await load.prepare("orders: designwire", [{ path, token, body: own }])
    await load.prepare("orders: fastify", [{ path, token, body: other }])
    const medians = await alternate(
      load,
      [
        { name: "designwire", server: unlimited, plan: "orders: designwire" },
        { name: "Fastify + postgres", server: fastify, plan: "orders: fastify" },
      ],
      { ...schedule, connections },
    )
    findings.push(throughput("GET /orders?limit=25 vs Fastify + postgres", medians, "Fastify + postgres", 2))
  }

  if (growthShops !== undefined) {
    note("GET /orders in shops of different sizes")
    findings.push(
      ...(await growth(sql, load, unlimited, key, growthShops, { ...schedule, seconds: schedule.seconds / 4 })),
    )
  }
  return { findings, context }
}

const starts = async (): Promise<Finding> => {
  note("designwire serve on an empty embedded database")
  const times: Array<number> = []
  for (let round = 0; round < Math.min(3, schedule.rounds); round++) times.push((await timeToReady()) / 1_000)
  return atMost("designwire serve until /readyz", "s", median(times), 5)
}

const cleanup = new Cleanup()
try {
  const { context, findings } = only.some((part) => part !== "start")
    ? await measure(cleanup)
    : { context: {}, findings: [] }
  await cleanup.run()
  print(only.includes("start") ? [...findings, await starts()] : findings, context)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await cleanup.run()
}
