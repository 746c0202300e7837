/** The Node server: the REST API, the management API and the addresses of the process, put together. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Effect, Layer, type Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { layerCrypto, layerLookup } from "../../adapters/node/index.ts"
import * as Routes from "../../core/api/Routes.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { KnownTokens } from "../../core/usecases/Authenticate.ts"
import * as Manage from "../manage/index.ts"
import * as Health from "./Health.ts"
import * as Metrics from "./Metrics.ts"

/** Which addresses a server has: those for stores (`api`), those for who runs the service (`manage`), or all of them. */
export type Served = "all" | "api" | "manage"

/** What an application is told. */
export interface AppOptions {
  readonly manageKey: Redacted.Redacted<string>
  /** Fails with what is wrong while the store can't serve, e.g. because it is down or its schema is not current. */
  readonly ready: Health.Ready
  /** All where it is left out. `/livez` and `/readyz` are always among them. */
  readonly serves?: Served
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
}

/** The body of a request may have this many bytes (D38). */
const maximumBody = ByteSize.mebibytes(1)

/** The HTTP interface of a host over the storage ports at hand, as one effect per request. */
export const app = Effect.fnUntraced(function* ({ docs = true, manageKey, ready, serves = "all" }: AppOptions) {
  const check = yield* Manage.makeKeyCheck(manageKey)
  const api = Layer.merge(Routes.layer, docs ? Routes.layerDocs : Layer.empty)
  const manage = Layer.mergeAll(Manage.layer(check), docs ? Manage.layerDocs : Layer.empty, Metrics.layer)
  const routed = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      serves === "manage" ? Layer.empty : api,
      serves === "api" ? Layer.empty : manage,
      Health.layer(ready),
    ),
  ).pipe(Effect.provideService(HttpRouter.RouterConfig, Routes.routerConfig))
  const managed = serves === "api" ? routed : Manage.answerUnknown(check)(routed)
  const answered = serves === "manage" ? Routes.answerErrors(managed) : Routes.answerAll(managed)
  return Effect.provideService(answered, HttpIncomingMessage.MaxBodySize, maximumBody)
})

/** A request that takes longer than this, e.g. because the store went silent, is given up. */
const longestRequest = 10_000

const givenUp = (() => {
  const body = JSON.stringify({ message: "The service is not available at the moment; try again" })
  return [
    "HTTP/1.1 503 Service Unavailable",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n")
})()

/**
 * Node's server, with two habits of ours. Connections on which nothing moves are told so and closed, which also ends their requests: bounding each request
 * by a timer of its own would cost every one of them. And once it is closing, a connection is closed with its last answer.
 */
const httpServer = () => {
  const server = createServer()
  server.setTimeout(longestRequest, (socket) => socket.end(givenUp))
  const letGo = (_request: IncomingMessage, response: ServerResponse) =>
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections()
    })
  server.on("request", letGo)
  server.on("checkContinue", letGo)
  return server
}

/**
 * Serves over the storage ports at hand until its scope closes; then it takes no new requests and finishes those in flight.
 * Provides the server, whose address says which port it got.
 */
export const layer = (options: ServerOptions) =>
  Layer.unwrap(Effect.map(app(options), (app) => HttpServer.serve(app))).pipe(
    Layer.provide(KnownTokens.layer),
    Layer.provide(Layer.succeed(KeyRing, options.keyRing)),
    Layer.provide(Layer.succeed(WebhookPolicy, options.webhookPolicy ?? publicOnly)),
    Layer.provide([layerCrypto, layerLookup()]),
    Layer.provideMerge(
      NodeHttpServer.layer(httpServer, {
        host: options.host,
        port: options.port,
        gracefulShutdownTimeout: "5 seconds",
      }),
    ),
  )
