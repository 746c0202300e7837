/** Pages of the settings app, on Postgres, for a shop with full logs. */
import { Effect, Layer, Redacted } from "effect"
import { IpNetwork } from "effect/net"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { inStore, signedIn } from "../../testkit/browsers/Browser.ts"
import { busyShop } from "../../testkit/browsers/BusyShop.ts"
import { keptAlive, sender, serve } from "../../testkit/hosts/TestHost.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"
import { percentiles } from "../support/Statistics.ts"

const samples = 200

const local = "http://127.0.0.1:9999"

const urls = { healthy: `${local}/a`, failing: `${local}/b`, off: `${local}/c`, quiet: `${local}/d` }

const measure = (url: string) =>
  Effect.gen(function* () {
    const ports = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 10 }))
    const webhookPolicy = { allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.0/8")], allowHttp: true }
    const send = sender(yield* serve(ports, { webhookPolicy }), yield* keptAlive)
    const { endpoints, id } = yield* busyShop(send, ports, { id: "busy", urls })
    const browser = yield* signedIn(send, id)
    const failing = `/webhooks/${endpoints.failing}`
    const { text } = yield* browser.open(`/settings${failing}?state=failed`)
    const [, delivery = ""] = /\/deliveries\/(dlv_[\w-]+)"/.exec(text) ?? []
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const get = (path: string, encoding?: string) =>
      send("GET", inStore(id, `/settings${path}`), {
        headers: { cookie, ...(encoding === undefined ? {} : { "accept-encoding": encoding }) },
      })
    const bytesOf = (path: string) => Effect.map(get(path, "gzip"), ({ headers }) => Number(headers["content-length"]))

    const assets = yield* Effect.forEach(["/style.css", "/script.js", "/icon.svg"], bytesOf)
    const pages = {
      overview: "/",
      "API tokens": "/tokens",
      webhooks: "/webhooks",
      "endpoint with 50 deliveries": `/webhooks/${endpoints.healthy}`,
      "endpoint that fails": failing,
      "how to verify": `${failing}/secret`,
      "delivery with 7 attempts": `${failing}/deliveries/${delivery}`,
      "event catalogue": "/events",
    }
    const costs = yield* Effect.forEach(Object.entries(pages), ([name, path]) =>
      Effect.gen(function* () {
        const times: Array<number> = []
        for (let count = -20; count < samples; count++) {
          const begin = instant()
          const { status } = yield* get(path)
          if (status !== 200) return yield* Effect.die(new Error(`${path} answers ${status}`))
          if (count >= 0) times.push(instant() - begin)
        }
        const bytes = assets.reduce((sum, asset) => sum + asset, yield* bytesOf(path))
        return { name, ms: percentiles(times).p99, bytes }
      }),
    )
    const worst = (what: string, unit: "ms" | "bytes", most: number): Finding => {
      const [one] = costs.toSorted((left, right) => right[unit] - left[unit])
      return finding(`${what}: ${one?.name}`, unit, { designwire: one?.[unit] ?? Number.NaN }, { most })
    }
    return [worst("Slowest page, p99", "ms", 50), worst("Heaviest page on a first visit", "bytes", 40 * 1_024)]
  })

/** The slowest page, and the one with the most bytes for a first visit: compressed, with style, script and icon. */
export const settings = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { url } = await startDatabase(cleanup)
  return Effect.runPromise(Effect.scoped(measure(url)))
}
