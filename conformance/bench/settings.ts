/**
 * What the pages of the settings app cost, on Postgres, for a shop with full logs: the time from a request to the end
 * of its answer, one after the other over a connection on this machine, and the bytes that go over the wire for
 * somebody who comes for the first time, style sheet, script and icon included.
 *
 * Run with `npm run bench:settings`; the last line is JSON. `BENCH_SAMPLES` (400 of each page) makes it shorter;
 * `TEST_DATABASE_URL` names a Postgres server to use rather than one of its own.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { Effect, Layer, Redacted } from "effect"
import { IpNetwork } from "effect/net"
import * as Postgres from "../../adapters/postgres/index.ts"
import { makeBrowser, signedIn } from "../testkit/browsers/Browser.ts"
import { type BusyShop, busyShop } from "../testkit/browsers/BusyShop.ts"
import { keptAlive, sender, serve } from "../testkit/hosts/TestHost.ts"
import { instant } from "./support/Clock.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"
import { percentiles } from "./support/Statistics.ts"

const samples = numberOf("BENCH_SAMPLES", 400)

/** Each page is as quick and as small as this. */
const bars = { milliseconds: 50, bytes: 40 * 1024 }

const local = "http://127.0.0.1:9999"

const urls = { healthy: `${local}/a`, failing: `${local}/b`, off: `${local}/c`, quiet: `${local}/d` }

const pagesOf = ({ endpoints: { failing, healthy, off } }: BusyShop, deliveries: Readonly<Record<string, string>>) => ({
  "sign in": "/sign-in",
  "choose a store": "/stores",
  overview: "/",
  "API tokens": "/tokens",
  webhooks: "/webhooks",
  "add an endpoint": "/webhooks/new",
  "endpoint, 50 deliveries": `/webhooks/${healthy}`,
  "endpoint that fails": `/webhooks/${failing}`,
  "endpoint that is off": `/webhooks/${off}`,
  "edit an endpoint": `/webhooks/${healthy}/edit`,
  "how to verify": `/webhooks/${healthy}/secret`,
  delivery: `/webhooks/${healthy}/deliveries/${deliveries["healthy"]}`,
  "delivery, 7 attempts": `/webhooks/${failing}/deliveries/${deliveries["failing"]}`,
  "event catalogue": "/events",
})

const measure = (url: string) =>
  Effect.gen(function* () {
    const ports = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 10 }))
    const webhookPolicy = { allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.0/8")], allowHttp: true }
    const send = sender(yield* serve(ports, { webhookPolicy }), yield* keptAlive)
    note("Filling a shop")
    const shop = yield* busyShop(send, ports, { id: "busy", urls })
    const browser = yield* signedIn(send, shop.id)
    const first = Effect.fnUntraced(function* (endpoint: string, state: string) {
      const { text } = yield* browser.open(`/settings/webhooks/${endpoint}?state=${state}`)
      return /\/deliveries\/(dlv_[\w-]+)"/.exec(text)?.[1] ?? ""
    })
    const deliveries = {
      healthy: yield* first(shop.endpoints.healthy, "succeeded"),
      failing: yield* first(shop.endpoints.failing, "failed"),
    }
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const stranger = makeBrowser(send)
    yield* stranger.open("/settings/sign-in")
    const assets = yield* Effect.forEach(["style.css", "script.js", "icon.svg"], (file) =>
      Effect.map(send("GET", `/settings/${file}`, { headers: { "accept-encoding": "gzip" } }), ({ headers }) =>
        Number(headers["content-length"]),
      ),
    )
    const shared = assets.reduce((sum, bytes) => sum + bytes, 0)
    const findings: Array<Finding> = []
    for (const [name, path] of Object.entries(pagesOf(shop, deliveries))) {
      note(name)
      const headers = name === "sign in" ? {} : { cookie }
      const times: Array<number> = []
      for (let count = -20; count < samples; count++) {
        const begin = instant()
        const { status } = yield* send("GET", `/settings${path}`, { headers })
        if (status !== 200) return yield* Effect.die(new Error(`${path} answers ${status}`))
        if (count >= 0) times.push(instant() - begin)
      }
      const compressed = yield* send("GET", `/settings${path}`, { headers: { ...headers, "accept-encoding": "gzip" } })
      const plain = yield* send("GET", `/settings${path}`, { headers })
      const bytes = Number(compressed.headers["content-length"])
      const { p50, p99 } = percentiles(times)
      const details = { median: p50, p99 }
      findings.push(finding(`${name}: time, p99`, "ms", { designwire: p99 }, { most: bars.milliseconds }, details))
      findings.push(finding(`${name}: time, median`, "ms", { designwire: p50 }, { most: bars.milliseconds }))
      const size = { page: bytes, uncompressed: Buffer.byteLength(plain.text), assets: shared }
      findings.push(
        finding(`${name}: over the wire`, "bytes", { designwire: bytes + shared }, { most: bars.bytes }, size),
      )
    }
    return findings
  })

await main(async () => {
  const findings = await withCleanup(async (cleanup) => {
    const { url } = await startDatabase(cleanup)
    return Effect.runPromise(Effect.scoped(measure(url)))
  })
  const context = { samples, processors: availableParallelism(), node: process.version }
  print("settings", { findings, context }, (bar) => ("least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`))
})
