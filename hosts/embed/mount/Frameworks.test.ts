/** Particulars of Fastify, Hono, Next, and the handler that all mounts build on. */
import { request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import fastify, { type FastifyServerOptions } from "fastify"
import { Hono, type HonoRequest } from "hono"
import { setCookie } from "hono/cookie"
import { cors } from "hono/cors"
import { type Mounted, toFastifyPlugin, toHonoMiddleware, toNextHandlers } from "./index.ts"
import { makeWebHandler, webPart } from "./WebPart.ts"

/** A handler mounted at `/ours`. */
const mounted = (respond: Mounted["respond"]): Mounted => ({
  answers: ({ url }) => new URL(url, "http://a").pathname.startsWith("/ours"),
  respond,
})

/** Responds with the request. */
const echo = mounted(async (request) => {
  const { headers, method, url } = request
  const asked = { method, url, type: headers.get("content-type"), body: await request.text() }
  return Response.json(asked, { headers: { vary: "Authorization", "set-cookie": "ours=1" } })
})

const fastifyWith = Effect.fnUntraced(function* (with_: Mounted, options: FastifyServerOptions = {}) {
  const application = fastify(options)
  yield* Effect.addFinalizer(() => Effect.promise(() => application.close()))
  application.addHook("onRequest", async (_request, reply) => {
    reply.header("vary", "Origin")
  })
  yield* Effect.promise(async () => {
    await application.register(toFastifyPlugin(with_))
  })
  return application
})

describe("toFastifyPlugin", () => {
  it.live("MUST answer before Fastify checks the body, whatever its type", () =>
    Effect.gen(function* () {
      const application = yield* fastifyWith(echo)
      for (const [type, payload] of [
        ["application/json", "{ not JSON"],
        ["application/x-www-form-urlencoded", "a=1&a=2"],
        ["application/unheard-of", "x"],
      ]) {
        const headers = { "content-type": type }
        const answer = yield* Effect.promise(async () =>
          application.inject({ method: "POST", url: "/ours/x?y", headers, payload: payload ?? "" }),
        )
        expect(answer.json()).toEqual({ method: "POST", url: "http://localhost/ours/x?y", type, body: payload })
      }
    }),
  )

  it.live("MUST let the application's hooks see its responses and add headers", () =>
    Effect.gen(function* () {
      const application = yield* fastifyWith(echo)
      const seen: Array<number> = []
      application.addHook("onResponse", async (_request, reply) => {
        seen.push(reply.statusCode)
      })
      const { headers } = yield* Effect.promise(async () => application.inject("/ours"))
      expect([headers["vary"], headers["set-cookie"], seen]).toEqual(["Authorization, Origin", "ours=1", [200]])
    }),
  )

  it.live("MUST use the address that the application uses", () =>
    Effect.gen(function* () {
      const rewriteUrl = ({ url = "" }) => url.replace(/^\/en/, "")
      const application = yield* fastifyWith(echo, { rewriteUrl, trustProxy: true })
      const headers = { "x-forwarded-proto": "https", host: "host.test" }
      const answer = yield* Effect.promise(async () => application.inject({ url: "/en/ours", headers }))
      expect(answer.json()).toMatchObject({ url: "https://host.test/ours" })
    }),
  )

  it.live("MUST leave errors and unmounted addresses to the application", () =>
    Effect.gen(function* () {
      const application = yield* fastifyWith(mounted(() => Promise.reject(new Error("broken"))))
      application.setErrorHandler((error: Error, _request, reply) => reply.code(500).send(`theirs: ${error.message}`))
      application.get("/theirs", async () => "theirs")
      const get = (url: string) => Effect.promise(async () => (await application.inject(url)).payload)
      expect(yield* get("/ours")).toBe("theirs: broken")
      expect(yield* get("/theirs")).toBe("theirs")
    }),
  )

  it.live("MUST abort the work for a client that has gone away", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const aborted = yield* Deferred.make<void>()
      const application = yield* fastifyWith(
        mounted(async ({ signal }) => {
          Deferred.doneUnsafe(asked, Effect.void)
          await new Promise((resolve) => signal.addEventListener("abort", resolve))
          Deferred.doneUnsafe(aborted, Effect.void)
          return new Response("too late")
        }),
      )
      yield* Effect.promise(() => application.listen({ port: 0, host: "127.0.0.1" }))
      const { port } = application.server.address() as AddressInfo
      const client = httpRequest({ port, host: "127.0.0.1", path: "/ours" })
      client.on("error", () => undefined)
      client.end()
      yield* Deferred.await(asked)
      client.destroy()
      yield* Deferred.await(aborted)
    }),
  )
})

describe("toHonoMiddleware", () => {
  const post = (application: Hono, headers: Record<string, string>, body: string) =>
    Effect.promise(async () => {
      const response = await application.request("/ours", { method: "POST", headers, body })
      return (await response.json()) as { readonly type: string; readonly body: string }
    })

  it.live("MUST pass on a body that the application has read", () =>
    Effect.gen(function* () {
      const json = { "content-type": "application/json" }
      const form = { "content-type": "application/x-www-form-urlencoded" }
      for (const [headers, body, read] of [
        [json, '{"a":1}', (request: HonoRequest) => request.json()],
        [json, '{"a":1}', (request: HonoRequest) => request.text()],
        [form, "a=1", (request: HonoRequest) => request.arrayBuffer()],
        [form, "a=1", async () => undefined],
      ] satisfies ReadonlyArray<
        readonly [Record<string, string>, string, (request: HonoRequest) => Promise<unknown>]
      >) {
        const application = new Hono().use(async (c, next) => {
          await read(c.req)
          await next()
        }, toHonoMiddleware(echo))
        expect(yield* post(application, headers, body)).toMatchObject({ type: headers["content-type"], body })
      }
    }),
  )

  it.live("MUST refuse a form that the application has parsed, by name, and never write it again (D57a)", () =>
    Effect.gen(function* () {
      const web = makeWebHandler([
        {
          answers: (url) => new URL(url).pathname.startsWith("/ours"),
          handle: async (request) =>
            request.text().then(
              () => new Response("read"),
              ({ message }: Error) => new Response(message, { status: 500 }),
            ),
        },
      ])
      const sent = new FormData()
      sent.append("a", "1")
      for (const body of [sent, new URLSearchParams({ a: "1" })]) {
        const application = new Hono().use(async (c, next) => {
          await c.req.formData()
          await next()
        }, toHonoMiddleware(web))
        const [status, text] = yield* Effect.promise(async () => {
          const response = await application.request("/ours", { method: "POST", body })
          return [response.status, await response.text()]
        })
        expect([status, text]).toEqual([500, expect.stringContaining("mount designwire before")])
      }
    }),
  )

  it.live("MUST keep the application's headers, its cookies and Vary", () =>
    Effect.gen(function* () {
      const application = new Hono().use(
        cors({ origin: (origin) => origin }),
        async (c, next) => {
          setCookie(c, "theirs", "1")
          await next()
        },
        toHonoMiddleware(echo),
      )
      const { headers } = yield* Effect.promise(async () =>
        application.request("/ours", { headers: { origin: "https://a.example" } }),
      )
      expect(headers.get("access-control-allow-origin")).toBe("https://a.example")
      expect(headers.getSetCookie()).toEqual(["theirs=1; Path=/", "ours=1"])
      expect(headers.get("vary")?.split(", ").toSorted()).toEqual(["Authorization", "Origin"])
    }),
  )
})

describe("toNextHandlers", () => {
  it("MUST NOT call a given function before the first request", async () => {
    let made = 0
    const handlers = toNextHandlers(async () => {
      made++
      return { handler: async ({ method }) => new Response(method) }
    })
    expect(made).toBe(0)
    for (const [method, handler] of Object.entries(handlers)) {
      expect(await (await handler(new Request("http://host.test/", { method }))).text()).toBe(method)
    }
    expect(made).toBe(Object.keys(handlers).length)
  })
})

describe("makeWebHandler", () => {
  const part = (prefix: string, app: Parameters<typeof webPart>[0]["app"]) =>
    webPart({ answers: (url) => new URL(url, "http://a").pathname.startsWith(prefix), app }, Context.empty())

  it.live("MUST answer with the first part for a request, and report requests for no part", () =>
    Effect.gen(function* () {
      const { answers, handler, respond } = makeWebHandler([
        part("/a/b", Effect.succeed(HttpServerResponse.text("first"))),
        part("/a", Effect.succeed(HttpServerResponse.text("second"))),
      ])
      const textAt = (path: string) =>
        Effect.promise(async () => (await handler(new Request(`http://host.test${path}`))).text())
      expect(yield* textAt("/a/b/c")).toBe("first")
      expect(yield* textAt("/a/c")).toBe("second")
      expect([answers({ url: "/a" }), answers({ url: "http://host.test/b" })]).toEqual([true, false])
      const outside = new Request("http://host.test/b", { method: "POST", body: "x" })
      expect(yield* Effect.promise(() => respond(outside))).toBeUndefined()
      expect(outside.bodyUsed).toBe(false)
      const answer = yield* Effect.promise(() => handler(outside))
      expect([answer.status, yield* Effect.promise(() => answer.json())]).toEqual([
        404,
        { message: "There is nothing at this address" },
      ])
    }),
  )

  it.live("MUST interrupt the work for a request that is aborted", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const endless = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
      )
      const { handler } = makeWebHandler([part("/", endless)])
      const gone = new AbortController()
      const answer = handler(new Request("http://host.test/", { signal: gone.signal }))
      yield* Deferred.await(begun)
      gone.abort()
      yield* Deferred.await(interrupted)
      // Nobody reads the response.
      expect((yield* Effect.promise(() => answer)).status).toBe(499)
    }),
  )
})
