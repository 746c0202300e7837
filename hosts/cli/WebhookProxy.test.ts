/** The password of the webhook proxy, where people and programs alongside the process could read it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import { run, secrets, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, localReceivers, newEndpoint, newShop, order } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const password = "pr0xyword"

/** The password as it stands in a URL, and in the header of a CONNECT. */
const hidden = new RegExp(`${password}|${Buffer.from(`me:${password}`).toString("base64")}`)

/** The command lines of all processes, as `ps -ef` reads them. */
const listing = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [`${id} ${readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ")}`]
      } catch {
        return [] // It has ended.
      }
    })

for (const command of ["serve", "worker"]) {
  it.live.skipIf(!existsSync("/proc/self/cmdline"))(
    `${command} MUST NOT show the proxy's password to a process listing, in its log or its metrics (skipped without /proc)`,
    () =>
      Effect.gen(function* () {
        const DATABASE_URL = yield* migratedDatabase
        const receiver = yield* webhookReceiver(() => Effect.succeed(204))
        const proxy = yield* connectProxy({ credentials: "me:another" })
        const port = String(yield* Effect.promise(freePort))
        const environment = {
          ...secrets,
          ...localReceivers,
          DATABASE_URL,
          PORT: port,
          DESIGNWIRE_WORKER_PORT: port,
          DESIGNWIRE_LOG_LEVEL: "debug",
          DESIGNWIRE_ACCESS_LOG: "true",
          DESIGNWIRE_WEBHOOK_PROXY: `http://me:${password}@127.0.0.1:${proxy.port}`,
        }
        const started = yield* start([command], environment)
        yield* started.line(/ready/)
        yield* Effect.gen(function* () {
          const shop = yield* newShop
          yield* newEndpoint(shop, receiver, "/hook")
          yield* order(shop, "1")
        }).pipe(Effect.provide(host(DATABASE_URL), { local: true }))
        yield* started.line(/refuses the user name and password \(407\)/)
        const running = listing()
        expect(running.filter((line) => line.startsWith(`${started.child.pid} `))).toEqual([
          expect.stringMatching(`${command} $`),
        ])
        expect(running.filter((line) => hidden.test(line))).toEqual([])
        const metrics = yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
        expect(metrics).toMatch(/^designwire_deliveries_pending 1$/m)
        const health = yield* run(["health"], environment)
        expect(health.code).toBe(0)
        const { code, stderr, stdout } = yield* stop(started)
        expect([code, receiver.requests]).toEqual([0, []])
        expect(metrics + health.stdout + health.stderr + stdout + stderr).not.toMatch(hidden)
      }),
  )
}

it.live.each([`http://me:${password}@127.0.0.1:3128/path`, `me:${password}@127.0.0.1:3128`])(
  "commands MUST NOT print the password if the setting is malformed: %s",
  (url) =>
    Effect.gen(function* () {
      const environment = { ...secrets, DATABASE_URL: "postgres://127.0.0.1:1/none", DESIGNWIRE_WEBHOOK_PROXY: url }
      for (const command of ["serve", "worker", "doctor"]) {
        const { code, stderr, stdout } = yield* run([command], environment)
        expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("DESIGNWIRE_WEBHOOK_PROXY")])
        expect(stdout + stderr).not.toMatch(hidden)
      }
    }),
)
