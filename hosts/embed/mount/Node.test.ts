/** Requests and responses as Node, Express and Connect change them before and after a mount. */
import { once } from "node:events"
import { createServer, request as httpRequest, type RequestListener } from "node:http"
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2"
import { createServer as createTlsServer, request as httpsRequest } from "node:https"
import { type AddressInfo, connect as connectTcp } from "node:net"
import { text } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import connect from "connect"
import { Deferred, Effect } from "effect"
import express from "express"
import { selfSigned } from "../../../conformance/suites/sender/Certificates.ts"
import { listening } from "../../../conformance/testkit/hosts/Embedded.ts"
import { express4 } from "../../../conformance/testkit/hosts/Frameworks.ts"
import { keptAlive, type Sent, sender } from "../../../conformance/testkit/hosts/TestHost.ts"
import { type Mounted, toNodeHandler } from "./index.ts"

/** A handler mounted at `/ours`. */
const mounted = (respond: Mounted["respond"]): Mounted => ({
  answers: ({ url }) => url.startsWith("/ours"),
  respond,
})

/** Responds with the request. */
const echo = mounted(async (request) =>
  Response.json({
    method: request.method,
    url: request.url,
    type: request.headers.get("content-type"),
    length: request.headers.get("content-length"),
    body: await request.text(),
  }),
)

const ask = Effect.fnUntraced(function* (application: RequestListener, method: string, path: string, sent?: Sent) {
  const send = sender(yield* listening(application), yield* keptAlive)
  return yield* send(method, path, sent)
})

/** Sends bytes over a connection and returns the response. */
const overTcp = Effect.fnUntraced(function* (application: RequestListener, bytes: string) {
  const port = yield* listening(application)
  return yield* Effect.promise(() => {
    const socket = connectTcp(port, "127.0.0.1")
    socket.end(bytes)
    return text(socket)
  })
})

const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }

describe("toNodeHandler: the body of a request", () => {
  const parsers = () =>
    [
      express.json({ type: ["json", "+json"] }),
      express.urlencoded({ extended: true }),
      express.text(),
      express.raw(),
    ] as const
  const parsed = express().use(...parsers(), toNodeHandler(echo))

  it.live("MUST be passed on as it arrives if nobody has read it, however long it is", () =>
    Effect.gen(function* () {
      const long = "0123456789".repeat(200_000)
      for (const application of [
        toNodeHandler(echo),
        express().use(toNodeHandler(echo)),
        express4().use(toNodeHandler(echo)),
        connect().use(toNodeHandler(echo)),
      ]) {
        for (const chunked of [true, false]) {
          const { json: asked } = yield* ask(application, "POST", "/ours", { body: long, chunked })
          expect(asked).toMatchObject({ method: "POST", body: long })
        }
      }
    }),
  )

  it.live("MUST be the bytes or the text as a parser kept them, without their former length", () =>
    Effect.gen(function* () {
      for (const [headers, body, expected] of [
        [{ "content-type": "text/plain" }, "text", "text"],
        [{ "content-type": "application/octet-stream" }, "bytes", "bytes"],
        [{ "content-type": "text/plain", "content-encoding": "gzip" }, gzipSync("text"), "text"],
      ] as const) {
        const { json: asked } = yield* ask(parsed, "POST", "/ours", { headers, body })
        expect(asked).toMatchObject({ body: expected, length: null })
        const type = (asked as { readonly type: string }).type
        expect([headers, type.split(";")[0]]).toEqual([headers, headers["content-type"]])
      }
    }),
  )

  it.live(
    "MUST be refused by name once it is read, if it was parsed or read before, and never be written again (D57a)",
    () =>
      Effect.gen(function* () {
        const answers = mounted(async (request) =>
          request.text().then(
            () => new Response("read"),
            ({ message }: Error) => new Response(message, { status: 500 }),
          ),
        )
        const drained: express.RequestHandler = (request, _response, next) => void request.resume().on("end", next)
        for (const [name, application, headers, body] of [
          ["express.json", express().use(...parsers(), toNodeHandler(answers)), json, '{"a":1}'],
          ["express.json of Express 4", express4().use(express4.json(), toNodeHandler(answers)), json, '{"a":1}'],
          ["an empty object", express().use(...parsers(), toNodeHandler(answers)), json, "{}"],
          ["express.urlencoded", express().use(...parsers(), toNodeHandler(answers)), form, "a=1"],
          ["something that keeps nothing", express().use(drained, toNodeHandler(answers)), form, "a=1"],
        ] as const) {
          const answer = yield* ask(application, "POST", "/ours", { headers, body })
          expect([name, answer.status, answer.text]).toEqual([
            name,
            500,
            expect.stringContaining("mount designwire before express.json() and other body parsers"),
          ])
        }
      }),
  )

  it.live("MUST NOT matter if nothing reads it: a parser may come before the REST API", () =>
    Effect.gen(function* () {
      const application = express().use(...parsers(), toNodeHandler(mounted(async () => new Response("answered"))))
      expect((yield* ask(application, "POST", "/ours", { headers: json, body: '{"a":1}' })).text).toBe("answered")
    }),
  )

  it.live("MUST be passed on if a parser ignored it, though the parser left an empty object", () =>
    Effect.gen(function* () {
      const application = express4().use(express4.json(), toNodeHandler(echo))
      const { json: asked } = yield* ask(application, "POST", "/ours", { headers: form, body: "a=1" })
      expect(asked).toMatchObject({ body: "a=1" })
    }),
  )

  it.live("MUST be the bytes that were sent, if the platform keeps them alongside the parsed body", () =>
    Effect.gen(function* () {
      const platform = express().use(
        express.json({
          verify: (request, _response, bytes) => {
            Object.assign(request, { rawBody: bytes })
          },
        }),
        toNodeHandler(echo),
      )
      const body = '{ "b" : 1.0 }'
      expect((yield* ask(platform, "POST", "/ours", { headers: json, body })).json).toMatchObject({ body })
    }),
  )

  it.live("MUST be absent with GET, for which a `Request` allows none", () =>
    Effect.gen(function* () {
      const asked = yield* ask(toNodeHandler(echo), "GET", "/ours", { body: "x" })
      expect(asked.json).toMatchObject({ method: "GET", body: "" })
    }),
  )

  it.live("MUST leave the connection to the next request if nobody reads it", () =>
    Effect.gen(function* () {
      const port = yield* listening(toNodeHandler(mounted(async () => new Response("refused", { status: 405 }))))
      const send = sender(port, yield* keptAlive)
      for (let request = 0; request < 3; request++) {
        const answer = yield* send("POST", "/ours", { body: "x".repeat(1_000_000) })
        expect([answer.status, answer.text]).toEqual([405, "refused"])
      }
    }),
  )

  it.live("MUST leave the connection to the next request if only its beginning is read", () =>
    Effect.gen(function* () {
      const some = mounted(async ({ body }) => {
        const reader = body?.getReader()
        await reader?.read()
        await reader?.cancel()
        return new Response("enough", { status: 413 })
      })
      const send = sender(yield* listening(toNodeHandler(some)), yield* keptAlive)
      for (let request = 0; request < 3; request++) {
        expect((yield* send("POST", "/ours", { body: "x".repeat(1_000_000) })).text).toBe("enough")
      }
    }),
  )
})

describe("toNodeHandler: the address of a request", () => {
  const at = (path: string) => `http://127.0.0.1${path}`
  const urlOf = (answer: { readonly json: unknown }) =>
    (answer.json as { readonly url: string }).url.replace(/:\d+(?=\/)/, "")

  it.live("MUST be as it was sent, whatever the path of the mount", () =>
    Effect.gen(function* () {
      const handler = toNodeHandler(echo)
      const paths = ["/ours", "/ours?a=b", "/ours/", "/ours//x", "/ours/%2e%2e/x", "/ours/a\\b;c", "/ours/%zz"]
      for (const application of [
        handler,
        express().use(handler),
        express().use("/ours", handler),
        express().use("/ours", express.Router().use("/", handler)),
        express4().use("/ours", handler),
        connect().use("/ours", handler),
      ]) {
        for (const path of paths) {
          expect(urlOf(yield* ask(application, "GET", path))).toBe(at(path))
        }
      }
    }),
  )

  it.live("MUST be the address that the application rewrote it to", () =>
    Effect.gen(function* () {
      const rewrite = (request: { url: string }, _response: unknown, next: () => void) => {
        request.url = request.url.replace(/^\/en/, "")
        next()
      }
      for (const application of [
        express().use(rewrite, toNodeHandler(echo)),
        express4().use(rewrite, toNodeHandler(echo)),
      ]) {
        expect(urlOf(yield* ask(application, "GET", "/en/ours?a=b"))).toBe(at("/ours?a=b"))
      }
    }),
  )

  it.live("MUST have the protocol that the application learns from its proxies, and no other", () =>
    Effect.gen(function* () {
      const headers = {
        "x-forwarded-proto": "https",
        "x-forwarded-host": "evil.example",
        "x-forwarded-prefix": "/evil",
      }
      for (const [trusted, expected] of [
        [true, "https://127.0.0.1/ours"],
        [false, "http://127.0.0.1/ours"],
      ] as const) {
        const application = express().set("trust proxy", trusted).use(toNodeHandler(echo))
        expect(urlOf(yield* ask(application, "GET", "/ours", { headers }))).toBe(expected)
      }
    }),
  )

  it.live("MUST have the protocol of the connection if the application says nothing", () =>
    Effect.gen(function* () {
      const { cert, key } = selfSigned("localhost")
      const server = createTlsServer({ cert, key }, toNodeHandler(echo)).listen(0, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
      const answered = yield* Effect.promise(async () => {
        await once(server, "listening")
        const { port } = server.address() as AddressInfo
        const request = httpsRequest({ port, host: "127.0.0.1", path: "/ours", rejectUnauthorized: false }).end()
        const [response] = await once(request, "response")
        return JSON.parse(await text(response)) as { readonly url: string }
      })
      expect(answered.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/ours$/)
      expect(urlOf(yield* ask(toNodeHandler(echo), "GET", "/ours"))).toMatch(/^http:\/\/127/)
    }).pipe(Effect.scoped),
  )

  it.live("MUST be valid without a Host header, with an odd one, and as a full URL", () =>
    Effect.gen(function* () {
      const handler = toNodeHandler(mounted(async (request) => new Response(`<${request.url}>`)))
      for (const [start, url] of [
        ["GET /ours HTTP/1.0\r\n", "http://localhost/ours"],
        ["GET /ours HTTP/1.1\r\nHost: a b/../?c\r\nConnection: close\r\n", "http://localhost/ours"],
        ["GET /ours HTTP/1.1\r\nHost:\r\nConnection: close\r\n", "http://localhost/ours"],
        ["GET /ours HTTP/1.1\r\nHost: user@a.example:81\r\nConnection: close\r\n", "http://a.example:81/ours"],
      ] as const) {
        const answer = yield* overTcp(handler, `${start}\r\n`)
        expect([start, answer.includes("200 OK"), answer.includes(`<${url}>`)]).toEqual([start, true, true])
      }
    }),
  )
})

describe("toNodeHandler: the answer", () => {
  it.live("MUST keep the application's headers, and add to its cookies and Vary", () =>
    Effect.gen(function* () {
      const answers = mounted(async () => {
        const headers = new Headers({ vary: "Authorization", "x-mine": "2", connection: "close" })
        headers.append("set-cookie", "b=2")
        headers.append("set-cookie", "c=3")
        headers.append("transfer-encoding", "gzip")
        return new Response("x", { headers })
      })
      const application = express().use((_request, response, next) => {
        response.set({ vary: "Origin", "x-mine": "1", "x-theirs": "1" }).cookie("a", "1")
        next()
      }, toNodeHandler(answers))
      const { headers } = yield* ask(application, "GET", "/ours")
      expect(headers).toMatchObject({ vary: "Origin, Authorization", "x-mine": "2", "x-theirs": "1" })
      expect(headers["set-cookie"]).toBe("a=1; Path=/, b=2, c=3")
      expect([headers["connection"], headers["transfer-encoding"]]).toEqual(["keep-alive", "chunked"])
    }),
  )

  it.live("MUST be sent no faster than the client reads", () =>
    Effect.gen(function* () {
      let pulled = 0
      const body = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            pulled++
            controller.enqueue(new Uint8Array(10))
            if (pulled === 5) controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const listeners = new Map<string, () => void>()
      const written: Array<number> = []
      const ended = yield* Deferred.make<void>()
      const slow = {
        statusCode: 0,
        headersSent: false,
        setHeader: () => undefined,
        appendHeader: () => undefined,
        write: ({ length }: Uint8Array) => {
          written.push(length)
          return false
        },
        end: () => Deferred.doneUnsafe(ended, Effect.void),
        on: (event: string, listener: () => void) => listeners.set(event, listener),
        destroy: () => undefined,
      }
      const request = {
        url: "/ours",
        headers: {},
        on: () => undefined,
        pause: () => undefined,
        resume: () => undefined,
      }
      const sent = toNodeHandler(mounted(async () => new Response(body)))(request, slow)
      for (let taken = 1; taken <= 5; taken++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        expect([written.length, pulled]).toEqual([taken, taken])
        listeners.get("drain")?.()
      }
      yield* Deferred.await(ended)
      yield* Effect.promise(() => sent)
      expect(written).toEqual([10, 10, 10, 10, 10])
    }),
  )

  it.live("MUST be abandoned if the client has gone away, before it begins or while it is sent", () =>
    Effect.gen(function* () {
      for (const begins of [false, true]) {
        const asked = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<string>()
        const end = (how: string) => Deferred.doneUnsafe(ended, Effect.succeed(how))
        const endless = mounted(async ({ signal }) => {
          if (begins) {
            return new Response(
              new ReadableStream({
                start: (controller) => controller.enqueue(new Uint8Array(1)),
                cancel: () => void end("cancelled"),
              }),
            )
          }
          Deferred.doneUnsafe(asked, Effect.void)
          await new Promise((resolve) => signal.addEventListener("abort", resolve))
          end("aborted")
          return new Response("too late")
        })
        const port = yield* listening(toNodeHandler(endless))
        const client = httpRequest({ port, host: "127.0.0.1", path: "/ours" })
        client.on("error", () => undefined)
        client.on("response", (response) => {
          response.on("error", () => undefined)
          response.once("data", () => Deferred.doneUnsafe(asked, Effect.void))
        })
        client.end()
        yield* Deferred.await(asked)
        client.destroy()
        expect(yield* Deferred.await(ended)).toBe(begins ? "cancelled" : "aborted")
      }
    }),
  )

  it.live("MUST be the application's own for unmounted addresses, and 404 without an application", () =>
    Effect.gen(function* () {
      const application = express()
        .use(toNodeHandler(echo))
        .use((_request, response) => void response.send("theirs"))
      expect((yield* ask(application, "GET", "/theirs")).text).toBe("theirs")
      const alone = yield* ask(toNodeHandler(echo), "GET", "/theirs")
      expect([alone.status, alone.json]).toEqual([404, { message: "There is nothing at this address" }])
      expect((yield* overTcp(toNodeHandler(echo), "OPTIONS * HTTP/1.0\r\n\r\n")).includes("404")).toBe(true)
    }),
  )

  it.live("MUST leave an error to the application, and be 500 without one", () =>
    Effect.gen(function* () {
      const failing = toNodeHandler(mounted(() => Promise.reject(new Error("broken"))))
      const application = express()
        .use(failing)
        .use((error: Error, _request: unknown, response: express.Response, _next: unknown) => {
          response.status(500).send(`theirs: ${error.message}`)
        })
      expect((yield* ask(application, "GET", "/ours")).text).toBe("theirs: broken")
      const alone = yield* ask(failing, "GET", "/ours")
      expect([alone.status, alone.json]).toEqual([500, { message: "Something went wrong on our side" }])
    }),
  )

  it.live("MUST break off if its body fails on the way", () =>
    Effect.gen(function* () {
      const failing = mounted(
        async () =>
          new Response(
            new ReadableStream({
              start: (controller) => controller.enqueue(new TextEncoder().encode("begun")),
              pull: (controller) => controller.error(new Error("broken")),
            }),
          ),
      )
      const answer = yield* overTcp(toNodeHandler(failing), "GET /ours HTTP/1.1\r\nHost: a\r\n\r\n")
      expect(answer).not.toContain(" 500 ")
      expect(answer).not.toContain("\r\n0\r\n\r\n")
      const old = yield* Effect.exit(overTcp(toNodeHandler(failing), "GET /ours HTTP/1.0\r\n\r\n"))
      expect(String(old)).toContain("ECONNRESET")
    }),
  )

  it.live("MUST be sent over HTTP/2 too", () =>
    Effect.gen(function* () {
      const server = createHttp2Server({}, toNodeHandler(echo))
      yield* Effect.addFinalizer(() => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))))
      yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
      const { port } = server.address() as AddressInfo
      const client = connectHttp2(`http://127.0.0.1:${port}`)
      const stream = client.request({ ":method": "POST", ":path": "/ours/%2e%2e", "content-type": "text/plain" })
      stream.end("over HTTP/2")
      const asked = JSON.parse(yield* Effect.promise(() => text(stream)))
      client.close()
      expect(asked).toMatchObject({ url: `http://127.0.0.1:${port}/ours/%2e%2e`, body: "over HTTP/2" })
    }),
  )
})

it("toNodeHandler MUST be a listener for each of Node's servers", () => {
  expect(createServer(toNodeHandler(echo)).listenerCount("request")).toBe(1)
})
