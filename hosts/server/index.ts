/** The Node server: the REST API, the management API and the addresses of the process, put together. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { ByteSize, Effect, Layer, type Redacted } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  HttpServer,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
} from "effect/http"
import { layerCrypto, layerLookup, withOwnNetworks } from "../../adapters/node/index.ts"
import { load } from "../../adapters/support/Packages.ts"
import { routerConfig } from "../../core/api/Addresses.ts"
import { contractAt } from "../../core/api/Contract.ts"
import { layerDocument, layerPage } from "../../core/api/Docs.ts"
import { errorResponse } from "../../core/api/Errors.ts"
import { answerErrors } from "../../core/api/Failures.ts"
import { answersAt, make as makeRestApi, versionHeaders } from "../../core/api/Routes.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import * as Manage from "../manage/index.ts"
import { type ConnectionLimits, type Connections, defaultLimits, makeConnections } from "./Connections.ts"
import * as Health from "./Health.ts"
import * as Metrics from "./Metrics.ts"

/** Which addresses a server has: those for stores (`api`), those for who runs the service (`manage`), or all of them. */
export type Served = "all" | "api" | "manage"

/** What the settings app is told, at `/settings`. */
export interface SettingsAppOptions {
  /** How often a delivery is attempted at most. Default: 7. */
  readonly attempts?: number | undefined
  /** The address of the REST API, where that is not `/api/v1` on the host that the app is read from. */
  readonly apiUrl?: string | undefined
  /** Signs in once, within five minutes of the start, by the link `/settings/sign-in?once=…`. */
  readonly oneTimeKey?: Redacted.Redacted<string> | undefined
}

/** What an application is told. */
export interface AppOptions {
  readonly manageKey: Redacted.Redacted<string>
  /** Fails with what is wrong while the store can't serve. Where it is left out: while the store can't find a shop, because it is down or has no tables. */
  readonly ready?: Health.Ready
  /** All where it is left out. `/livez` and `/readyz` are always among them. */
  readonly serves?: Served
  /** The settings app, which is there where the management API is. */
  readonly settings?: SettingsAppOptions
  /** Whether there are pages to read the documentation, `/docs` and `/manage/docs`; so it is where it is left out. */
  readonly docs?: boolean
}

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

/** The optional packages of the settings app. */
const settingsPackages = ["preact", "preact-render-to-string"] as const

/** The body of a request may have this many bytes (D38). */
const maximumBody = ByteSize.mebibytes(1)

/** Where the REST API is (§4). */
const prefix = "/api/v1"

/** The documentation of the REST API, where people look for it first. */
const layerRestDocs = (docs: boolean) => {
  const contract = contractAt(prefix)
  return Layer.merge(layerDocument("/openapi.json", contract), docs ? layerPage("/docs", contract) : Layer.empty)
}

const isOfRestApi = answersAt(prefix)

/** The headers of every answer to an address, the server's own answers included. */
const headersAt = (url: string): Readonly<Record<string, string>> => (isOfRestApi(url) ? versionHeaders : {})

/** The HTTP interface of a host over the storage ports at hand, as one effect per request. */
export const app = Effect.fnUntraced(function* ({
  docs = true,
  manageKey,
  ready,
  serves = "all",
  settings = {},
}: AppOptions) {
  const compare = yield* Manage.makeKeyComparison(manageKey)
  const check = Manage.keyCheck(compare)
  const shops = yield* ShopStore
  const manage = Layer.mergeAll(Manage.layer(check), docs ? Manage.layerDocs : Layer.empty, Metrics.layer)
  const routed = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      serves === "manage" ? Layer.empty : layerRestDocs(docs),
      serves === "api" ? Layer.empty : manage,
      Health.layer(ready ?? Effect.asVoid(shops.find("readyz"))),
    ),
  ).pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  const others = answerErrors(serves === "api" ? routed : Manage.answerUnknown(check)(routed))
  const restApi = serves === "manage" ? undefined : yield* makeRestApi({ prefix, docs: false })
  const settingsApp = hasSettings({ serves })
    ? yield* (yield* settingsModule).make({
        prefix: "/settings",
        api: settings.apiUrl ?? prefix,
        attempts: settings.attempts,
        access: { key: manageKey, compare, oneTimeKey: settings.oneTimeKey },
      })
    : undefined
  const answered = HttpServerRequest.HttpServerRequest.use(({ url }) => {
    if (restApi?.answers(url)) return restApi.app
    return settingsApp?.answers(url) ? settingsApp.app : others
  })
  return Effect.provideService(answered, HttpIncomingMessage.MaxBodySize, maximumBody)
})

const hasSettings = ({ serves }: Pick<AppOptions, "serves">): boolean => serves !== "api"

const settingsModule = Effect.promise(() =>
  load(() => import("../settings/App.ts"), "The settings app", settingsPackages),
)

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

type PlatformNode = Effect.Success<ReturnType<typeof platformNode>>

/** What a request over Node's server passes through beside the application. */
const overNode =
  ({ hold }: Connections, { toIncomingMessage, toServerResponse }: PlatformNode) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    HttpServerRequest.HttpServerRequest.use((request) => {
      if (!hasOneHost(toIncomingMessage(request) as IncomingMessage)) {
        return Effect.succeed(HttpServerResponse.setHeaders(wrongHost, headersAt(request.url)))
      }
      return Effect.map(app, (response) => {
        if (response.body._tag === "Uint8Array" && request.method !== "HEAD") {
          hold(toServerResponse(request) as ServerResponse, response.body.contentLength)
        }
        return response
      })
    })

const wrongHost = errorResponse(400, "A request must have one Host header", { connection: "close" })

/** Two of them may be read differently by us and by a proxy in front (RFC 9112 §3.2). Before HTTP/1.1 there was none. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

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
        Effect.map(app(options), (app) => HttpServer.serve(overNode(connections, platform)(app))),
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
