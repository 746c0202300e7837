/** Two cells behind Debian's nginx and HAProxy. */
import { writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { expect, inject, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerClient } from "../../../adapters/postgres/index.ts"
import { migratedDatabase } from "../../../conformance/testkit/databases/Database.ts"
import {
  address,
  programOf,
  run,
  secrets,
  start,
  temporaryDirectory,
} from "../../../conformance/testkit/processes/Processes.ts"
import { noProxy, type Proxy, proxies, startProxy } from "../../../conformance/testkit/processes/Proxies.ts"
import { host, newShop } from "../../../conformance/testkit/workers/Fleet.ts"
import { createToken } from "../../../core/usecases/access/ManageTokens.ts"
import { createClient } from "../../client/index.ts"

const main = resolve(import.meta.dirname, "../main.ts")

/** Shops of both cells together. */
const shops = inject("wholeMatrix") ? 100_000 : 10_000

/** Gives a database as many shops like the one that it has. */
const fill = (url: string, prefix: string, count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`INSERT INTO designwire.shops SELECT r.* FROM designwire.shops s, generate_series(1, ${count}::int4) n,
  jsonb_populate_record(NULL::designwire.shops, to_jsonb(s) || jsonb_build_object('id', ${prefix}::text || n)) r`,
  ).pipe(Effect.provide(layerClient({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

/** Clients that read all the time, each over a connection of its own each time, and what they saw. */
const reading = Effect.fnUntraced(function* (proxy: Proxy, shop: string, token: string) {
  const seen: Array<{ readonly status: number; readonly again: string | null; readonly at: number }> = []
  const failed: Array<unknown> = []
  let served = 0
  const client = createClient({
    url: `${proxy.url}/${shop}/api/v1`,
    token,
    // Three are enough on a machine that does little else.
    maxRetries: 30,
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, headers: { ...init?.headers, connection: "close" } })
      seen.push({ status: response.status, again: response.headers.get("retry-after"), at: performance.now() })
      return response
    },
  })
  let goesOn = true
  const read = Effect.tryPromise(async () => {
    for await (const order of client.orders.list()) expect(order).toBeDefined()
    served++
  }).pipe(
    Effect.catch((error) => Effect.sync(() => void failed.push(error.cause ?? error))),
    Effect.andThen(Effect.sleep("5 millis")),
    Effect.repeat({ while: () => goesOn }),
  )
  const fibers = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkScoped(read))
  const until = (count: number) =>
    Effect.repeat(Effect.sleep("20 millis"), { until: () => served >= count }).pipe(
      Effect.timeoutOrElse({
        duration: "60 seconds",
        orElse: () => Effect.die(new Error(`Only ${served} of ${count} calls were served: ${failed.join("\n")}`)),
      }),
    )
  return {
    /** Waits until this many more calls were served. */
    more: (count: number) => Effect.suspend(() => until(served + count)),
    end: Effect.gen(function* () {
      goesOn = false
      yield* Fiber.awaitAll(fibers)
      return { failed, seen }
    }),
  }
})

for (const name of proxies) {
  const reason = noProxy(name)
  const skipped = reason === undefined ? "" : ` (skipped: ${reason})`
  it.live.skipIf(reason !== undefined)(
    `clients behind ${name} MUST see a few 503 during a move, and nothing of a reload${skipped} (D95)`,
    () =>
      Effect.gen(function* () {
        const urls = { first: yield* migratedDatabase, second: yield* migratedDatabase }
        const [shop, token] = yield* Effect.gen(function* () {
          const shop = yield* newShop
          const { text } = yield* createToken(shop, { name: "reader" })
          return [shop, Redacted.value(text)] as const
        }).pipe(Effect.provide(host(urls.first), { local: true }))
        yield* Effect.provide(newShop, host(urls.second), { local: true })
        yield* fill(urls.first, "one-", shops / 2)
        yield* fill(urls.second, "two-", shops / 2)
        const map = join(yield* temporaryDirectory, "shops.map")
        const input = `first ${urls.first}\nsecond ${urls.second}\n`
        const write = Effect.flatMap(
          run(["cells", "map", "--format", name, "--write", map], secrets, { input }),
          (ended) =>
            Effect.sync(() => expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("has changed") })),
        )
        yield* write
        const cells: Record<string, string> = {}
        for (const [cell, url] of Object.entries(urls)) {
          const placed = { DATABASE_URL: url, DESIGNWIRE_CELL: cell, DESIGNWIRE_CELLS_FILE: map }
          cells[cell] = yield* address(
            yield* start(["serve"], { ...secrets, ...placed, DESIGNWIRE_RATE_LIMIT: "100000" }),
          )
        }
        const proxy = yield* startProxy(name, { cells, map })

        const before = yield* reading(proxy, shop, token)
        for (let reload = 0; reload < 3; reload++) {
          yield* before.more(100)
          yield* proxy.reload
        }
        yield* before.more(300)
        const { failed, seen } = yield* before.end
        expect(failed).toEqual([])
        expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]))

        const during = yield* reading(proxy, shop, token)
        yield* during.more(50)
        writeFileSync(`${map}.cells`, input)
        const command = [process.execPath, ...programOf(main), "cells", "map", "--format", name, "--write", map]
        const opened = `${command.join(" ")} < ${map}.cells && ${proxy.reloading}`
        const moved = yield* run(
          ["shop", "move", shop, "--from", urls.first, "--to", urls.second, "--opened", opened],
          secrets,
        )
        expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining("has changed: reload the proxy") })
        yield* during.more(100)
        const after = yield* during.end
        const refused = after.seen.filter(({ status }) => status !== 200)
        expect(after.failed).toEqual([])
        expect(new Set(refused.map(({ again, status }) => `${status} ${again}`))).toEqual(new Set(["503 1"]))
        const gap = Math.round((refused.at(-1)?.at ?? 0) - (refused[0]?.at ?? 0))
        console.log(`${name}: ${after.seen.length} answers, ${refused.length} of them 503 in ${gap} ms`)
      }).pipe(Effect.scoped),
  )
}
