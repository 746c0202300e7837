/** Requests to the REST API are answered alike on Node's server, through Effect's server, and with a tracer. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Option, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import * as Memory from "../../adapters/memory/index.ts"
import {
  inProcess,
  manage,
  newDesign,
  newOrder,
  newShop,
  newToken,
  read,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { random } from "../../conformance/testkit/requests/Draw.ts"
import { makeOddRequests } from "../../conformance/testkit/requests/OddRequests.ts"
import { openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { TokenRateLimit } from "../../core/usecases/access/LimitRequest.ts"

/**
 * All requests; how many run at a time, each with its own tokens; how many follow each other before time passes.
 */
const total = inject("wholeMatrix") ? 6_000 : 1_000
const lanes = 20
const round = 20

/** Sends a request on its own connection, and returns everything that came back. */
const exchange = (port: number, request: string) =>
  openConnection(port, request).pipe(
    Effect.flatMap(({ closed }) => closed),
    Effect.scoped,
  )

const withHeader = (request: string, header: string): string => request.replace("\r\n", `\r\n${header}\r\n`)

/** The same request in a form that Effect's server answers: it gets every request that announces a body. */
const withBody = (request: string): string =>
  /\r\n(?:content-length|transfer-encoding):/i.test(request) ? request : withHeader(request, "Content-Length: 0")

/** An answer without its date. The order of headers means nothing (RFC 9110 §5.3). */
const comparable = (text: string): ReadonlyArray<string> => {
  const end = text.indexOf("\r\n\r\n") + 4
  const lines = text.slice(0, end).split("\r\n")
  return [...lines.filter((line) => !/^date:/i.test(line)).sort(), text.slice(end)]
}

/** A store in which designs of certain ids can't be read. */
const failing = (orders: OrderStore["Service"]) =>
  OrderStore.of({
    ...orders,
    readDesign: (shop, id) => {
      if (id === "fails") return new StorageError({ message: "down", cause: undefined, isRetryable: true })
      return id === "dies" ? Effect.die(new Error("A defect")) : orders.readDesign(shop, id)
    },
  })

/** A host over a copy of a store, however busy the machine is. */
const hostOver = Effect.fnUntraced(function* ({ inboxTurn, ...data }: Memory.State) {
  const copy = structuredClone({ ...data, tokenListeners: new Set<never>(), workers: new Set<never>() })
  const ports = yield* Layer.build(Memory.layerShared({ ...copy, inboxTurn }))
  const orders = failing(Context.get(ports, OrderStore))
  return yield* serve(Context.add(ports, OrderStore, orders), { limits: { longestRequest: 600_000 } })
})

/** Keeps the spans of an effect. */
const traced = <A, E, R>(spans: Array<Tracer.NativeSpan>, effect: Effect.Effect<A, E, R>) => {
  const span: Tracer.Tracer["span"] = (options) => {
    const made = new Tracer.NativeSpan(options)
    spans.push(made)
    return made
  }
  return Effect.provideService(effect, Tracer.Tracer, Tracer.make({ span }))
}

/** A store with a shop for every lane, and what requests may name. */
const filled = Effect.gen(function* () {
  const state = Memory.makeState()
  const send = yield* inProcess(Memory.layerShared(state))
  const known = yield* Effect.forEach(Array.from({ length: lanes }), () =>
    Effect.gen(function* () {
      const shop = yield* newShop(send)
      for (const id of ["d-1", "d-2", "d-3", "a/b", "é;"]) yield* newDesign(send, shop, id)
      for (const id of ["1001", "a/b", "é"])
        yield* newOrder(send, shop, id, [{ "1001": "d-1", "a/b": "a/b" }[id] ?? "é;"])
      const tokens = [shop.token, (yield* newToken(send, shop.id)).token]
      const removed = yield* newToken(send, shop.id)
      yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${removed.tokenId}`)
      const free = yield* newShop(send)
      yield* manage(send, "PUT", `/shops/${free.id}`, {
        ...{ domain: "free.example.com", currency: "EUR", roundingStep: 1, imageBase: "https://i.example.com" },
        plan: "free",
      })
      const resources = ["/designs/d-1", "/designs/d-2", "/designs/a%2Fb"]
      const there = [...resources, "/orders/1001", "/orders/%C3%A9", "/customizers/101"]
      const paths = ["/orders", "/orders?limit=1", ...there]
      const answers = yield* Effect.forEach(paths, (path) => read(send, shop.token, path))
      const cursor = /"nextCursor":"([^"]+)"/.exec(answers[1]?.text ?? "")?.[1] ?? ""
      const others = ["/designs/fails", "/designs/dies", "/orders/nobodys"]
      return {
        prefix: "/api/v1",
        tokens: [...tokens, ...tokens, ...tokens, ...tokens, removed.token, free.token],
        paths: ["/orders", "/events", "/events?limit=1", ...there, ...others],
        etags: answers.map(({ headers }) => headers["etag"] ?? ""),
        cursors: [cursor, encodeURIComponent(cursor)],
      }
    }),
  )
  return { state, known }
})

it.effect(
  `MUST answer ${total} random requests alike in every way: status, headers and body (D11, D15, D16, D17)`,
  () =>
    Effect.gen(function* () {
      const seed = Math.floor(Number(process.env["SEED"] ?? Date.now() % 1_000_000))
      console.log(`SEED=${seed} makes these requests again`)
      const { known, state } = yield* filled
      const direct = yield* hostOver(state)
      const routed = yield* hostOver(state)
      const spanned = yield* traced([], hostOver(state))
      const statuses = new Map<string, number>()
      const lanesOf = known.map((some, index) => {
        const next = makeOddRequests(some, random(seed + index))
        return Effect.gen(function* () {
          for (let count = 0; count < round; count++) {
            const request = withHeader(next().text, "Connection: close")
            const [one, ...others] = yield* Effect.all(
              [exchange(direct, request), exchange(routed, withBody(request)), exchange(spanned, request)],
              { concurrency: "unbounded" },
            )
            for (const other of others) expect([request, comparable(other)]).toEqual([request, comparable(one)])
            const status = one.slice(9, 12)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        })
      })
      const clock = random(seed)
      for (let sent = 0; sent < total; sent += lanes * round) {
        yield* Effect.all(lanesOf, { concurrency: "unbounded" })
        yield* TestClock.adjust(Math.floor(clock() * 30_000))
      }
      const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
      console.log(counts.join(", "))
      // The rarest of them, 304, is one answer in 150.
      const common = ["200", "304", "400", "401", "403", "404", "405", "429", "500", "503"]
      expect([...statuses.keys()]).toEqual(expect.arrayContaining(common))
    }).pipe(
      Effect.provideService(TokenRateLimit, { limit: 20, window: 60_000 }),
      Effect.provide(Logger.layer([])),
      Effect.scoped,
    ),
)

it.effect("MUST open the span of a request that Effect's server opens: once, within the span of `traceparent`", () =>
  Effect.gen(function* () {
    const { known, state } = yield* filled
    const spans: Array<Tracer.NativeSpan> = []
    const port = yield* traced(spans, hostOver(state))
    const [some] = known
    /** The spans of a request that the server opened: what they say of it, and what its reads did within them. */
    const spansOf = Effect.fnUntraced(function* (request: string) {
      spans.length = 0
      yield* exchange(port, request)
      return spans
        .filter(({ kind }) => kind === "server")
        .map(({ attributes, name, parent, status }) => {
          const failed = status._tag === "Ended" && Exit.isFailure(status.exit)
          const { spanId, traceId } = Option.getOrThrow(parent)
          return { name, parent: [traceId, spanId], failed, attributes: Object.fromEntries(attributes) }
        })
    })
    for (const [method, path, status, route] of [
      ["GET", "/designs/a%2Fb", 200, "/designs/:id"],
      ["HEAD", "/orders?limit=1", 200, "/orders"],
      ["POST", "/customizers/101", 405, "/customizers/:id"],
      ["GET", "/designs/fails", 503, "/designs/:id"],
      ["GET", "/nothing", 404, undefined],
    ] as const) {
      const request = [
        `${method} /api/v1${path} HTTP/1.1`,
        "Host: shop.example.com",
        "Connection: close",
        "User-Agent: test",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        `Authorization: Bearer ${some?.tokens[0]}\r\n\r\n`,
      ].join("\r\n")
      const direct = yield* spansOf(request)
      expect(direct).toEqual([
        {
          name: method,
          parent: ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"],
          failed: status === 503,
          attributes: expect.objectContaining({
            ...{ "http.request.method": method, "http.response.status_code": status },
            ...{ "url.path": `/api/v1${path.split("?")[0]}`, "user_agent.original": "test" },
            ...(route === undefined ? {} : { "http.route": `/api/v1${route}` }),
          }),
        },
      ])
      expect(direct).toEqual(yield* spansOf(withBody(request)))
    }
  }).pipe(Effect.provide(Logger.layer([])), Effect.scoped),
)
