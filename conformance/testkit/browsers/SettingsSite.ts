/** The settings app of the standalone host on a port, with a worker and a webhook receiver, for a real browser. */
import { createServer } from "node:http"
import { type Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { IpNetwork } from "effect/net"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import * as Worker from "../../../hosts/worker/index.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { receiveShopify } from "../hosts/PlatformEvents.ts"
import { keptAlive, keyRing, memory, type Send, sender, serve } from "../hosts/TestHost.ts"
import { type BusyShop, busyShop, type Filling, type Urls } from "./BusyShop.ts"

/** A running site. */
export interface SettingsSite {
  /** `http://127.0.0.1:41234` */
  readonly origin: string
  readonly port: number
  /** The text in the link that signs in once. */
  readonly oneTimeKey: string
  readonly send: Send
  readonly ports: Context.Context<StoragePorts>
  /** The URLs of the receiver: one accepts deliveries, the other refuses them. */
  readonly receiver: { readonly ok: string; readonly refuses: string }
  /** Makes a busy shop. Must be called before {@link startWorker}. */
  readonly fill: (filling?: Partial<Filling>) => Promise<BusyShop>
  readonly startWorker: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The body of the response to an accepted delivery. */
export const thanks = '{"received":"<b>thanks</b>"}'

/** Starts a receiver that accepts deliveries to `/ok` and refuses all others. */
const startReceiver = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly stop: () => void }>((resume) => {
    const server = createServer((request, response) => {
      request.resume()
      const isAccepted = request.url?.startsWith("/ok") === true
      response.writeHead(isAccepted ? 200 : 503).end(isAccepted ? thanks : "closed for today")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, stop: () => server.close().closeAllConnections() }))
    })
  }),
  ({ stop }) => Effect.sync(stop),
)

/** Starts a site that stores everything in memory. The caller closes it. */
export const openSite = (): Promise<SettingsSite> => {
  const scope = Scope.makeUnsafe()
  const webhookPolicy = { allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.0/8")], allowHttp: true }
  const opened = Effect.gen(function* () {
    const store = yield* memory.open
    const ports = yield* Layer.build(store.ports)
    const oneTimeKey = unique(24)
    const port = yield* serve(ports, { webhookPolicy, settings: { oneTimeKey: Redacted.make(oneTimeKey) } })
    const send = sender(port, yield* keptAlive)
    const receiver = `http://127.0.0.1:${(yield* startReceiver).port}`
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
        busyShop(send, ports, { id: `busy-${unique(8).toLowerCase()}`, urls, ...filling }).pipe(
          // One order waits for its design, and one can't be read.
          Effect.tap(({ id }) => receiveShopify(ports, id, 3001, ["missing"])),
          Effect.tap(({ id }) => receiveShopify(ports, id, 3002, ["not\u0007an id"])),
          Effect.runPromise,
        ),
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
