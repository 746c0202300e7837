/** What the figures of deliveries cost: each settlement counts its attempts by endpoint and hour (D60). */
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { countAttempts } from "../../../adapters/sql/webhooks/AttemptCounts.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { type Database, startDatabase } from "../support/Postgres.ts"
import { postgresUsage, written } from "../support/PostgresUsage.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { tidy } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"
import { makeEvent, type StagedShop } from "./Events.ts"
import { claimOf, succeeded } from "./Growth.ts"
import { makeKeys, openStores, stageShop } from "./Stage.ts"

const [shops, endpoints] = [8, 5]

/** Events of a commit. */
const perCommit = 2

/** A client whose settlements don't count. */
const uncounted = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const none = sql.literal("counted AS (SELECT 1)")
  const statement = (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) =>
    sql(strings, ...values.map((value) => (value === countAttempts ? none : value)))
  return Object.assign(statement, sql) as SqlClient.SqlClient
}

interface Way {
  readonly name: "counted" | "uncounted"
  readonly stores: ManagedRuntime.ManagedRuntime<StoragePorts, unknown>
}

const openWay = (name: Way["name"], { url }: Database, cleanup: Cleanup): Way => {
  const client = Postgres.layerClient({ url: Redacted.make(url) })
  const own = Layer.effect(SqlClient.SqlClient, Effect.map(SqlClient.SqlClient, uncounted))
  const stores = ManagedRuntime.make(
    Layer.provide(Postgres.layerStores(), name === "counted" ? client : Layer.provideMerge(own, client)),
  )
  cleanup.add(() => stores.dispose())
  return { name, stores }
}

/** Adds, claims and settles deliveries, and returns the cost of one: microseconds of Postgres, and bytes of its log. */
const run = async (
  { stores }: Way,
  { sql }: Database,
  staged: ReadonlyArray<StagedShop>,
  { batch, deliveries }: { readonly deliveries: number; readonly batch: number },
) => {
  await sql`TRUNCATE designwire.events, designwire.deliveries`
  await tidy(sql)
  const [usage, log] = [await postgresUsage(sql), await written(sql)]
  for (let commit = 0; commit * perCommit * endpoints < deliveries; commit++) {
    const { shop } = staged[commit % shops] as StagedShop
    const events = Array.from({ length: perCommit }, () => makeEvent(shop))
    await stores.runPromise(OrderStore.use((s) => s.commit({ shop: shop.id, designs: [], order: null, events })))
  }
  const ids = staged.map(({ shop }) => shop.id)
  let settled = 0
  for (let call = 0; ; call++) {
    const claims = await stores.runPromise(
      claimOf(ids, { limit: 64, perEndpoint: Math.ceil(64 / endpoints), token: `claim${call}` }),
    )
    if (claims.length === 0) break
    for (let first = 0; first < claims.length; first += batch) {
      const part = claims.slice(first, first + batch).map(succeeded)
      const stored = await stores.runPromise(DeliveryQueue.use((queue) => queue.settle(part, (health) => health)))
      settled += stored.filter((isStored) => isStored).length
    }
  }
  if (settled < deliveries) throw new Error(`${settled} of ${deliveries} deliveries were settled`)
  return {
    postgres: (((await postgresUsage(sql)) - usage) * 1_000) / settled,
    log: ((await written(sql)) - log) / settled,
  }
}

/** Compares stores that count attempts with stores that don't: settled 64 at once, and one by one. */
export const figures = async (
  cleanup: Cleanup,
  { deliveries, rounds }: { readonly deliveries: number; readonly rounds: number },
): Promise<ReadonlyArray<Finding>> => {
  const database = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(database.url, key)
  cleanup.add(() => stores.dispose())
  const staged: Array<StagedShop> = []
  for (let shop = 0; shop < shops; shop++) {
    const urls = Array.from({ length: endpoints }, (_, endpoint) => `https://example.com/${endpoint}`)
    staged.push(await stageShop(stores, `figures${shop}`, urls, secret))
  }
  const ways = [openWay("counted", database, cleanup), openWay("uncounted", database, cleanup)]
  const findings: Array<Finding> = []
  for (const [batch, most] of [
    [64, 1.03],
    [1, 1.1],
  ] as const) {
    const costs = await alternate(ways, { rounds, warmUp: 1 }, (way) =>
      run(way, database, staged, { deliveries, batch }),
    )
    const of = (name: Way["name"]) => medians(costs.get(name) ?? [], ["postgres", "log"])
    const numbers = { designwire: of("counted").postgres, other: of("uncounted").postgres }
    const details = { costs: Object.fromEntries(costs), counted: of("counted"), uncounted: of("uncounted") }
    findings.push(
      finding(`Postgres of a delivery, settled ${batch} at once, counted or not`, "µs", numbers, { most }, details),
    )
  }
  return findings
}
