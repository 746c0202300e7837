/** The client with the service itself. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  inProcess,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  publishVector,
  type Send,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { type ClientOptions, createClient, type DesignwireRequestError, type Fetch, type Order } from "./index.ts"

/** A server that listens, its management API, and a shop. */
const served = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const url = `http://127.0.0.1:${yield* serve(yield* Layer.build(ports))}/api/v1`
  const send = yield* inProcess(ports)
  const shop = yield* newShop(send)
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createClient({ url, token: shop.token, maxRetries: 0, ...options })
  return { url, send, shop, clientOf, client: clientOf() }
})

/** The error of a call. */
const failureOf = (call: () => Promise<unknown>) =>
  Effect.flip(Effect.tryPromise({ try: call, catch: (error) => error as DesignwireRequestError }))

const collect = <A>(list: AsyncIterable<A>): Effect.Effect<ReadonlyArray<A>> =>
  Effect.promise(async () => {
    const all: Array<A> = []
    for await (const one of list) all.push(one)
    return all
  })

/** Answers requests in the process of the test. */
const fetchOf =
  (send: Send): Fetch =>
  async (url, { headers }) => {
    const { pathname, search } = new URL(url)
    const answer = await Effect.runPromise(send("GET", pathname + search, { headers }))
    return { ...answer, headers: { get: (name) => answer.headers[name] ?? null }, text: async () => answer.text }
  }

/** The client's timers stand still, and Effect's timers continue. */
const fakeTimers = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })),
  () => Effect.sync(() => vi.useRealTimers()),
)

describe("The client and the service", () => {
  it.live("MUST agree on the lines of an order and their quantities (D81)", () =>
    Effect.gen(function* () {
      const { client, send, shop } = yield* served
      for (const id of ["a", "b"]) yield* newDesign(send, shop, id)
      const lines = [
        { designId: "a", lineItemId: "11", quantity: 5 },
        { designId: "b", lineItemId: "1/2" },
      ]
      const order = { name: "#7", orderedAt: "2026-10-05T12:00:00Z", lines }
      expect((yield* manage(send, "PUT", `/shops/${shop.id}/orders/7%2F8`, order)).status).toBe(200)
      expect((yield* manage(send, "POST", `/shops/${shop.id}/orders/7%2F8/lines/1%2F2/cancel`)).status).toBe(200)
      const read = yield* Effect.promise(() => client.orders.lines("7/8"))
      expect(read).toEqual([
        { lineItemId: "11", designId: "a", copyOf: null, quantity: 5, status: "ordered" },
        { lineItemId: "1/2", designId: "b", copyOf: null, quantity: 1, status: "cancelled" },
      ])
      expect(yield* failureOf(() => client.orders.lines("8"))).toMatchObject({ code: "not_found" })
    }),
  )

  it.live("MUST agree on every order of a store, newest first, over all pages (§2.4, §4)", () =>
    Effect.gen(function* () {
      const { client, send, shop } = yield* served
      const texts: Array<string> = []
      for (let day = 1; day <= 7; day++) {
        yield* newDesign(send, shop, `d-${day}`)
        texts.unshift(yield* newOrder(send, shop, `o-${day}`, [`d-${day}`], `2026-10-0${day}T12:00:00Z`))
      }
      const expected = texts.map((text) => JSON.parse(text) as Order)
      for (const limit of [1, 2, 7, 100, undefined]) {
        expect(yield* collect(client.orders.list({ limit }))).toEqual(expected)
      }
      const since = { orderedAfter: new Date("2026-10-05T12:00:00Z"), limit: 2 }
      expect(yield* collect(client.orders.list(since))).toEqual(expected.slice(0, 3))
      const pages = yield* collect(client.orders.list(since).pages())
      expect(pages.map(({ data, pagination }) => [data.length, pagination.total, pagination.limit])).toEqual([
        [2, 3, 2],
        [1, 3, 2],
      ])
      const cursor = pages[0]?.pagination.nextCursor ?? undefined
      expect(yield* collect(client.orders.list({ ...since, cursor }))).toEqual(expected.slice(2, 3))
      expect(yield* collect(client.orders.list({ cursor }))).toEqual(expected.slice(2, 3))
    }),
  )

  it.live("MUST agree on each resource (§2, §4)", () =>
    Effect.gen(function* () {
      const { client, send, shop } = yield* served
      const draft = yield* newDesign(send, shop, "d-1")
      expect(yield* Effect.promise(() => client.designs.get("d-1"))).toEqual(JSON.parse(draft))
      const order = yield* newOrder(send, shop, "1001", ["d-1"])
      expect(yield* Effect.promise(() => client.orders.get("1001"))).toEqual(JSON.parse(order))
      yield* publishVector(send, shop, 102)
      const customizer = yield* Effect.promise(() => client.customizers.get(102))
      expect([customizer.id, customizer.status, customizer.definition?.schemaVersion]).toEqual([102, "published", 1])
    }),
  )

  it.live("MUST agree on refusals (§5, §7, D8, D12, D14)", () =>
    Effect.gen(function* () {
      const { client, clientOf, send, shop, url } = yield* served
      const page = (query: Parameters<typeof client.orders.list>[0]) => () => client.orders.list(query).pages().next()
      expect(yield* failureOf(() => client.orders.get("none"))).toMatchObject({ code: "not_found", status: 404 })
      expect(yield* failureOf(() => client.designs.get("none"))).toMatchObject({ code: "not_found" })
      for (const id of [1, -1, 1.5, Number.NaN, Number.MAX_VALUE]) {
        expect(yield* failureOf(() => client.customizers.get(id))).toMatchObject({ code: "not_found" })
      }
      for (const [name, value] of [
        ["limit", 0],
        ["limit", 101],
        ["orderedAfter", "yesterday"],
        ["cursor", "x"],
      ] as const) {
        const error = yield* failureOf(page({ [name]: value }))
        expect([error.code, error.status, error.message]).toEqual(["bad_request", 400, expect.stringContaining(name)])
      }
      const other = clientOf({ token: "cmz_other" })
      expect(yield* failureOf(() => other.orders.get("1001"))).toMatchObject({ code: "unauthorized", status: 401 })
      const elsewhere = clientOf({ url: new URL("/", url) })
      expect(yield* failureOf(() => elsewhere.orders.get("1001"))).toMatchObject({
        code: "unexpected_answer",
        status: 404,
      })
      yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "free" })
      expect(yield* failureOf(() => client.orders.get("1001"))).toMatchObject({ code: "plan_required", status: 403 })
    }),
  )

  it.effect("MUST agree on the time to wait after the rate limit, to the second, and lose nothing (§8, D16)", () =>
    Effect.gen(function* () {
      yield* fakeTimers
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports)
      const shop = yield* newShop(send)
      for (const id of ["1", "2", "3"]) {
        yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, id, [id])
      }
      const answered: Array<number> = []
      let underWay = 0
      const clock = yield* TestClock.testClockWith(Effect.succeed)
      const start = performance.now()
      const client = createClient({
        url: "http://host.test/api/v1",
        token: shop.token,
        fetch: async (url, init) => {
          underWay++
          // The service's clock shows what the client's does.
          await Effect.runPromise(clock.setTime(performance.now() - start))
          const answer = await fetchOf(send)(url, init)
          underWay--
          answered.push(answer.status)
          return answer
        },
      })
      // One of 120 is left now, and the others come back after a minute.
      yield* Effect.forEach(Array.from({ length: 119 }), () => Effect.promise(() => client.orders.get("1")))
      const reading = yield* Effect.forkChild(collect(client.orders.list({ limit: 1 })))
      while (reading.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        if (underWay === 0 && vi.getTimerCount() > 0) vi.advanceTimersToNextTimer()
      }
      expect((yield* Fiber.join(reading)).map(({ id }) => id)).toEqual(["3", "2", "1"])
      expect(answered.slice(119)).toEqual([200, 429, 200, 200])
      expect(performance.now() - start).toBe(60_000)
    }),
  )
})
