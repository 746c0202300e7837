/** Streams of events through each mount in its framework: the pages of the settings app are kept up to date by them. */
import { get, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { createAdaptorServer } from "@hono/node-server"
import connect from "connect"
import { Context, Deferred, Effect, Queue, type Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { listening } from "../../../conformance/testkit/hosts/Embedded.ts"
import { express4, loadFramework, NextRequest } from "../../../conformance/testkit/hosts/Frameworks.ts"
import { toFastifyPlugin, toHonoMiddleware, toNextHandlers, toNodeHandler, type WebHandler } from "./index.ts"
import { makeWebHandler, webPart } from "./WebPart.ts"

const path = "/ours/live"

/** Serves a web handler in a framework until the scope closes; returns the port. */
type Open = (web: WebHandler) => Effect.Effect<number, never, Scope.Scope>

const fastifyHost: Open = Effect.fnUntraced(function* (web) {
  const application = fastify({ forceCloseConnections: true })
  yield* Effect.addFinalizer(() => Effect.promise(() => application.close()))
  yield* Effect.promise(async () => {
    await application.register(toFastifyPlugin(web))
    await application.listen({ port: 0, host: "127.0.0.1" })
  })
  return (application.server.address() as AddressInfo).port
})

const honoHost =
  (application: (web: WebHandler) => Hono): Open =>
  (web) => {
    const server = createAdaptorServer({ fetch: application(web).fetch })
    return listening((request, response) => void server.emit("request", request, response))
  }

/** How `next start` sends what a route handler returns. */
const next: {
  readonly pipeToNodeResponse: (body: ReadableStream<Uint8Array>, response: ServerResponse) => Promise<void>
} = loadFramework("next/dist/server/pipe-readable.js")
const { signalFromNodeResponse }: { readonly signalFromNodeResponse: (response: ServerResponse) => AbortSignal } =
  loadFramework("next/dist/server/web/spec-extension/adapters/next-request.js")

const nextListener =
  (web: WebHandler): RequestListener =>
  async ({ url = "" }, response) => {
    const request = new Request(`http://host.test${url}`, { signal: signalFromNodeResponse(response) })
    const { body, headers, status } = await toNextHandlers(web).GET(new NextRequest(request))
    response.writeHead(status, Object.fromEntries(headers))
    if (body === null) response.end()
    else await next.pipeToNodeResponse(body, response)
  }

const mounts: Readonly<Record<string, Open>> = {
  "node:http": (web) => listening(toNodeHandler(web)),
  Connect: (web) => listening(connect().use(toNodeHandler(web))),
  "Express 4": (web) => listening(express4().use(toNodeHandler(web))),
  "Express 5 after body parsers": (web) => listening(express().use(express.json(), toNodeHandler(web))),
  Fastify: fastifyHost,
  "Hono as middleware": honoHost((web) => new Hono().use(toHonoMiddleware(web))),
  "Hono as a handler": honoHost((web) => new Hono().all("/ours/*", (c) => web.handler(c.req.raw))),
  "Next route handlers": (web) => listening(nextListener(web)),
}

/** A stream of events that ends only with its client, what sends an event, and what waits for its end. */
const endless = Effect.gen(function* () {
  const events = yield* Queue.unbounded<string>()
  const ended = yield* Deferred.make<void>()
  const body = Stream.fromQueue(events).pipe(
    Stream.map((event) => `data: ${event}\n\n`),
    Stream.encodeText,
    Stream.ensuring(Deferred.succeed(ended, undefined)),
  )
  const app = Effect.sync(() => HttpServerResponse.stream(body, { contentType: "text/event-stream" }))
  const answers = (url: string) => new URL(url, "http://a").pathname.startsWith("/ours")
  return {
    web: makeWebHandler([webPart({ answers, app }, Context.empty())]),
    happens: (event: string) => Queue.offer(events, event),
    ended: Deferred.await(ended),
  }
})

const opened = (port: number) =>
  Effect.promise(
    () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get({ host: "127.0.0.1", port, path, agent: false }, resolve).on("error", reject)
      }),
  )

/** Returns the text that comes next. */
const nextOf = (response: IncomingMessage) =>
  Effect.promise(() => new Promise<string>((resolve) => response.once("data", (chunk) => resolve(String(chunk)))))

for (const [name, open] of Object.entries(mounts)) {
  it.live(
    `an event MUST reach the client before the response ends, and a client that leaves MUST end it: ${name}`,
    () =>
      Effect.gen(function* () {
        const { ended, happens, web } = yield* endless
        const port = yield* open(web)
        yield* happens("first")
        const response = yield* opened(port)
        expect(response.headers["content-type"]).toBe("text/event-stream")
        expect(yield* nextOf(response)).toBe("data: first\n\n")
        // Sent only now that the first one was read: it has not waited for the end.
        yield* happens("second")
        expect(yield* nextOf(response)).toBe("data: second\n\n")
        response.destroy()
        yield* ended
      }).pipe(Effect.scoped),
  )
}
