/** Answers of many bytes that their clients do not read. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { webHandler } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  bodyOf,
  keptAlive,
  memory,
  newDesign,
  newOrder,
  newShop,
  read,
  type Send,
  sender,
  serve,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { AnswerBytes } from "../../core/api/AnswerBytes.ts"
import { makePagesUnderWay, ProcessAnswers } from "../../core/api/PagesUnderWay.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"

const mebibyte = 1024 * 1024

/** More than any buffer of a connection holds. */
const long = 9 * mebibyte

/** A store whose pages have one order of many bytes. */
const longAnswers = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const context = yield* Layer.build(ports)
  const orders = Context.get(context, OrderStore)
  const wire = `{"filling":"${"x".repeat(long)}"}`
  return Context.add(context, OrderStore, {
    ...orders,
    readOrders: (page) =>
      Effect.map(orders.readOrders(page), (found) => ({
        ...found,
        orders: found.orders.map((order) => ({ ...order, wire })),
      })),
  })
})

const newShops = Effect.fnUntraced(function* (send: Send) {
  const made = { greedy: yield* newShop(send), other: yield* newShop(send) }
  for (const shop of [made.greedy, made.other]) {
    yield* newDesign(send, shop, "d")
    yield* newOrder(send, shop, "1", ["d"])
  }
  return made
})

/** Room for one long answer of a shop and one of another. */
const makeRoom = () => {
  const bytes = new AnswerBytes({ maximum: 24 * mebibyte, page: 8 * mebibyte })
  return { bytes, pages: makePagesUnderWay(bytes) }
}

const expectRefused = Effect.fnUntraced(function* (send: Send, { token }: TestShop) {
  const refused = yield* read(send, token, "/orders")
  yield* bodyOf(503, refused)
  expect(refused.headers["retry-after"]).toBe("1")
})

it.live("an answer that its client does not read MUST leave no room for more of its shop, but for others (D46)", () =>
  Effect.gen(function* () {
    const ports = yield* longAnswers
    const room = makeRoom()
    const port = yield* Effect.provideService(serve(ports), ProcessAnswers, room)
    const send = sender(port, yield* keptAlive)
    const { greedy, other } = yield* newShops(send)
    const unread = yield* openConnection(port)
    unread.socket.pause()
    unread.socket.write(`GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${greedy.token}\r\n\r\n`)
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => room.bytes.fits(greedy.id, long)),
        "5 millis",
      ),
      {
        until: (fits) => !fits,
      },
    )
    yield* expectRefused(send, greedy)
    yield* bodyOf(200, yield* read(send, greedy.token, "/designs/d"))
    yield* bodyOf(200, yield* read(send, other.token, "/orders"))
    unread.socket.destroy()
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => room.bytes.fits(greedy.id, long)),
        "5 millis",
      ),
      {
        until: (fits) => fits,
      },
    )
    yield* bodyOf(200, yield* read(send, greedy.token, "/orders"))
  }).pipe(Effect.scoped),
)

it.live("a fetch handler MUST count bodies that are not read, up to their cancellation (D46)", () =>
  Effect.gen(function* () {
    const ports = yield* longAnswers
    const { greedy, other } = yield* newShops(sender(yield* serve(ports), yield* keptAlive))
    const { handler } = yield* Effect.provideService(webHandler(ports), ProcessAnswers, makeRoom())
    const page = (token: string) =>
      Effect.promise(() =>
        handler(
          new Request("http://host.test/integrations/designs/v1/orders", {
            headers: { authorization: `Bearer ${token}` },
          }),
        ),
      )
    const unread = yield* page(greedy.token)
    expect([unread.status, Number(unread.headers.get("content-length")) > long]).toEqual([200, true])
    const refused = yield* page(greedy.token)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
    const read = yield* page(other.token)
    expect((yield* Effect.promise(() => read.text())).length).toBeGreaterThan(long)
    yield* Effect.promise(async () => unread.body?.cancel())
    expect((yield* page(greedy.token)).status).toBe(200)
  }).pipe(Effect.scoped),
)
