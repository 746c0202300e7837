/** The host over Node's server, byte by byte: which requests reach the application. */
import { expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { manageKey, memory, serve } from "../../conformance/testkit/hosts/TestHost.ts"
import { answersIn, openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import type { ServerOptions } from "./index.ts"

/** A host over a memory store, parts of which a test may replace. */
const host = Effect.fnUntraced(function* (
  options: Partial<ServerOptions> = {},
  change: (shops: ShopStore["Service"]) => Partial<ShopStore["Service"]> = () => ({}),
) {
  const { dump, ports } = yield* memory.open
  const context = yield* Layer.build(ports)
  const shops = Context.get(context, ShopStore)
  return { dump, port: yield* serve(Context.add(context, ShopStore, { ...shops, ...change(shops) }), options) }
})

const putShop = (...headers: ReadonlyArray<string>) => {
  const body = JSON.stringify(shopInput)
  return [
    "PUT /manage/v1/shops/a HTTP/1.1",
    ...headers,
    `Authorization: Bearer ${manageKey}`,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n")
}

const answered = Effect.fnUntraced(function* (port: number, text: string) {
  const connection = yield* openConnection(port, text)
  connection.socket.end()
  const [answer, ...others] = answersIn(yield* connection.closed)
  expect(others).toEqual([])
  return { status: answer?.status, headers: answer?.headers ?? {}, body: answer?.body ?? "" }
})

it.live("MUST refuse a request with two Host headers, or with none, and not carry it out (RFC 9112 §3.2)", () =>
  Effect.gen(function* () {
    const { dump, port } = yield* host()
    const before = yield* dump
    for (const hosts of [[], ["Host: a", "Host: b"], ["Host: a", "Host: a"], ["Host: a", "hOST: a"]]) {
      const { body, headers, status } = yield* answered(port, putShop(...hosts))
      expect([status, headers["connection"], JSON.parse(body)]).toEqual([
        400,
        "close",
        { message: "A request must have one Host header", retryable: false },
      ])
    }
    expect(yield* dump).toBe(before)
    expect((yield* answered(port, putShop("Host: a"))).status).toBe(200)
    const { headers, status } = yield* answered(port, "GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
    expect([status, headers["x-api-version"]]).toEqual([400, "2026-10"])
    expect((yield* answered(port, "GET /livez HTTP/1.0\r\n\r\n")).status).toBe(200)
    expect((yield* answered(port, "GET /livez\r\n\r\n")).status).toBe(400)
  }),
)

it.live("MUST interrupt a request that takes too long, and answer it with 503 and the headers of its address", () =>
  Effect.gen(function* () {
    const interrupted = yield* Deferred.make<void>()
    const { port } = yield* host({ limits: { longestRequest: 100 } }, () => ({
      find: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
    }))
    const { closed } = yield* openConnection(
      port,
      `GET /manage/v1/shops/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${manageKey}\r\n\r\n`,
    )
    yield* Deferred.await(interrupted)
    const [answer, ...others] = answersIn(yield* closed)
    expect([answer?.status, others]).toEqual([503, []])
    expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.any(String), retryable: true })
  }),
)

it.live("MUST say that the outcome of a change is not known if it takes too long or the store fails (D49)", () =>
  Effect.gen(function* () {
    const message = expect.stringContaining("may or may not be stored: look before you repeat it")
    const failing = Effect.fail(new StorageError({ message: "Lost", cause: undefined, isRetryable: true }))
    for (const stuck of [Effect.never, failing]) {
      const { port } = yield* host({ limits: { longestRequest: 100 } }, () => ({ put: () => stuck, find: () => stuck }))
      const [change] = answersIn(yield* (yield* openConnection(port, putShop("Host: a", "Connection: close"))).closed)
      expect([change?.status, JSON.parse(change?.body ?? "")]).toMatchObject([503, { message }])
      const get = `GET /manage/v1/shops/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${manageKey}\r\n\r\n`
      const [read] = answersIn(yield* (yield* openConnection(port, get)).closed)
      expect([read?.status, JSON.parse(read?.body ?? "")]).toMatchObject([
        503,
        { message: "The service is not available at the moment; try again" },
      ])
    }
  }),
)

it.live("MUST carry X-Api-Version on the answer of a REST request that takes too long (D19)", () =>
  Effect.gen(function* () {
    const { ports } = yield* memory.open
    const context = yield* Layer.build(ports)
    const stuck = TokenStore.of({ ...Context.get(context, TokenStore), find: () => Effect.never })
    const port = yield* serve(Context.add(context, TokenStore, stuck), { limits: { longestRequest: 100 } })
    const token = "cmz_UtbT7scko0MKa9Wy4s8OSJE3vER9AkuRDqeB3z4Pg2n3mzM6b"
    const request = `GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const [answer] = answersIn(yield* (yield* openConnection(port, request)).closed)
    expect([answer?.status, answer?.headers["x-api-version"]]).toEqual([503, "2026-10"])
    expect(answer?.headers["retry-after"]).toBe("1")
  }),
)

it.live("MUST answer an upgrade to another protocol like any other request", () =>
  Effect.gen(function* () {
    const { port } = yield* host()
    const upgrade = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    const { received, socket, until } = yield* openConnection(port)
    for (let count = 1; count <= 3; count++) {
      socket.write(upgrade)
      yield* until((text) => text.split("\r\n\r\nok").length > count)
    }
    expect(answersIn(received()).map(({ status }) => status)).toEqual([200, 200, 200])
  }),
)

it.live("MUST accept a request target in absolute form (RFC 9112 §3.2.2)", () =>
  Effect.gen(function* () {
    const { port } = yield* host()
    for (const [path, status] of [
      ["/livez", 200],
      ["/api/v1/nothing", 401],
      ["/nothing", 404],
    ] as const) {
      const answer = yield* answered(port, `GET http://example.com${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect([path, answer.status]).toEqual([path, status])
    }
  }),
)
