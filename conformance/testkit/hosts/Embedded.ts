/** The REST API in another application, at a path of its choice. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import express from "express"
import { answersAt, makeRoutes } from "../../../core/api/Routes.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { toNodeHandler } from "../../../hosts/embed/mount/index.ts"
import { makeWebHandler, webPart } from "../../../hosts/embed/mount/WebPart.ts"
import { keptAlive, keyRing, memory, type Send, type StoreKind, sender } from "./TestHost.ts"

/** The path of the REST API in the application. */
export const prefix = "/integrations/designs/v1"

/** The REST API over a store as web requests and responses, until the scope closes. */
export const webHandler = Effect.fnUntraced(function* (
  ports: Context.Context<StoragePorts>,
  options: { readonly publicUrl?: string } = {},
) {
  const services = yield* Layer.mergeAll(
    NodeCrypto.layer,
    NodeHttpServer.layerHttpServices,
    Layer.succeed(KeyRing, keyRing),
  ).pipe(Layer.build, Effect.map(Context.merge(ports)))
  const api = yield* Effect.provideContext(makeRoutes({ prefix, ...options }), services)
  return makeWebHandler([webPart(api, services as Context.Context<never>)])
})

/** Serves on a free port until the scope closes; returns the port. */
export const listening = Effect.fnUntraced(function* (application: RequestListener) {
  const server = createServer(application)
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    }),
  )
  return yield* Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })
})

const isOfRestApi = answersAt("/api/v1")

/** Converts a path of the standalone host's REST API. */
const embeddedPath = (path: string): string => path.replace(/^\/[^/]+\/[^/?]+/, prefix)

/** Memory stores whose REST API is mounted in an Express application, next to the other parts of a host. */
export const embedded: StoreKind = {
  name: "memory, mounted in Express",
  open: memory.open,
  wayIn: Effect.fnUntraced(function* (ports, server) {
    const application = express().use(express.json(), toNodeHandler(yield* webHandler(ports)))
    const send = sender(yield* listening(application), yield* keptAlive)
    const both: Send = (method, path, sent) =>
      isOfRestApi(path) ? send(method, embeddedPath(path), sent) : server(method, path, sent)
    return both
  }),
}
