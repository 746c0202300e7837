/** Each mount, in its framework, responds as the standalone host does. */
import type { AddressInfo } from "node:net"
import { expect } from "@effect/vitest"
import connect from "connect"
import { Effect, type Scope } from "effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { listening, prefix, webHandler } from "../../../conformance/testkit/hosts/Embedded.ts"
import { express4, NextRequest } from "../../../conformance/testkit/hosts/Frameworks.ts"
import {
  type Answer,
  answer,
  keptAlive,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  newToken,
  onHosts,
  type Send,
  sender,
  TestHost,
} from "../../../conformance/testkit/hosts/TestHost.ts"
import { toFastifyPlugin, toHonoMiddleware, toNextHandlers, toNodeHandler, type WebHandler } from "./index.ts"

type Open = (web: WebHandler) => Effect.Effect<Send, never, Scope.Scope>

const overPort = (port: number) => Effect.map(keptAlive, (agent) => sender(port, agent))

const overNode =
  (application: (web: WebHandler) => Parameters<typeof listening>[0]): Open =>
  (web) =>
    Effect.flatMap(listening(application(web)), overPort)

/** Requests without a connection, as in frameworks that only have `Request`. */
const overFetch =
  (fetch: (request: Request) => Response | Promise<Response>): Send =>
  (method, path, { body, headers = {} } = {}) =>
    Effect.promise(async () => {
      const request = new Request(`http://host.test${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
      })
      const response = await fetch(request)
      return answer(response.status, Object.fromEntries(response.headers), await response.text())
    })

const fastifyHost: Open = Effect.fnUntraced(function* (web) {
  const application = fastify()
  yield* Effect.addFinalizer(() => Effect.promise(() => application.close()))
  yield* Effect.promise(async () => {
    await application.register(toFastifyPlugin(web))
    application.get("/mine", () => "mine")
    await application.listen({ port: 0, host: "127.0.0.1" })
  })
  return yield* overPort((application.server.address() as AddressInfo).port)
})

const mine = (_request: unknown, response: { readonly end: (text: string) => unknown }) => {
  response.end("mine")
}

/** Frameworks that keep the path as it was sent. */
const mounts: Readonly<Record<string, Open>> = {
  "node:http": overNode((web) => {
    const handle = toNodeHandler(web)
    return (request, response) => handle(request, response, () => mine(request, response))
  }),
  "Express 5": overNode((web) => express().use(toNodeHandler(web)).get("/mine", mine)),
  "Express 5 after body parsers": overNode((web) =>
    express()
      .use(express.json(), express.urlencoded(), express.text(), express.raw(), toNodeHandler(web))
      .get("/mine", mine),
  ),
  "Express 5 in a router below a path": overNode((web) =>
    express()
      .use("/integrations", express.Router().use("/designs", toNodeHandler(web)))
      .get("/mine", mine),
  ),
  "Express 4": overNode((web) => express4().use(toNodeHandler(web)).get("/mine", mine)),
  "Express 4 below its own path": overNode((web) => express4().use(prefix, toNodeHandler(web)).get("/mine", mine)),
  Connect: overNode((web) => connect().use(toNodeHandler(web)).use("/mine", mine)),
  "Connect below a path": overNode((web) => connect().use("/integrations", toNodeHandler(web)).use("/mine", mine)),
  Fastify: fastifyHost,
}

/** Frameworks that pass on a web `Request`. */
const webMounts: Readonly<Record<string, Open>> = {
  "Hono as middleware": (web) =>
    Effect.succeed(overFetch(new Hono().use(toHonoMiddleware(web)).get("/mine", (c) => c.text("mine")).fetch)),
  "Hono as a handler": (web) =>
    Effect.succeed(
      overFetch(new Hono().all(`${prefix}/*`, (c) => web.handler(c.req.raw)).get("/mine", (c) => c.text("mine")).fetch),
    ),
  "Next route handlers": (web) => {
    const handlers = toNextHandlers(web)
    return Effect.succeed(
      overFetch((request) => {
        if (new URL(request.url).pathname === "/mine") return new Response("mine")
        return handlers[request.method as keyof typeof handlers](new NextRequest(request))
      }),
    )
  },
}

const long = encodeURIComponent("😀".repeat(255))

/** Requests that every framework passes on. */
const plain: ReadonlyArray<readonly [method: string, path: string, headers?: Readonly<Record<string, string>>]> = [
  ...["/orders", "/orders?limit=1", "/orders/o-1", "/designs/d-1", "/customizers/101", "/orders?limit=0"].flatMap(
    (path) =>
      [
        ["GET", path],
        ["HEAD", path],
      ] as const,
  ),
  ["GET", "/orders?cursor=x&cursor=y"],
  ["GET", "/orders?orderedAfter=2026-10-05T14:48:02%2B00:00"],
  ["GET", "/orders/none"],
  ["GET", "/customizers/0"],
  ["GET", "/nothing"],
  ["HEAD", "/nothing"],
  ["GET", ""],
  ["GET", "/"],
  ["GET", "/orders/"],
  ["GET", "//orders"],
  ["GET", "/designs//d-1"],
  ["GET", "/designs/a%2Fb"],
  ["GET", "/designs/a;b"],
  ["GET", "/designs/a"],
  ["GET", "/designs/%61%3bb"],
  ["GET", "/Designs/d-1"],
  ["GET", `/designs/${long}`],
  ["GET", `/designs/${long}x`],
  ["GET", "/designs/x", { "x-api-version": "2020-01" }],
  ["GET", "/orders", { "x-api-version": "2026-10" }],
  ["GET", "/orders", { authorization: "Bearer cmz_none" }],
  ["GET", "/orders", { authorization: "" }],
  ["GET", "/nothing", { authorization: "" }],
  ["POST", "/orders", { authorization: "" }],
  ...["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) => [
    [method, "/orders"] as const,
    [method, "/nothing"] as const,
  ]),
]

/** Requests that a web `Request` can't represent, or represents differently. */
const raw: typeof plain = [
  ["TRACE", "/orders"],
  ["PROPFIND", "/orders"],
  ["GET", "/designs/%2e%2e"],
  ["GET", "/designs/.."],
  ["GET", "/designs/x/../d-1"],
  ["GET", "/designs/a\\b"],
  ["GET", '/designs/a{b}|"<^>`'],
]

/** Requests that some frameworks refuse themselves. */
const malformed: typeof plain = ["%", "%4", "%zz", "%C3", "%%341"].map((id) => ["GET", `/designs/${id}`] as const)

/** The parts of a response to compare: not dates, nor the seconds until more requests are accepted. */
const essence = ({ headers, status, text }: Answer) => {
  const { connection, date, "keep-alive": _, "x-powered-by": _x, "transfer-encoding": _t, ...rest } = headers
  return { status, text, ...rest, ratelimit: rest["ratelimit"]?.replace(/t=\d+$/, "t") }
}

const shopOf = Effect.fnUntraced(function* (send: Send) {
  const shop = yield* newShop(send)
  for (const index of [1, 2]) {
    yield* newDesign(send, shop, `d-${index}`)
    yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], `2026-10-05T14:48:0${index}Z`)
  }
  for (const id of ["a/b", "a;b", "😀".repeat(255), "..", "a\\b", "a"]) yield* newDesign(send, shop, id)
  return shop
})

onHosts("A mounted REST API", [memory], (it) => {
  for (const [name, open] of [...Object.entries(mounts), ...Object.entries(webMounts)]) {
    const requests = [
      ...plain,
      ...(name in mounts ? raw : []),
      // Fastify answers these before any plugin sees them.
      ...(name in mounts && name !== "Fastify" ? malformed : []),
    ]

    it.effect(`MUST answer as the standalone host does, in ${name}`, () =>
      Effect.gen(function* () {
        const { ports, send } = yield* TestHost
        const shop = yield* shopOf(send)
        const mounted = yield* open(yield* webHandler(ports))
        for (const [method, path, headers = {}] of requests) {
          // With one token, the responses would differ in the number of requests made with it.
          const ask = Effect.fnUntraced(function* (over: Send, base: string) {
            const { token, tokenId } = yield* newToken(send, shop.id)
            const sent = { headers: { authorization: `Bearer ${token}`, ...headers } }
            const answered = yield* over(method, `${base}${path}`, sent)
            yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${tokenId}`)
            return answered
          })
          const expected = yield* ask(send, "/api/v1")
          const answered = yield* ask(mounted, prefix)
          const what = [method, path, headers]
          expect([what, essence(answered)]).toEqual([what, essence(expected)])
          expect([what, answered.headers["x-api-version"]]).toEqual([what, "2026-10"])
        }
      }),
    )

    it.effect(`MUST answer 304, 403 and 429 as the standalone host does, in ${name}`, () =>
      Effect.gen(function* () {
        const { ports, send } = yield* TestHost
        const shop = yield* shopOf(send)
        const mounted = yield* open(yield* webHandler(ports))
        const both = (token: string, method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
          Effect.gen(function* () {
            const sent = { headers: { authorization: `Bearer ${token}`, ...headers } }
            const expected = yield* send(method, `/api/v1${path}`, sent)
            const answered = yield* mounted(method, `${prefix}${path}`, sent)
            return [expected, answered] as const
          })
        const [{ headers }] = yield* both(shop.token, "GET", "/orders/o-1")
        for (const method of ["GET", "HEAD"]) {
          const known = yield* both(shop.token, method, "/orders/o-1", { "if-none-match": headers["etag"] ?? "" })
          for (const { headers: told, status, text } of known) {
            expect([status, text, told["etag"], told["content-length"]]).toEqual([304, "", headers["etag"], undefined])
          }
        }
        const { token } = yield* newToken(send, shop.id)
        for (let request = 0; request < 120; request++) {
          yield* send("GET", "/api/v1/nothing", { headers: { authorization: `Bearer ${token}` } })
        }
        for (const path of ["/orders", "/nothing"]) {
          for (const { headers: told, status } of yield* both(token, "GET", path)) {
            expect([status, told["ratelimit-policy"]]).toEqual([429, '"default";q=120;w=60'])
            expect(told["retry-after"]).toMatch(/^[1-9]\d*$/)
          }
        }
        const changed = yield* manage(send, "PUT", `/shops/${shop.id}`, {
          domain: "shop.example.com",
          currency: "EUR",
          plan: "free",
          imageBase: "https://images.example.com/i",
        })
        expect(changed.status).toBe(200)
        const [expected, refused] = yield* both(shop.token, "GET", "/orders")
        expect([refused.status, essence(refused)]).toEqual([403, essence(expected)])
      }),
    )

    it.effect(
      `MUST NOT answer below a percent-encoded prefix, which a guard of the application would miss, in ${name}`,
      () =>
        Effect.gen(function* () {
          const { ports, send } = yield* TestHost
          const shop = yield* shopOf(send)
          const mounted = yield* open(yield* webHandler(ports))
          const headers = { authorization: `Bearer ${shop.token}` }
          expect((yield* mounted("GET", `${prefix}/designs/d-1`, { headers })).status).toBe(200)
          // The application's own answer to an address that nobody has.
          const unknown = (yield* mounted("GET", "/nobody/designs/d-1", { headers })).status
          for (const hidden of [
            "/%69ntegrations/designs/v1",
            "/integrations/%64esigns/v1",
            "/integrations/designs/%76%31",
          ]) {
            expect(decodeURIComponent(hidden)).toBe(prefix)
            for (const path of ["/designs/d-1", "/nothing"]) {
              const answered = yield* mounted("GET", hidden + path, { headers })
              const what = [hidden, path]
              expect([what, answered.status, answered.headers["x-api-version"]]).toEqual([what, unknown, undefined])
            }
          }
        }),
    )

    it.effect(`MUST leave other addresses to the application, in ${name}`, () =>
      Effect.gen(function* () {
        const { ports } = yield* TestHost
        const mounted = yield* open(yield* webHandler(ports))
        const { headers, status, text } = yield* mounted("GET", "/mine")
        expect([status, text, headers["x-api-version"]]).toEqual([200, "mine", undefined])
        for (const path of ["/openapi.json", "/docs", "/api/v1/orders", `${prefix}0/orders`, "/integrations"]) {
          if (name === "Next route handlers") continue
          expect([path, (yield* mounted("GET", path)).headers["x-api-version"]]).toEqual([path, undefined])
        }
      }),
    )
  }
})
