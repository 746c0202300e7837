/** The setting of the read benchmarks: a filled database, servers on it, and a load generator with its plans. */
import { randomBytes } from "node:crypto"
import { installBun } from "../../testkit/processes/Bun.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { startCollector } from "../support/Collector.ts"
import { note } from "../support/Main.ts"
import { startDatabase } from "../support/Postgres.ts"
import { sample } from "../support/Sample.ts"
import { countOrders, seedDesigns, seedOrders, seedShop, shopOf, tidy } from "../support/Seed.ts"
import { shuffled } from "../support/Shuffled.ts"
import { copyToColumns } from "./Contender.ts"
import { seedGrowth } from "./Growth.ts"
import { type Load, startLoad } from "./Load.ts"
import { type Server, startServer } from "./Server.ts"

/** The most tokens that share the load if the limit is on. */
const mostTokens = 20_000

type Filled = ReturnType<typeof sample>

/** Fills a database with one shop. `growthOrders` adds shops of different sizes, the largest with as many orders. */
const fill = async (
  cleanup: Cleanup,
  counts: { readonly designs: number; readonly growthOrders: number | undefined },
) => {
  note("Starting Postgres and filling it")
  const { sql, url } = await startDatabase(cleanup)
  const shop = shopOf("bench")
  const filled = sample(shop, { designs: counts.designs, orders: Math.floor(counts.designs / 10) })
  const tokens = await seedShop(sql, shop, 1 + mostTokens)
  await seedDesigns(sql, filled.designs)
  await seedOrders(sql, filled.orders)
  await copyToColumns(sql, shop.id)
  const growthShops =
    counts.growthOrders === undefined ? undefined : await seedGrowth(sql, { many: counts.growthOrders, few: 1_000 })
  await countOrders(sql)
  await tidy(sql)
  return { sql, url, shop, filled, tokens, growthShops }
}

/** Files of servers, and what each adds to its environment: designwire in several configurations, and others. */
const files = {
  unlimited: ["./designwire.mjs", { LIMIT: "off" }],
  traced: ["./designwire.mjs", { LIMIT: "off" }],
  sampled: ["./designwire.mjs", { LIMIT: "off", OTEL_TRACES_SAMPLER_ARG: "0.01" }],
  limited: ["./designwire.mjs", {}],
  bare: ["./bare.ts", {}],
  pipelined: ["./pipelined.ts", {}],
  bun: ["./bun.ts", {}],
  fastify: ["./fastify.ts", {}],
  sockets: ["./sockets.ts", {}],
  /** Answers a fixed text. */
  fixed: ["./fixed.ts", {}],
} as const satisfies Readonly<Record<string, readonly [file: string, own: Readonly<Record<string, string>>]>>

/** The name of a server. */
export type ServerName = keyof typeof files

export const everyServer = Object.keys(files) as ReadonlyArray<ServerName>

/** Starts some of the servers on the same tables. */
const startServers = async <Name extends ServerName>(
  names: ReadonlyArray<Name>,
  environment: Readonly<Record<"DATABASE_URL" | "SHOP" | "KEY" | "BODY", string>>,
  cleanup: Cleanup,
): Promise<Readonly<Record<Name, Server>>> => {
  note("Starting the servers")
  const isTraced = (name: ServerName) => name === "traced" || name === "sampled"
  const traces = names.some(isTraced) ? await startCollector(cleanup) : {}
  const servers: Array<readonly [Name, Server]> = []
  for (const name of names) {
    const [file, own] = files[name]
    const settings = { ...environment, ...(isTraced(name) ? traces : {}), ...own }
    servers.push([name, await startServer(file, settings, cleanup, name === "bun" ? await installBun() : undefined)])
  }
  return Object.fromEntries(servers) as Record<Name, Server>
}

/**
 * Prepares the plans `designs` (every design, with one token), `limited` (the same with many tokens) and `fixed` (one
 * design).
 *
 * So many tokens that none is refused, and that each is used about once a second by a machine of any speed: with more,
 * a slower machine would look up more tokens for as many requests.
 */
const preparePlans = async (
  load: Load,
  designs: Filled["designs"],
  [token, ...others]: ReadonlyArray<string>,
  { port }: Server,
) => {
  const requestOf = ({ id, wire }: Filled["designs"][number]) => ({
    path: `/api/v1/designs/${id}`,
    token: token as string,
    body: wire,
  })
  const order = shuffled(designs)
  await load.prepare("designs", order.map(requestOf))
  // A server that was just started answers half as many requests as later.
  const { perSecond } = await load.run({ plan: "designs", port, connections: 64, milliseconds: 2_000 })
  const number = Math.min(mostTokens, Math.ceil(2 * perSecond))
  await load.prepare(
    "limited",
    order.map((design, index) => ({ ...requestOf(design), token: others[index % number] as string })),
  )
  await load.prepare("fixed", designs.slice(0, 1).map(requestOf))
}

/** Fills a database, and starts some servers on it and the load generator. */
export const startStage = async <Name extends ServerName>(
  counts: { readonly designs: number; readonly growthOrders: number | undefined },
  cleanup: Cleanup,
  names: ReadonlyArray<Name>,
) => {
  const { filled, growthShops, shop, sql, tokens, url } = await fill(cleanup, counts)
  const key = randomBytes(32)
  const environment = { DATABASE_URL: url, SHOP: shop.id, KEY: key.toString("base64") }
  const servers = await startServers(names, { ...environment, BODY: filled.designs[0]?.wire ?? "" }, cleanup)
  const load = startLoad(cleanup)
  await preparePlans(load, filled.designs, tokens, servers[names[0] as Name])
  return { sql, environment, filled, growthShops, token: tokens[0] as string, key, servers, load }
}

export type Stage = Awaited<ReturnType<typeof startStage<ServerName>>>
