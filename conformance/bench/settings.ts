/**
 * The pages of the settings app for a busy shop over Postgres: 5,000 orders, 20,400 finished and 2,346 pending
 * deliveries, 200 tokens, among 2,000 stores. For each page its bytes and how long it takes, p50 and p99, and the same
 * for what a watched store costs a second. Fails if a page is larger than 40 KiB or takes longer than 50 ms (p99).
 *
 * Run with `npm run bench:settings`; the last line is JSON. Each page is read `BENCH_CALLS` (300) times.
 * `TEST_DATABASE_URL` names an existing Postgres server.
 */
import process from "node:process"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Postgres from "../../adapters/postgres/index.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { inStore, signedIn } from "../testkit/browsers/Browser.ts"
import { busiestShop } from "../testkit/browsers/BusiestShop.ts"
import { settingsPaths } from "../testkit/browsers/SettingsPaths.ts"
import { keptAlive, sender, serve } from "../testkit/hosts/TestHost.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { type Database, startDatabase } from "./support/Postgres.ts"
import { percentiles } from "./support/Statistics.ts"

const calls = numberOf("BENCH_CALLS", 300)
const bars = { bytes: 40 * 1024, p99: 50 }

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: "https://93.184.216.34/quiet",
}

/** How long a call takes, in milliseconds, called again and again. */
const timesOf = Effect.fnUntraced(function* <A, E>(call: Effect.Effect<A, E>) {
  const times: Array<number> = []
  for (let index = 0; index < calls; index++) {
    const begin = performance.now()
    yield* call
    times.push(performance.now() - begin)
  }
  return percentiles(times)
})

const measured = Effect.fnUntraced(function* ({ sql, url }: Database) {
  const ports = yield* Layer.build(Postgres.layer({ url: Redacted.make(url) }))
  const send = sender(yield* serve(ports), yield* keptAlive)
  note("Filling the store")
  const shop = yield* busiestShop(send, ports, { id: "busy", urls })
  // As a server does by itself, some time after a load.
  yield* Effect.promise(() => sql`VACUUM ANALYZE`)
  const browser = yield* signedIn(send, shop.id)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const log = yield* browser.open(`/settings/webhooks/${shop.endpoints.failing}`)
  const paths = settingsPaths(shop, /deliveries\/(dlv_\w+)/.exec(log.text)?.[1] ?? "")
  const pages: Array<{ readonly path: string; readonly bytes: number; readonly p50: number; readonly p99: number }> = []
  for (const path of paths) {
    const open = send("GET", inStore(shop.id, `/settings${path}`), { headers: { cookie } })
    const { length, status } = yield* open
    if (status !== 200) return yield* Effect.die(new Error(`${path} answered ${status}`))
    const { p50, p99 } = yield* timesOf(open)
    pages.push({ path: path.replaceAll(/_\w+/g, "…"), bytes: length, p50, p99 })
  }
  const mark = yield* timesOf(Context.get(ports, ShopStore).mark(shop.id, Date.now()))
  return { pages, mark }
})

await main(() =>
  withCleanup(async (cleanup) => {
    const { mark, pages } = await Effect.runPromise(Effect.scoped(measured(await startDatabase(cleanup))))
    for (const { bytes, p50, p99, path } of pages) {
      const isOver = bytes > bars.bytes || p99 > bars.p99
      if (isOver) process.exitCode = 1
      const figures = [`${bytes} bytes`, `p50 ${p50.toFixed(1)} ms`, `p99 ${p99.toFixed(1)} ms`]
      console.log(`${path.padEnd(40)} ${figures.map((text) => text.padStart(14)).join("  ")}${isOver ? "  OVER" : ""}`)
    }
    console.log(`A look at a watched store: p50 ${mark.p50.toFixed(2)} ms, p99 ${mark.p99.toFixed(2)} ms`)
    console.log(JSON.stringify({ pages, mark }))
  }),
)
