/** Reads are answered in two ways, directly and through Effect's router: nobody can tell which (§4, D11). */
import { connect, type Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../adapters/memory/index.ts"
import { makeOddRequests, type OddRequest, random } from "../../conformance/worlds/OddRequests.ts"
import {
  inProcess,
  manage,
  newDesign,
  newOrder,
  newShop,
  newToken,
  read,
  serve,
  traced,
} from "../../conformance/worlds/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { TokenRateLimit } from "../../core/usecases/LimitRequest.ts"

/** Requests in all, and how many run at a time, each with tokens of its own: so both hosts count the same requests in the same order. */
const total = 20_000
const lanes = 20

/** How many requests a lane sends before time goes on. */
const round = 20

/** A connection on which one request follows another. It is opened again when the host has closed it. */
const makeLine = (port: number) => {
  let socket: Socket | undefined
  let received = ""
  let look = () => {}
  const open = (): Socket => {
    const opened = connect({ host: "127.0.0.1", port, noDelay: true }).setEncoding("latin1")
    opened.on("data", (data) => {
      received += data
      look()
    })
    // A host that closes while bytes are on their way to it resets the connection.
    opened.on("error", () => undefined)
    opened.on("close", () => {
      socket = undefined
      look()
    })
    return opened
  }
  const exchange = ({ method, text }: OddRequest): Promise<string> =>
    new Promise((resolve) => {
      received = ""
      let isFresh = socket === undefined
      const send = () => {
        socket ??= open()
        socket.write(text, "latin1")
      }
      look = () => {
        if (isWhole(received, method)) resolve(received)
        else if (socket === undefined && (isFresh || received !== "")) resolve(received)
        else if (socket === undefined) {
          // The host closed the connection because it was idle, before it had the request.
          isFresh = true
          send()
        }
      }
      send()
    })
  return { exchange, close: () => socket?.destroy() }
}

const headOf = (text: string): string => text.slice(0, text.indexOf("\r\n\r\n") + 4)

/** Whether an answer has come whole; one that closes its connection has when that is closed. */
const isWhole = (text: string, method: string): boolean => {
  const head = headOf(text)
  if (head.length < 4) return false
  if (head.startsWith("HTTP/1.1 100")) return isWhole(text.slice(head.length), method)
  if (/\r\nconnection: close\r\n/i.test(head)) return false
  const isEmpty = method === "HEAD" || /^HTTP\/1\.1 (?:204|304)/.test(head)
  const length = isEmpty ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return text.length >= head.length + length
}

/** An answer without what no two answers share: its time. The order of headers means nothing (RFC 9110 §5.3). */
const comparable = (text: string): string => {
  const head = headOf(text)
  const [status, ...headers] = head.split("\r\n").filter((line) => line !== "" && !/^date:/i.test(line))
  return [status, ...headers.sort(), "", text.slice(head.length)].join("\r\n")
}

/** Orders and designs of some ids can't be read. */
const failing = (ports: Context.Context<OrderStore>) => {
  const orders = Context.get(ports, OrderStore)
  return OrderStore.of({
    ...orders,
    readDesign: (shop, id) => {
      if (id === "fails") return new StorageError({ message: "down", cause: undefined, isRetryable: true })
      return id === "dies" ? Effect.die(new Error("A defect")) : orders.readDesign(shop, id)
    },
  })
}

/** A store with a shop for every lane, and what requests may name. */
const filled = Effect.gen(function* () {
  const state = Memory.makeState()
  const send = yield* inProcess(Memory.layerShared(state))
  const made = yield* Effect.forEach(Array.from({ length: lanes }), () =>
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
      const there = [
        "/designs/d-1",
        "/designs/d-2",
        "/designs/a%2Fb",
        "/orders/1001",
        "/orders/%C3%A9",
        "/customizers/101",
      ]
      const paths = ["/orders", "/orders?limit=1", ...there]
      const answers = yield* Effect.forEach(paths, (path) => read(send, shop.token, path))
      const cursor = /"nextCursor":"([^"]+)"/.exec(answers[1]?.text ?? "")?.[1] ?? ""
      return {
        prefix: "/api/v1",
        tokens: [...tokens, ...tokens, ...tokens, ...tokens, removed.token, free.token],
        paths: [
          "/orders",
          "/events",
          "/events?limit=1",
          ...there,
          "/designs/fails",
          "/designs/dies",
          "/orders/nobodys",
        ],
        etags: answers.map(({ headers }) => headers["etag"] ?? ""),
        cursors: [cursor, encodeURIComponent(cursor)],
      }
    }),
  )
  return { state, known: made }
})

it.effect(
  `MUST answer ${total} random requests alike in both ways: status, headers and body (D11, D15, D16, D17)`,
  () =>
    Effect.gen(function* () {
      const seed = Math.floor(Number(process.env["SEED"] ?? Date.now() % 1_000_000))
      console.log(`SEED=${seed} makes these requests again`)
      const { known, state } = yield* filled
      const hostOf = Effect.fnUntraced(function* () {
        const copy = structuredClone({ ...state, tokenListeners: new Set<never>(), workers: new Set<never>() })
        const ports = yield* Layer.build(Memory.layerShared(copy))
        // However busy the machine is, no request takes too long.
        return yield* serve(Context.add(ports, OrderStore, failing(ports)), { limits: { longestRequest: 600_000 } })
      })
      const direct = yield* hostOf()
      const routed = yield* traced(hostOf())
      const statuses = new Map<string, number>()
      const runners = known.map((some, index) => {
        const next = makeOddRequests(some, random(seed + index))
        const lines = [makeLine(direct), makeLine(routed)] as const
        return Effect.acquireRelease(
          Effect.succeed(
            Effect.promise(async () => {
              for (let count = 0; count < round; count++) {
                const request = next()
                const [one, other] = await Promise.all(lines.map(({ exchange }) => exchange(request)))
                expect([request.text, comparable(one ?? "")]).toEqual([request.text, comparable(other ?? "")])
                const status = one?.slice(9, 12) ?? ""
                statuses.set(status, (statuses.get(status) ?? 0) + 1)
              }
            }),
          ),
          () => Effect.sync(() => lines.forEach(({ close }) => void close())),
        )
      })
      const all = yield* Effect.all(runners)
      const clock = random(seed)
      for (let sent = 0; sent < total; sent += lanes * round) {
        yield* Effect.all(all, { concurrency: "unbounded" })
        yield* TestClock.adjust(Math.floor(clock() * 30_000))
      }
      console.log(
        [...statuses]
          .sort()
          .map(([status, count]) => `${status}: ${count}`)
          .join(", "),
      )
      for (const status of ["200", "304", "400", "401", "403", "404", "405", "429", "500", "503"]) {
        expect([status, (statuses.get(status) ?? 0) > 20]).toEqual([status, true])
      }
    }).pipe(
      Effect.provideService(TokenRateLimit, { limit: 20, window: 60_000 }),
      Effect.provide(Logger.layer([])),
      Effect.scoped,
    ),
)
