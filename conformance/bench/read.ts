/**
 * The cost of a read, compared with alternatives: requests per second of designs and orders beside other servers on the
 * same Postgres, pages of orders in shops of different sizes, memory, and the time to start.
 *
 * Run with `npm run bench:read`; the last line is JSON. Shorter runs: `BENCH_SECONDS` (per run, default 4),
 * `BENCH_ROUNDS` (5), `BENCH_DESIGNS` (50,000), `BENCH_ORDERS` (1,000,000), `BENCH_MEMORY_SECONDS` (60) and
 * `BENCH_ONLY` (some of `designs,limited,orders,compressed,growth,start`). `TEST_DATABASE_URL` names an existing
 * Postgres server.
 */
import { randomBytes } from "node:crypto"
import { availableParallelism } from "node:os"
import process from "node:process"
import { isDeepStrictEqual } from "node:util"
import { compressed } from "./read/Compressed.ts"
import { copyToColumns } from "./read/Contender.ts"
import { fetchPage } from "./read/FetchPage.ts"
import { ratio, throughput } from "./read/Findings.ts"
import { growth, seedGrowth } from "./read/Growth.ts"
import { startLoad } from "./read/Load.ts"
import { measure, type Schedule } from "./read/Medians.ts"
import { type Server, startServer } from "./read/Server.ts"
import { timeToReady } from "./read/Start.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print, type Report } from "./support/Report.ts"
import { sample } from "./support/Sample.ts"
import { countOrders, seedDesigns, seedOrders, seedShop, shopOf, tidy } from "./support/Seed.ts"
import { median } from "./support/Statistics.ts"

const only = chosen(["designs", "limited", "orders", "compressed", "growth", "start"])
const schedule: Schedule = { seconds: numberOf("BENCH_SECONDS", 4), rounds: numberOf("BENCH_ROUNDS", 5) }
const connections = 64

/** Seconds of load before a server's memory is measured. */
const memorySeconds = numberOf("BENCH_MEMORY_SECONDS", 60)

/** Tokens that share the load if the limit is on, enough that no request is refused. */
const limitedTokens = 20_000

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

const reads = async (cleanup: Cleanup): Promise<Report> => {
  note("Starting Postgres and filling it")
  const { sql, url } = await startDatabase(cleanup)
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
  await countOrders(sql)
  await tidy(sql)

  note("Starting the servers")
  const key = randomBytes(32)
  const environment = { DATABASE_URL: url, SHOP: shop.id, KEY: key.toString("base64") }
  const unlimited = await startServer("./designwire.mjs", { ...environment, LIMIT: "off" }, cleanup)
  const traced = await startServer("./designwire.mjs", { ...environment, LIMIT: "off", TRACER: "on" }, cleanup)
  const limited = await startServer("./designwire.mjs", environment, cleanup)
  const bare = await startServer("./bare.ts", environment, cleanup)
  const fastify = await startServer("./fastify.ts", environment, cleanup)
  const sockets = await startServer("./sockets.ts", environment, cleanup)
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

  /** Peak resident memory of a server after running a plan for a while. */
  const memory = async (name: string, server: Server, plan: string, most: number): Promise<Finding> => {
    note(name)
    await load.run({ plan, port: server.port, connections, milliseconds: memorySeconds * 1_000 })
    return finding(name, "MiB", { designwire: (await server.usage()).peak / 2 ** 20 }, { most })
  }

  const findings: Array<Finding> = []
  const context: Record<string, unknown> = {
    ...schedule,
    designs,
    processors: availableParallelism(),
    node: process.version,
    wireBytes: median(filled.designs.map((design) => Buffer.byteLength(design.wire))),
  }

  const ceiling = await measure(load, [{ name: "fixed", server: fixed, plan: "fixed" }], {
    ...schedule,
    rounds: 1,
    connections,
  })
  context["ceiling"] = ceiling.get("fixed")?.perSecond

  if (only.includes("designs")) {
    note("GET /designs/{id}")
    const medians = await measure(
      load,
      [
        { name: "designwire", server: unlimited, plan: "designs" },
        { name: "designwire, traced", server: traced, plan: "designs" },
        { name: "node:http + pg", server: bare, plan: "designs" },
        { name: "Fastify + postgres", server: fastify, plan: "designs" },
        { name: "sockets + postgres", server: sockets, plan: "designs" },
      ],
      { ...schedule, connections },
    )
    // The server's span, with its attributes, and a span for each statement.
    const sides = { own: "designwire, traced", other: "designwire" }
    findings.push(ratio("GET /designs/{id} traced vs not traced", "µs", "serverTime", medians, sides, { most: 1.6 }))
    findings.push(throughput("GET /designs/{id} vs node:http + pg", medians, "node:http + pg", 1.8))
    findings.push(throughput("GET /designs/{id} vs Fastify + postgres", medians, "Fastify + postgres", 1.5))
    // The ceiling, for reference. uWebSockets.js is missing because npm does not have it.
    findings.push(throughput("GET /designs/{id} vs bare sockets + postgres", medians, "sockets + postgres", 0))
    findings.push(await memory("Resident memory, limit lifted", unlimited, "designs", 220))
  }

  if (only.includes("limited")) {
    note(`GET /designs/{id}, limited, ${limitedTokens} tokens`)
    const medians = await measure(
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
        0.95,
      ),
    )
    findings.push(await memory("Resident memory, limited", limited, "limited", 260))
  }

  if (only.includes("orders")) {
    const beside = async (what: string, paths: ReadonlyArray<string>, least: number) => {
      note(`GET ${what}`)
      const plans = { own: `${what}: designwire`, other: `${what}: fastify` }
      for (const path of paths) {
        const own = await fetchPage(unlimited.port, token, path)
        const other = await fetchPage(fastify.port, token, path)
        if (!isDeepStrictEqual(JSON.parse(own), JSON.parse(other))) throw new Error(`${path}: the answers differ`)
        await load.prepare(plans.own, [{ path, token, body: own }])
        await load.prepare(plans.other, [{ path, token, body: other }])
      }
      const medians = await measure(
        load,
        [
          { name: "designwire", server: unlimited, plan: plans.own },
          { name: "Fastify + postgres", server: fastify, plan: plans.other },
        ],
        { ...schedule, connections },
      )
      findings.push(throughput(`GET ${what} vs Fastify + postgres`, medians, "Fastify + postgres", least))
    }
    const some = shuffled(filled.orders).slice(0, 500)
    await beside(
      "/orders/{id}",
      some.map(({ id }) => `/api/v1/orders/${id}`),
      2,
    )
    await beside("/orders?limit=25", ["/api/v1/orders?limit=25"], 3)
  }

  if (only.includes("compressed")) {
    note("GET /orders?limit=25, compressed")
    const page = "/api/v1/orders?limit=25"
    findings.push(...(await compressed(load, unlimited, token, page, { ...schedule, connections })))
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
  return finding("designwire serve until /readyz", "s", { designwire: median(times) }, { most: 5 })
}

await main(async () => {
  const report = only.some((part) => part !== "start") ? await withCleanup(reads) : { findings: [], context: {} }
  const findings = only.includes("start") ? [...report.findings, await starts()] : report.findings
  print("read", { ...report, findings }, (bar) => ("least" in bar ? bar.least : bar.most))
})
