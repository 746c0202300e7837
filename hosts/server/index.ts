/** A host as a server on Node. */
import { Clock, Effect, Layer, type Redacted } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import { layerCrypto, layerLookup, withOwnNetworks } from "../../adapters/node/index.ts"
import { load, optionalPackages } from "../../adapters/support/Packages.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { type HostPolicy, publicOnly } from "../../core/model/webhooks/HostPolicy.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { followStore, layerStoreClock } from "../../core/support/StoreClock.ts"
import { makeAccessLog } from "./AccessLog.ts"
import { type AppOptions, hasSettings, makeApp, ownAnswersOf } from "./App.ts"
import { type ConnectionLimits, defaultLimits } from "./ConnectionLimits.ts"
import { makeConnections, type ServerReports } from "./Connections.ts"
import { overNode, takeReads } from "./NodeRequests.ts"
import { makeRequestMetrics, refusedRequests } from "./RequestMetrics.ts"
import { layerSpans, untracedProbes } from "./Tracing.ts"

export type { AppOptions, IngestOptions, Served, SettingsAppOptions } from "./App.ts"

/** Options of a server. */
export interface ServerOptions extends AppOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly keyRing: KeyRing["Service"]
  /** The allowed targets of webhooks. Default: the public internet. */
  readonly webhookPolicy?: HostPolicy
  /** The URL of an HTTP proxy through which the settings app fetches pictures for downloads. Default: none. */
  readonly webhookProxy?: Redacted.Redacted<string> | undefined
  /** Limits on clients that differ from the defaults. */
  readonly limits?: Partial<ConnectionLimits>
  /** Whether each request has a line in the log, and an `X-Request-Id` in its answer. Default: false. */
  readonly accessLog?: boolean
}

/** The HTTP interface of a host over the current storage ports: an effect that runs once for each request. */
export const app = (options: AppOptions) =>
  Effect.flatMap(followStore, (clock) =>
    Effect.provideService(makeApp(options), Clock.Clock, clock).pipe(
      Effect.map(({ app }) => Effect.provideService(app, Clock.Clock, clock)),
    ),
  )

/**
 * Loads the modules of the platform. An error names all missing packages at once, even packages of the settings app.
 */
const platformNode = (options: AppOptions) =>
  Effect.promise(() =>
    load(
      async () => ({
        ...(await import("@effect/platform-node/NodeHttpServer")),
        ...(await import("@effect/platform-node/NodeHttpServerRequest")),
      }),
      "designwire/server",
      [...optionalPackages.server, ...(hasSettings(options) ? optionalPackages.settings : [])],
    ),
  )

/** A change is undone so long before its connection would be ended, in milliseconds: undoing takes time too. */
const undoing = 1_000

/**
 * Serves over the current storage ports until its scope closes. Then it refuses new requests and finishes the current
 * ones. Provides the server, whose address has the actual port.
 */
export const layer = (
  options: ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, StoragePorts> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const platform = yield* platformNode(options)
      const context = yield* Effect.context<never>()
      const run = Effect.runForkWith(context)
      const reports: ServerReports = {
        report: (sentence) => void run(Effect.logWarning(sentence).pipe(logged("http.limit_reached"))),
        refused: (share) => refusedRequests[share].updateUnsafe(1, context),
      }
      const limits = { ...defaultLimits, ...options.limits }
      const observers = [
        yield* makeRequestMetrics(options.serves ?? "all"),
        ...(options.accessLog === true ? [makeAccessLog(run)] : []),
      ]
      const ownAnswers = ownAnswersOf(options)
      const connections = makeConnections(limits, ownAnswers, reports, observers)
      return Layer.unwrap(
        Effect.gen(function* () {
          const { app, endStreams, restApi } = yield* makeApp(options)
          const longest = Math.max(limits.longestRequest - undoing, limits.longestRequest / 2)
          if (restApi !== undefined) connections.offer(yield* takeReads(restApi, connections.hold))
          const serving = HttpServer.serve(
            overNode(connections.hold, platform, ownAnswers, { longest, proxies: limits.proxies })(untracedProbes(app)),
          )
          // The last added ends first: the server waits for the answers under way.
          return Layer.tap(serving, () => Effect.addFinalizer(() => endStreams))
        }),
      ).pipe(
        Layer.provide(Layer.succeed(KeyRing, options.keyRing)),
        Layer.provide(Layer.succeed(WebhookPolicy, withOwnNetworks(options.webhookPolicy ?? publicOnly))),
        Layer.provide([layerCrypto, layerLookup({ proxy: options.webhookProxy }), layerSpans]),
        Layer.provide(layerStoreClock),
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
