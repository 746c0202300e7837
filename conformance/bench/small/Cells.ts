/** Two cells: reads and claims alongside those of one database, and how long a move of a large shop closes it. */
import process from "node:process"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Cell, layerPlaced, moveShop } from "../../../adapters/cells/index.ts"
import { BeforeStep } from "../../../adapters/cells/Move.ts"
import { layer, layerClient } from "../../../adapters/postgres/index.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { makeToken as newToken } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"
import { advance, makeEvent, request, success } from "../../suites/storage/support/Webhooks.ts"
import { commitEvents, makeKeys, openStores, type Stores, stageShop } from "../deliver/Stage.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant } from "../support/Clock.ts"
import { connect, type Database, migrated, startServer } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, seedShop, shopOf, tidy } from "../support/Seed.ts"
import { seedDeliveries } from "../support/SeedDeliveries.ts"
import { median, percentiles } from "../support/Statistics.ts"

/** Rounds, reads of a round, events of a claim, and shops in the map. */
const [rounds, warmUp, reads, claimed, mapped] = [40, 5, 100, 50, 100_000]

/** Deliveries of the shop that moves: with their events, orders and designs about 1,000,000 rows. */
const deliveries = Number(process.env["BENCH_MOVED"] ?? 420_000)

const moves = Number(process.env["BENCH_MOVES"] ?? 4)

/** Small shops that move one after the other. */
const smallShops = Number(process.env["BENCH_SMALL_SHOPS"] ?? 20)

interface Host {
  readonly stores: Stores
  readonly shop: string
  readonly digest: string
  readonly designs: ReadonlyArray<string>
}

/** A shop with designs and an endpoint, and a host of its cell: with the proxies' map, or without one. */
const openHost = async (cleanup: Cleanup, { sql, url }: Database, shop: string, isPlaced: boolean): Promise<Host> => {
  const { key, secret } = makeKeys()
  const plain = openStores(url, key)
  cleanup.add(() => plain.dispose())
  await stageShop(plain, shop, ["http://127.0.0.1:9/"], secret)
  const token = newToken(shop)
  await plain.runPromise(TokenStore.use((store) => store.add(token, 100)))
  const { designs } = sample(shopOf(shop), { designs: 500, orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  const host = { shop, digest: token.digest, designs: designs.map(({ id }) => id) }
  if (!isPlaced) return { ...host, stores: plain }
  const map = new Map(Array.from({ length: mapped }, (_, index) => [`shop-${index}`, "elsewhere"]))
  map.set(shop, "here")
  const under = Layer.provideMerge(
    layerPlaced((id) => map.get(id) === "here"),
    layer({ url: Redacted.make(url) }),
  )
  const placed = ManagedRuntime.make(under) as unknown as Stores
  cleanup.add(() => placed.dispose())
  return { ...host, stores: placed }
}

/** Milliseconds of a read of a design by its token, and of a claim of some deliveries with their settlement. */
const measure = async ({ designs, digest, shop, stores }: Host) => {
  let begin = instant()
  await stores.runPromise(
    Effect.forEach(
      designs.slice(0, reads),
      (id) =>
        Effect.andThen(
          TokenStore.use((store) => store.find(digest)),
          OrderStore.use((store) => store.readDesign(shop, id)),
        ),
      { discard: true },
    ),
  )
  const read = (instant() - begin) / reads
  await commitEvents(
    stores,
    shop,
    Array.from({ length: claimed }, () => makeEvent(shop)),
  )
  begin = instant()
  const settled = await stores.runPromise(
    Effect.gen(function* () {
      const queue = inTurn(yield* DeliveryQueue)
      const claims = yield* queue.claim(request())
      return yield* queue.settle(
        claims.map((claim) => success(claim)),
        advance,
      )
    }).pipe(Effect.orDie),
  )
  if (settled.length !== claimed) throw new Error(`${settled.length} deliveries were claimed`)
  return { read, claim: instant() - begin }
}

/** Moves a shop to and fro, and returns the milliseconds for which each move closed it. */
const closings = async (cells: readonly [Cell, Cell], shop: string): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let move = 0; move < moves; move++) {
    const [source, target] = move % 2 === 0 ? cells : [cells[1], cells[0]]
    let closed = 0
    let open = 0
    const noting = (step: string) =>
      Effect.sync(() => {
        if (step === "close") closed = instant()
        // The step after the one that opens.
        if (step === "disable the subscription" && closed > 0 && open === 0) open = instant()
      })
    const moving = moveShop({ shop, source, target })
    await Effect.runPromise(Effect.provideService(moving, BeforeStep, noting))
    times.push(open - closed)
  }
  return times
}

/** Moves small shops one after the other, and returns the milliseconds of each. */
const moveMany = async ([source, target]: readonly [Cell, Cell], { sql }: Database): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let shop = 0; shop < smallShops; shop++) {
    await seedShop(sql, shopOf(`small-${shop}`), 1)
    const begin = instant()
    await Effect.runPromise(moveShop({ shop: `small-${shop}`, source, target }))
    times.push(instant() - begin)
  }
  return times
}

const openCell = async (cleanup: Cleanup, name: string, { url }: Database): Promise<Cell> => {
  const runtime = ManagedRuntime.make(layerClient({ url: Redacted.make(url), maxConnections: 2 }))
  cleanup.add(() => runtime.dispose())
  const context = await runtime.context()
  return { name, url: Redacted.make(url), sql: Context.get(context, SqlClient.SqlClient) }
}

export const cells = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const databases: Array<Database> = []
  for (let server = 0; server < 3; server++) {
    const { url } = await startServer(cleanup, ["wal_level=logical"])
    const onServer = connect(url)
    await onServer.unsafe(`CREATE DATABASE cell${server} TEMPLATE template0`)
    await onServer.end()
    databases.push(await migrated(cleanup, Object.assign(new URL(url), { pathname: `/cell${server}` }).href))
  }
  const [single, first, second] = databases as [Database, Database, Database]
  const hosts = {
    one: [await openHost(cleanup, single, "one-a", false), await openHost(cleanup, single, "one-b", false)],
    two: [await openHost(cleanup, first, "two-a", true), await openHost(cleanup, second, "two-b", true)],
  } as const
  const entries = [{ name: "one" }, { name: "two" }] as const
  const times = await alternate(entries, { rounds, warmUp }, ({ name }, round) =>
    measure(hosts[name][round % 2] as Host),
  )
  const of = (name: string, field: "read" | "claim") => median((times.get(name) ?? []).map((each) => each[field]))
  const numbers = (field: "read" | "claim") => ({ designwire: of("two", field), other: of("one", field) })

  const pair = [await openCell(cleanup, "first", first), await openCell(cleanup, "second", second)] as const
  const small = percentiles(await moveMany(pair, first))
  await seedDeliveries(first.sql, shopOf("large"), { count: deliveries, first: Date.now() - deliveries * 2_500 })
  const { p50, p99 } = percentiles(await closings(pair, "large"))
  return [
    finding("A read in two cells vs one database", "ms", numbers("read"), { most: 1.1 }),
    finding("A claim of 50 in two cells vs one database", "ms", numbers("claim"), { most: 1.1 }),
    finding(
      "A move of a small shop, median",
      "ms",
      { designwire: small.p50 },
      { most: 5_000 },
      { ...small, smallShops },
    ),
    finding("A move of a large shop: closed, p99", "ms", { designwire: p99 }, { most: 1_000 }, { p50, moves }),
  ]
}
