/** The settings app of the standalone host, served on a port with a worker beside it, and a receiver of webhooks: for a real browser. */
import { createServer } from "node:http"
import { type Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { IpNetwork } from "effect/net"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Worker from "../../hosts/worker/index.ts"
import { unique } from "../storage/Fixtures.ts"
import { type BusyShop, busyShop, type Filling, type Urls } from "./BusyShop.ts"
import { keptAlive, keyRing, memory, type Send, sender, serve } from "./TestHost.ts"

/** A site at work. */
export interface SettingsSite {
  /** `http://127.0.0.1:41234` */
  readonly origin: string
  readonly port: number
  /** The text of the link that signs in once. */
  readonly oneTimeKey: string
  readonly send: Send
  readonly ports: Context.Context<StoragePorts>
  /** Where the receiver takes deliveries; it answers what the last part of the path says. */
  readonly receiver: { readonly ok: string; readonly refuses: string }
  /** Makes a shop in which much has happened. Before {@link startWorker}. */
  readonly fill: (filling?: Partial<Filling>) => Promise<BusyShop>
  readonly startWorker: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What the receiver answers a delivery with, and what `refuses` says. */
export const thanks = '{"received":"<b>thanks</b>"}'

/** A receiver that takes what is sent to `/ok`, and nothing else. */
const receiving = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly stop: () => void }>((resume) => {
    const server = createServer((request, response) => {
      request.resume()
      const taken = request.url?.startsWith("/ok") === true
      response.writeHead(taken ? 200 : 503).end(taken ? thanks : "closed for today")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, stop: () => server.close().closeAllConnections() }))
    })
  }),
  ({ stop }) => Effect.sync(stop),
)

/** Opens a site in memory. The caller closes it. */
export const openSite = (): Promise<SettingsSite> => {
  const scope = Scope.makeUnsafe()
  const webhookPolicy = { allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.0/8")], allowHttp: true }
  const opened = Effect.gen(function* () {
    const store = yield* memory.open
    const ports = yield* Layer.build(store.ports)
    const oneTimeKey = unique(24)
    const port = yield* serve(ports, { webhookPolicy, settings: { oneTimeKey: Redacted.make(oneTimeKey) } })
    const send = sender(port, yield* keptAlive)
    const receiver = `http://127.0.0.1:${(yield* receiving).port}`
    const own = { ok: `${receiver}/ok`, refuses: `${receiver}/refuses` }
    const urls: Urls = {
      healthy: own.ok,
      failing: own.refuses,
      off: `${receiver}/ok?analytics`,
      quiet: `${receiver}/${"a/very/long/path/".repeat(17)}?token=abcdefghijklmnopqrstuvwxyz`,
    }
    const site: SettingsSite = {
      origin: `http://127.0.0.1:${port}`,
      port,
      oneTimeKey,
      send,
      ports,
      receiver: own,
      fill: (filling) =>
        Effect.runPromise(busyShop(send, ports, { id: `busy-${unique(8).toLowerCase()}`, urls, ...filling })),
      startWorker: () =>
        Worker.layer({ keyRing, webhookPolicy }).pipe(
          Layer.provide(Layer.succeedContext(ports)),
          Layer.build,
          Effect.asVoid,
          Scope.provide(scope),
          Effect.runPromise,
        ),
      close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    }
    return site
  })
  return Effect.runPromise(Scope.provide(opened, scope))
}
