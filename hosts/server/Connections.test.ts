/** The limits of a server's clients, and the ends of connections that take too long, to the byte. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { answersIn, openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { type ConnectionLimits, defaultLimits } from "./ConnectionLimits.ts"
import { makeConnections } from "./Connections.ts"
import type { ObservedResponse } from "./ObservedResponse.ts"

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** A server whose requests the test answers, with its side of the connections, which the test can time out. */
const listening = Effect.fnUntraced(function* (answer: RequestListener, limits: Partial<ConnectionLimits> = {}) {
  const { hold, server } = makeConnections(
    { ...defaultLimits, ...limits },
    { headersAt: (url): Record<string, string> => (url.startsWith("/api/v1") ? { "x-api-version": "2026-10" } : {}) },
  )
  const sockets: Array<Socket> = []
  const requests: Array<{ readonly request: IncomingMessage; readonly response: ServerResponse }> = []
  const ended: Array<string> = []
  server.on("connection", (socket) => sockets.push(socket))
  server.on("request", (request, response) => {
    requests.push({ request, response })
    response.once("close", () => ended.push(request.url ?? ""))
    answer(request, response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    hold,
    server,
    port,
    requests,
    /** The addresses of requests that ended in any way. */
    ended,
    /** The event that Node emits when nothing has moved on a connection for the configured time. */
    standStill: Effect.sync(() => sockets.at(-1)?.emit("timeout")),
    /** Waits for a number of requests. */
    requested: (count: number) =>
      Effect.callback<void>((resume) => {
        const look = () => requests.length >= count && resume(Effect.void)
        server.on("request", look)
        look()
        return Effect.sync(() => server.off("request", look))
      }),
  }
})

const endsWith = (end: string) => (text: string) => text.endsWith(end)

const silent: RequestListener = () => {}
const ok: RequestListener = (_request, response) => void response.end("ok")

const expectLate = (text: string) => {
  const [answer, ...others] = answersIn(text)
  expect([answer?.status, answer?.headers["content-type"], answer?.headers["connection"]]).toEqual([
    503,
    "application/json",
    "close",
  ])
  expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.stringContaining("not available") })
  expect(others).toEqual([])
}

const body = "POST /ingest/shopify/a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"

describe("A body that is given up", () => {
  it.live("MUST have no answer if that of a request before it is under way: it would be taken for that one's", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* listening(silent, { maximumArriving: 1 })
      const { closed } = yield* openConnection(port, get("/first") + body)
      expect(yield* closed).toBe("")
      expect(requests.map(({ request }) => request.url)).toEqual(["/first"])
    }),
  )
})

describe("A stalled connection", () => {
  it.live("MUST be closed silently if it never had a request", () =>
    Effect.gen(function* () {
      const { port, standStill } = yield* listening(ok)
      const { closed } = yield* openConnection(port)
      yield* Effect.yieldNow
      yield* standStill
      expect(yield* closed).toBe("")
    }),
  )

  it.live("MUST be closed silently between requests, and never carry out one that it does not answer", () =>
    Effect.gen(function* () {
      const { port, requests, standStill } = yield* listening(ok)
      for (let round = 0; round < 20; round++) {
        const { closed, socket, until } = yield* openConnection(port, get("/first"))
        yield* until(endsWith("ok"))
        // The request is on its way when the server's time is up.
        socket.write(get("/second"))
        yield* standStill
        expect(answersIn(yield* closed).map(({ body, status }) => [status, body])).toEqual([[200, "ok"]])
      }
      expect(new Set(requests.map(({ request }) => request.url))).toEqual(new Set(["/first"]))
    }),
  )

  it.live("MUST answer 503 {message} to a request that waits for its answer, and interrupt it", () =>
    Effect.gen(function* () {
      const { ended, port, requested, requests, standStill } = yield* listening(silent)
      for (const [path, version] of [
        ["/readyz", undefined],
        ["/api/v1/orders", "2026-10"],
      ] as const) {
        const { closed } = yield* openConnection(port, get(path))
        yield* requested(requests.length + 1)
        yield* standStill
        // At once, not when the client has gone.
        expect(ended.at(-1)).toBe(path)
        // Too late.
        requests.at(-1)?.response.end("too late")
        const text = yield* closed
        expectLate(text)
        const { headers } = answersIn(text)[0] ?? {}
        expect([headers?.["x-api-version"], headers?.["retry-after"]]).toEqual([version, "1"])
      }
    }),
  )

  it.live("MUST answer HEAD without a body", () =>
    Effect.gen(function* () {
      const { port, requested, standStill } = yield* listening(silent)
      const { closed } = yield* openConnection(port, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* requested(1)
      yield* standStill
      expect(yield* closed).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\n$/)
    }),
  )

  it.live("MUST be cut off if an answer has begun, with nothing after the bytes already sent", () =>
    Effect.gen(function* () {
      const { ended, port, standStill } = yield* listening((_request, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("half of it")
      })
      const { closed, until } = yield* openConnection(port, get("/"))
      yield* until(endsWith("half of it"))
      yield* standStill
      expect(yield* closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*half of it$/)
      expect(ended).toEqual(["/"])
    }),
  )

  it.live("MUST be cut off if its client reads nothing of a whole answer", () =>
    Effect.gen(function* () {
      const whole = "x".repeat(32 * 1024 * 1024)
      const { port, requested, standStill } = yield* listening((_request, response) => void response.end(whole))
      const { closed, socket } = yield* openConnection(port)
      socket.pause()
      socket.write(get("/"))
      yield* requested(1)
      yield* standStill
      socket.resume()
      const text = yield* closed
      expect(text.length).toBeLessThan(whole.length)
      expect(text).not.toContain("503")
    }),
  )

  it.live("MUST answer the first of several requests that wait, interrupt all of them, and send nothing more", () =>
    Effect.gen(function* () {
      const { ended, port, requested, requests, standStill } = yield* listening((request, response) => {
        if (request.url === "/quick") response.end("quick")
      })
      const { closed } = yield* openConnection(port, get("/slow") + get("/quick") + get("/slower"))
      yield* requested(3)
      yield* standStill
      requests[0]?.response.end("slow")
      requests[2]?.response.end("slower")
      expectLate(yield* closed)
      expect(ended.sort()).toEqual(["/quick", "/slow", "/slower"])
    }),
  )

  it.live("MUST answer a request that waits behind one that was answered", () =>
    Effect.gen(function* () {
      const { port, requested, standStill } = yield* listening((request, response) => {
        if (request.url === "/quick") response.end("quick")
      })
      const { closed, until } = yield* openConnection(port, get("/quick") + get("/slow"))
      yield* requested(2)
      yield* until(endsWith("quick"))
      yield* standStill
      expect(answersIn(yield* closed).map(({ status }) => status)).toEqual([200, 503])
    }),
  )

  it.live("MUST be ended after the configured time, whatever its state", () =>
    Effect.gen(function* () {
      const { port } = yield* listening(silent, { longestRequest: 1_000 })
      const [idle, late, half] = yield* Effect.all([
        openConnection(port),
        openConnection(port, get("/")),
        openConnection(port, "GET / HTTP/1.1\r\nHost"),
      ])
      expect(yield* idle.closed).toBe("")
      expectLate(yield* late.closed)
      const [answer] = answersIn(yield* half.closed)
      expect([answer?.status, Object.keys(JSON.parse(answer?.body ?? ""))]).toEqual([408, ["message"]])
    }),
  )
})

describe("A client that goes away", () => {
  it.live("MUST have all of its requests interrupted, even requests that wait behind another", () =>
    Effect.gen(function* () {
      const gone = yield* Deferred.make<void>()
      const { ended, port, requested } = yield* listening((_request, response) => {
        response.once("close", () => ended.length >= 2 && Deferred.doneUnsafe(gone, Effect.void))
      })
      const { socket } = yield* openConnection(port, get("/one") + get("/two"))
      yield* requested(2)
      socket.destroy()
      yield* Deferred.await(gone)
      expect(ended.sort()).toEqual(["/one", "/two"])
    }),
  )
})

describe("Bytes that can't be read as HTTP (D11)", () => {
  const refusals = [
    [400, "no HTTP at all", "HELLO\r\n\r\n"],
    [400, "an unknown version", "GET / HTTP/9.9\r\nHost: a\r\n\r\n"],
    [400, "a space in a header's name", "GET / HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n"],
    [400, "two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    [
      400,
      "a length and pieces",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    [400, "a piece without length", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    [400, "HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    [431, "headers that are too large", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    [431, "an address that is too long", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    [
      413,
      "extensions of pieces that are too large",
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\na\r\n`,
    ],
    [417, "an expectation", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: a-miracle\r\n\r\n"],
  ] as const

  for (const [status, what, text] of refusals) {
    it.live(`MUST be answered with ${status} {message} and the connection closed: ${what} (D11)`, () =>
      Effect.gen(function* () {
        const { port } = yield* listening(silent)
        const { closed } = yield* openConnection(port, text)
        const [answer, ...others] = answersIn(yield* closed)
        expect([answer?.status, answer?.headers["content-type"], answer?.headers["connection"]]).toEqual([
          status,
          "application/json",
          "close",
        ])
        expect(Object.entries(JSON.parse(answer?.body ?? ""))).toEqual([["message", expect.any(String)]])
        expect(others).toEqual([])
      }),
    )
  }

  it.live("MUST NOT replace the answer to the request before it; the connection ends after that answer", () =>
    Effect.gen(function* () {
      const expected = [[200, "ok"]]
      const text = `${get("/")}HELLO\r\n\r\n`
      const early = yield* listening(ok)
      const answered = yield* (yield* openConnection(early.port, text)).closed
      expect(answersIn(answered).map(({ body, status }) => [status, body])).toEqual(expected)

      const later = yield* listening(silent)
      const { closed } = yield* openConnection(later.port, text)
      yield* Effect.callback<void>((resume) => void later.server.once("clientError", () => resume(Effect.void)))
      later.requests[0]?.response.end("ok")
      expect(answersIn(yield* closed).map(({ body, status }) => [status, body])).toEqual(expected)
    }),
  )

  it.live("MUST get no answer after the beginning of another answer", () =>
    Effect.gen(function* () {
      const { port } = yield* listening((_request, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("half of it")
      })
      // So much of a body that the application gets its request.
      const piece = `4000\r\n${"x".repeat(0x4000)}\r\n`
      const start = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${piece}`
      const { closed, socket, until } = yield* openConnection(port, start)
      yield* until(endsWith("half of it"))
      socket.write("zz\r\n")
      expect(yield* closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*half of it$/)
    }),
  )
})

describe("A request with a body", () => {
  const post = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

  it.live("MUST be no work until its body is whole, or 16 KiB of it are there, and then be worked at once", () =>
    Effect.gen(function* () {
      const { ended, port, requested, requests } = yield* listening((request, response) => {
        let length = 0
        request.on("data", (piece: Buffer) => (length += piece.length))
        request.on("end", () => response.end(`read ${length}`))
      })
      const small = yield* openConnection(port, `${post(3)}ab`)
      const large = yield* openConnection(port, post(40_000) + "x".repeat(20_000))
      yield* requested(1)
      expect(requests.map(({ request }) => request.headers["content-length"])).toEqual(["40000"])
      small.socket.write("c")
      yield* requested(2)
      yield* small.until(endsWith("read 3"))
      large.socket.write("x".repeat(20_000))
      yield* large.until(endsWith("read 40000"))
      const never = yield* openConnection(port, `${post(3)}ab`)
      never.socket.end()
      yield* never.closed
      expect([requests.length, ended.length]).toEqual([2, 2])
    }),
  )
})

describe("The limit of a server's clients", () => {
  it.live("MUST be the maximum of connections at once, with room for another when one ends", () =>
    Effect.gen(function* () {
      const { port, requested } = yield* listening((request, response) => request.url === "/" && response.end("ok"), {
        maximumConnections: 2,
      })
      const first = yield* openConnection(port, get("/wait"))
      yield* openConnection(port, get("/wait"))
      // An idle connection would make room.
      yield* requested(2)
      const third = yield* openConnection(port, get("/"))
      expect(yield* third.closed).toBe("")
      first.socket.end()
      yield* first.closed
      const fourth = yield* openConnection(port, get("/"))
      yield* fourth.until(endsWith("ok"))
    }),
  )

  it.live(
    "MUST be a hundred requests under way on a connection: with one more it is cut off, and all are interrupted",
    () =>
      Effect.gen(function* () {
        const { ended, port, requested, requests } = yield* listening(silent)
        const patient = yield* openConnection(port, get("/patient").repeat(100))
        yield* requested(100)
        for (const { response } of requests) response.end("ok")
        expect(answersIn(yield* patient.until((text) => text.split("\r\n\r\nok").length > 100))).toHaveLength(100)

        const greedy = yield* openConnection(port, get("/greedy").repeat(101))
        expect(yield* greedy.closed).toBe("")
        expect(ended.filter((path) => path === "/greedy")).toHaveLength(101)
      }),
  )

  it.live("MUST be the maximum of unsent bytes: beyond it, the answers that wait longest are cut off", () =>
    Effect.gen(function* () {
      const bytes = 8 * 1024 * 1024
      const body = Buffer.alloc(bytes, "x")
      const { hold, port, requested } = yield* listening(
        (_request, response) => {
          hold(response as ObservedResponse, bytes)
          response.end(body)
        },
        { maximumUnsent: 3 * bytes },
      )
      const readers = []
      for (let index = 1; index <= 5; index++) {
        const reader = yield* openConnection(port)
        reader.socket.pause()
        reader.socket.write(get("/"))
        yield* requested(index)
        readers.push(reader)
      }
      const lengths = yield* Effect.forEach(readers, ({ closed, socket, until }, index) => {
        socket.resume()
        return Effect.map(index < 2 ? closed : until(({ length }) => length > bytes), ({ length }) => length)
      })
      expect(lengths.map((length) => length > bytes)).toEqual([false, false, true, true, true])
      // Sent bytes do not count any more.
      const late = yield* openConnection(port, get("/"))
      yield* late.until(({ length }) => length > bytes)
    }),
  )
})
