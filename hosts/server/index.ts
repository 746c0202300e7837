/** The Node server: what a host answers, over the connections of Node. */
import { Effect, Layer } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import { layerCrypto, layerLookup, withOwnNetworks } from "../../adapters/node/index.ts"
import { load } from "../../adapters/support/Packages.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { type AppOptions, hasSettings, headersAt, make, settingsPackages } from "./App.ts"
import { type ConnectionLimits, defaultLimits, makeConnections } from "./Connections.ts"
import { answering, overNode } from "./NodeRequests.ts"

export type { AppOptions, Served, SettingsAppOptions } from "./App.ts"

/** What a server is told. */
export interface ServerOptions extends AppOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  readonly keyRing: KeyRing["Service"]
  /** Where webhooks may be sent to; the public internet alone where it is left out. */
  readonly webhookPolicy?: HostPolicy
  /** What clients may hold of the server, where it is not the usual. */
  readonly limits?: Partial<ConnectionLimits>
}

/** The HTTP interface of a host over the storage ports at hand, as one effect per request. */
export const app = (options: AppOptions) => Effect.map(make(options), ({ app }) => app)

/** Platform's modules, with what else the server will load: whoever lacks several packages is told of all of them at once. */
const platformNode = (options: AppOptions) =>
  Effect.promise(() =>
    load(
      async () => ({
        ...(await import("@effect/platform-node/NodeHttpServer")),
        ...(await import("@effect/platform-node/NodeHttpServerRequest")),
      }),
      "designwire/server",
      ["@effect/platform-node", ...(hasSettings(options) ? settingsPackages : [])],
    ),
  )

/**
 * Serves over the storage ports at hand until its scope closes; then it takes no new requests and finishes those in flight.
 * Provides the server, whose address says which port it got.
 */
export const layer = (
  options: ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, StoragePorts> =>
  Layer.unwrap(
    Effect.map(platformNode(options), (platform) => {
      const connections = makeConnections({ ...defaultLimits, ...options.limits }, headersAt)
      return Layer.unwrap(
        Effect.gen(function* () {
          const { app, direct } = yield* make(options)
          if (direct !== undefined) connections.offer(yield* answering(direct, connections.hold))
          return HttpServer.serve(overNode(connections.hold, platform, headersAt)(app))
        }),
      ).pipe(
        Layer.provide(Layer.succeed(KeyRing, options.keyRing)),
        Layer.provide(Layer.succeed(WebhookPolicy, withOwnNetworks(options.webhookPolicy ?? publicOnly))),
        Layer.provide([layerCrypto, layerLookup()]),
        Layer.provideMerge(
          platform.layer(() => connections.server, {
            host: options.host,
            port: options.port,
            gracefulShutdownTimeout: "5 seconds",
          }),
        ),
      )
    }),
  )
