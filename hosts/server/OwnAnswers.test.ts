/** The errors that a server answers without its application: those of the management API say if they may pass (D89). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Latch, Layer } from "effect"
import { manageKey, memory, serve } from "../../conformance/testkit/hosts/TestHost.ts"
import { answersIn, openConnection, type RawConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"

/** A host on which nothing may stand still for long, with a store that does not find shops while the gate is closed. */
const host = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const gate = yield* Latch.make(false)
  const shops = Context.get(ports, ShopStore)
  const find: typeof shops.find = (id) => Effect.andThen(gate.await, shops.find(id))
  const slow = Context.add(ports, ShopStore, { ...shops, find })
  const open = (limits: { readonly longestRequest: number }) =>
    serve(slow, { limits: { maximumRequests: 4, ...limits } })
  return { gate, impatient: yield* open({ longestRequest: 300 }), patient: yield* open({ longestRequest: 10_000 }) }
})

const head = (method: string, path: string, ...headers: ReadonlyArray<string>) =>
  [`${method} ${path} HTTP/1.1`, "Host: a", `Authorization: Bearer ${manageKey}`, ...headers, "", ""].join("\r\n")

const lastAnswer = ({ closed }: RawConnection) =>
  Effect.map(closed, (text) => {
    const answer = answersIn(text).at(-1)
    return [answer?.status, JSON.parse(answer?.body ?? "null") as unknown]
  })

const chunked = "Transfer-Encoding: chunked"

/** What is sent, and the status of the answer. */
const refusals = [
  [417, (path: string) => head("GET", path, "Expect: an-answer", "Connection: close")],
  [400, (path: string) => head("GET", path, "Host: b")],
  [400, (path: string) => `${head("PUT", path, chunked)}no length\r\n`],
  [413, (path: string) => `${head("PUT", path, chunked)}5;${"x".repeat(20_000)}`],
] as const

describe("An answer that the server gives without its application", () => {
  for (const [path, retryable, all] of [
    ["/manage/v1/shops/a", { retryable: false }, refusals],
    ["http://a/manage/v1/shops/a", { retryable: false }, refusals],
    // The application answers these before their bodies have come.
    ["/manage/v2", {}, refusals.slice(0, 2)],
    ["/api/v1/orders", {}, refusals.slice(0, 2)],
  ] as const) {
    it.live.each(all)(`MUST be %i for a request that does not fit, at ${path} (D89)`, ([status, sent]) =>
      Effect.gen(function* () {
        const { patient } = yield* host
        const answer = yield* lastAnswer(yield* openConnection(patient, sent(path)))
        expect(answer).toEqual([status, { message: expect.any(String), ...retryable }])
      }),
    )
  }

  it.live("MUST say that it may pass if the server has too much to do, or waits for too long (D89)", () =>
    Effect.gen(function* () {
      const { gate, impatient, patient } = yield* host
      const told = { message: expect.any(String), retryable: true }
      // The share of the management API is one request.
      yield* openConnection(patient, head("GET", "/manage/v1/shops/a"))
      const busy = yield* openConnection(patient, head("GET", "/manage/v1/shops/a", "Connection: close"))
      expect(yield* lastAnswer(busy)).toEqual([503, told])
      const still = yield* openConnection(impatient, head("GET", "/manage/v1/shops/a"))
      expect(yield* lastAnswer(still)).toEqual([503, told])
      // Something moves on it, but it takes too long.
      const slow = yield* openConnection(impatient, head("PUT", "/manage/v1/shops/a", "Content-Length: 1000"))
      yield* Effect.forkScoped(
        Effect.repeat(
          Effect.delay(
            Effect.sync(() => slow.socket.write(" ")),
            "100 millis",
          ),
          { times: 100 },
        ),
      )
      expect(yield* lastAnswer(slow)).toEqual([408, told])
      yield* gate.open
    }),
  )
})
