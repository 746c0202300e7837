/** The limit on requests that a host works at (hosts/cli/README.md), over real connections. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Latch, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { keptAlive, manage, manageKey, memory, read, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"
import { answersIn, openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { makeConnections } from "./Connections.ts"
import type { ObservedResponse } from "./ObservedResponse.ts"

/**
 * A host that works at most at three requests to the REST API and one to the management API. While the gate is closed,
 * its store finds no token, and lists no shops. `waiting` counts the calls that wait for it.
 */
const host = Effect.gen(function* () {
  const { dump, ports } = yield* memory.open
  const context = yield* Layer.build(ports)
  const gate = yield* Latch.make(true)
  let waiting = 0
  const behindGate = <A, E, R>(call: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      waiting++
      return Effect.ensuring(
        Effect.andThen(gate.await, call),
        Effect.sync(() => waiting--),
      )
    })
  const tokens = Context.get(context, TokenStore)
  const shops = Context.get(context, ShopStore)
  const slow = context.pipe(
    Context.add(TokenStore, { ...tokens, find: (...given) => behindGate(tokens.find(...given)) }),
    Context.add(ShopStore, { ...shops, list: (query) => behindGate(shops.list(query)) }),
  )
  const port = yield* serve(slow, { limits: { maximumRequests: 4 } })
  const send = sender(port, yield* keptAlive)
  yield* manage(send, "PUT", "/shops/acme", shopInput)
  const made = (yield* manage(send, "POST", "/shops/acme/tokens", { name: "ERP" })).json as { readonly token: string }
  const until = (count: number) => Effect.repeat(Effect.sleep(5), { until: () => waiting === count })
  return { dump, gate, port, send, token: made.token, until }
})

describe("A host with as many requests as it works at", () => {
  it.live("MUST refuse the next with 503 and Retry-After, and take requests again once others are answered", () =>
    Effect.gen(function* () {
      const { gate, port, send, token, until } = yield* host
      yield* gate.close
      const get = `GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`
      const flood = yield* Effect.forEach([1, 2, 3], () => openConnection(port, get))
      yield* until(3)
      const refused = yield* read(send, token, "/orders")
      expect([refused.status, refused.headers["retry-after"], refused.headers["x-api-version"]]).toEqual([
        503,
        "1",
        "2026-10",
      ])
      expect(refused.json).toEqual({ message: "The service is too busy at the moment; try again" })
      expect((yield* send("HEAD", "/api/v1/orders")).status).toBe(503)
      // The connection stays usable, a request that leaves makes room, and so does an answer.
      flood[0]?.socket.destroy()
      yield* until(2)
      yield* gate.open
      for (const { until } of flood.slice(1)) yield* until((text) => text.includes("HTTP/1.1 200"))
      for (let times = 0; times < 5; times++) expect((yield* read(send, token, "/orders")).status).toBe(200)
    }),
  )

  it.live("MUST still place orders, and answer health probes and metrics, while the REST API is flooded", () =>
    Effect.gen(function* () {
      const { gate, port, send, token, until } = yield* host
      yield* gate.close
      const get = `GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`
      yield* Effect.forEach([1, 2, 3], () => openConnection(port, get))
      yield* until(3)
      expect((yield* read(send, token, "/orders")).status).toBe(503)
      expect((yield* manage(send, "PUT", "/shops/other", shopInput)).status).toBe(200)
      for (const path of ["/livez", "/readyz", "/metrics?a=b"]) expect((yield* send("GET", path)).status).toBe(200)
      expect((yield* send("GET", "/metrics")).text).toMatch(/designwire_requests_refused_total\{share="api"\} [1-9]/)
    }),
  )

  it.live("MUST refuse a change with a sentence that nothing was stored, and answer the rest while that is so", () =>
    Effect.gen(function* () {
      const { dump, gate, port, send, token, until } = yield* host
      yield* gate.close
      yield* openConnection(
        port,
        `GET /manage/v1/shops HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${manageKey}\r\n\r\n`,
      )
      yield* until(1)
      const before = yield* dump
      const refused = yield* manage(send, "PUT", "/shops/other", shopInput)
      expect([refused.status, refused.headers["retry-after"], refused.json]).toEqual([
        503,
        "1",
        { message: "The service is too busy at the moment, and nothing was stored; try again", retryable: true },
      ])
      expect(yield* dump).toBe(before)
      expect((yield* send("GET", "/settings/")).status).toBe(503)
      for (const path of ["/livez", "/metrics"]) expect((yield* send("GET", path)).status).toBe(200)
      yield* gate.open
      expect((yield* read(send, token, "/orders")).status).toBe(200)
    }),
  )

  it.live("MUST refuse a change that waits for 100 Continue before it sends its body, and close its connection", () =>
    Effect.gen(function* () {
      const { gate, port, until } = yield* host
      yield* gate.close
      const authorization = `Authorization: Bearer ${manageKey}`
      yield* openConnection(port, `GET /manage/v1/shops HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`)
      yield* until(1)
      const waiting = yield* openConnection(
        port,
        `PUT /manage/v1/shops/b HTTP/1.1\r\nHost: a\r\n${authorization}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
      )
      expect(answersIn(yield* waiting.closed).map(({ status }) => status)).toEqual([503])
    }),
  )
})

/** A server that never answers by itself, with room for three requests, and what it reports. */
const silent = Effect.gen(function* () {
  const reports: Array<string> = []
  const refused: Array<string> = []
  const { hold, server } = makeConnections(
    limitsOfFour,
    {},
    { report: (sentence) => reports.push(sentence), refused: (share) => refused.push(share) },
  )
  const taken: Array<string> = []
  server.on("request", ({ url = "" }, response) => {
    taken.push(url)
    if (url.startsWith("/large")) {
      const body = Buffer.alloc(16 * 1024 * 1024)
      hold(response as ObservedResponse, url.startsWith("/large/stream") ? undefined : body.length)
      response.end(body)
    }
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  const takes = (count: number) => Effect.repeat(Effect.sleep(5), { until: () => taken.length === count })
  return { port, refused, reports, takes }
})

const limitsOfFour = {
  longestRequest: 60_000,
  maximumConnections: 100,
  maximumPerAddress: 100,
  proxies: [],
  maximumRequests: 4,
  maximumUnsent: 1024 * 1024 * 1024,
  maximumArriving: 1024 * 1024,
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

describe("The limit on requests", () => {
  it.live("MUST NOT count a request whose answer waits for its reader: those have a limit in bytes", () =>
    Effect.gen(function* () {
      const { port, refused, takes } = yield* silent
      for (const path of ["/large", "/large/stream"]) {
        for (let times = 0; times < 4; times++) {
          const { socket } = yield* openConnection(port)
          socket.pause()
          socket.write(get(path))
        }
      }
      yield* takes(8)
      expect(refused).toEqual([])
    }),
  )

  it.live("MUST be reported once a minute for each share, and count every refusal", () =>
    Effect.gen(function* () {
      const { port, refused, reports, takes } = yield* silent
      const refuse = (path: string) =>
        Effect.flatMap(openConnection(port, get(path)), ({ until }) => until((text) => text.includes("try again")))
      for (let times = 0; times < 3; times++) yield* openConnection(port, get("/api/v1/orders"))
      yield* openConnection(port, get("/manage/v1/shops"))
      yield* takes(4)
      for (const path of ["/openapi.json", "/nowhere", "/manage/v1/shops", "/ingest/shopify/a"]) yield* refuse(path)
      expect(refused).toEqual(["api", "api", "manage", "manage"])
      expect(reports).toEqual([
        "The server works at 3 requests to the REST API and its documentation, as many as it takes " +
          "(DESIGNWIRE_MAX_REQUESTS): further ones get 503",
        "The server works at 1 requests to the management API, the settings app and shop platforms, as many as it " +
          "takes (DESIGNWIRE_MAX_REQUESTS): further ones get 503",
      ])
    }),
  )

  it.live("MUST answer pipelined requests in order, probes among them, and end a connection with many refused", () =>
    Effect.gen(function* () {
      const { port, refused, takes } = yield* silent
      const first = yield* openConnection(port, get("/a") + get("/livez") + get("/b") + get("/c"))
      yield* takes(3)
      expect(refused).toEqual(["api"])
      const second = yield* openConnection(port, get("/d").repeat(4))
      expect(answersIn(yield* second.closed).length).toBeLessThan(4)
      expect(first.socket.closed).toBe(false)
    }),
  )
})
