/** Rules of access that show only alongside the REST API, from inside, or with a moved clock: §5, D8, D11, D16, D18. */
import { createHash } from "node:crypto"
import { describe, expect, it as plain } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  type Answer,
  bodyOf,
  inProcess,
  type Json,
  manage,
  memory,
  newDesign,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"

/** Exactly `{"message": string}`, as JSON, with the version. */
const expectError = (answer: Answer, status: number, what: string) => {
  expect([what, answer.status, answer.headers["content-type"], answer.headers["x-api-version"]]).toEqual([
    what,
    status,
    "application/json",
    "2026-10",
  ])
  expect([what, Object.keys(answer.json as Json)]).toEqual([what, ["message"]])
  expect(typeof (answer.json as Json)["message"]).toBe("string")
  expect((answer.json as Json)["message"]).not.toBe("")
}

onHosts("Access", [memory, embedded, postgres], (it) => {
  it.effect("MUST NOT accept the manage key as a token, nor a token as the manage key (§5)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      expectError(yield* read(send, "test-manage-key-0123456789", "/orders"), 401, "the manage key")
      const answer = yield* send("GET", "/manage/v1/shops", { headers: { authorization: `Bearer ${shop.token}` } })
      expect(answer.status).toBe(401)
    }),
  )

  it.effect(
    "MUST answer outside the REST API without a token and without its headers (hosts/cli/README.md) (§1-8)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        for (const path of ["/", "/api", "/api/v2/orders", "/api/v1x/orders", "/nothing", "/orders"]) {
          const answer = yield* send("GET", path)
          expect([path, answer.status, answer.json]).toEqual([
            path,
            404,
            { message: "There is nothing at this address" },
          ])
          expect(answer.headers["x-api-version"]).toBeUndefined()
        }
        for (const path of ["/livez", "/readyz"]) {
          const answer = yield* send("GET", path)
          expect([path, answer.status, answer.headers["ratelimit"]]).toEqual([path, 200, undefined])
        }
      }),
  )

  it.effect("MUST store a token's SHA-256, and its text nowhere (D18, §5-1)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* read(send, shop.token, "/orders")
      const kept = yield* store.dump
      expect(kept).not.toContain(shop.token)
      expect(kept).not.toContain(shop.token.slice(4))
      // The random part and the checksum, each alone.
      expect(kept).not.toContain(shop.token.slice(4, 47))
      expect(kept).toContain(createHash("sha256").update(shop.token).digest("hex"))
    }),
  )
})

describe("The order of checks (D11)", () => {
  /** A shop on the free plan whose token was made before, and hosts on virtual time. */
  const prepared = Effect.gen(function* () {
    const { ports } = yield* memory.open
    const send = yield* inProcess(ports)
    const shop = yield* newShop(send)
    // The host that changes the plan applies it at once, even to tokens that it remembers.
    const plan = (plan: string) => manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan })
    const exhaust = Effect.gen(function* () {
      for (let index = 0; index < 120; index++) yield* read(send, shop.token, "/orders")
    })
    return { send, shop, plan, exhaust }
  })

  const wrong = { "x-api-version": "1999-01" }

  plain.effect("MUST answer 403 before 429, 404, 405 and 400, and count nothing (D8, D16, D11)", () =>
    Effect.gen(function* () {
      const { exhaust, plan, send, shop } = yield* prepared
      yield* exhaust
      expectError(yield* read(send, shop.token, "/orders"), 429, "exhausted")
      yield* plan("free")
      for (const [method, path] of [
        ["GET", "/orders"],
        ["GET", "/orders?limit=0"],
        ["GET", "/nothing"],
        ["POST", "/orders"],
        ["GET", "/orders/nobodys"],
      ] as const) {
        const headers = { authorization: `Bearer ${shop.token}`, ...wrong }
        expectError(yield* send(method, `/api/v1${path}`, { headers }), 403, path)
      }
      yield* TestClock.adjust("60 seconds")
      for (let index = 0; index < 130; index++) yield* read(send, shop.token, "/orders")
      yield* plan("plus")
      expect((yield* read(send, shop.token, "/orders")).headers["ratelimit"]).toBe('"default";r=119;t=60')
    }),
  )
})

describe("Tokens with limits (D77)", () => {
  const limited = (send: Send, shop: string, limits: Json) =>
    Effect.map(
      Effect.flatMap(manage(send, "POST", `/shops/${shop}/tokens`, { name: "T", ...limits }), (made) =>
        bodyOf(201, made),
      ),
      ({ token }) => String(token),
    )

  plain.effect(
    "MUST answer 403 out of scope after 401 and the plan's 403, before all else, and count nothing (D77)",
    () =>
      Effect.gen(function* () {
        const { ports } = yield* memory.open
        const send = yield* inProcess(ports)
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        const token = yield* limited(send, shop.id, { scopes: ["designs:read"] })
        const texts = new Set<string>()
        for (const [method, path, more] of [
          ["GET", "/orders", {}],
          ["GET", "/orders?limit=0", {}],
          ["POST", "/orders", {}],
          ["GET", "/orders/nobodys", {}],
          ["GET", `/orders/${"x".repeat(1_000)}`, {}],
          ["GET", "/orders/%zz", {}],
          ["GET", "/orders", { "x-api-version": "1999-01" }],
          ["GET", "/orders", { "if-none-match": "*" }],
        ] as const) {
          const headers = { authorization: `Bearer ${token}`, ...more }
          const answer = yield* send(method, `/api/v1${path}`, { headers })
          expectError(answer, 403, path)
          texts.add(answer.text)
          expect(answer.headers).toMatchObject({
            "www-authenticate": 'Bearer error="insufficient_scope", scope="orders:read"',
            ratelimit: '"default";r=120;t=0',
          })
        }
        expect([...texts]).toEqual(['{"message":"The token lacks the scope orders:read, which this request needs"}'])
        const head = yield* send("HEAD", "/api/v1/orders", { headers: { authorization: `Bearer ${token}` } })
        expect([head.status, head.text]).toEqual([403, ""])
        // What needs no scope of its own, and what the token may read.
        expectError(yield* read(send, token, "/nothing"), 404, "no address")
        expect((yield* read(send, token, "/designs/d-1")).headers["ratelimit"]).toBe('"default";r=118;t=60')
        yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "free" })
        const free = yield* read(send, token, "/orders")
        expectError(free, 403, "the plan")
        expect([free.text.includes("plans"), free.headers["www-authenticate"]]).toEqual([true, undefined])
      }),
  )
})

describe("An internal error", () => {
  plain.effect("MUST reveal nothing internal in its 5xx answer (D11)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const secret = "password=hunter2 at 10.0.0.5"
      const broken = (failure: Effect.Effect<never, StorageError>) =>
        Layer.effectContext(
          Effect.map(Layer.build(ports), (context) =>
            Context.add(context, OrderStore, {
              ...Context.get(context, OrderStore),
              readDesign: () => failure,
              readOrders: () => failure,
            }),
          ),
        )
      for (const [status, failure] of [
        [503, Effect.fail(new StorageError({ message: secret, cause: new Error(secret), isRetryable: true }))],
        [500, Effect.die(new Error(secret))],
        [500, Effect.sync(() => JSON.parse(`{"${secret}`) as never)],
      ] as const) {
        const send = yield* inProcess(broken(failure))
        const shop = yield* newShop(send)
        for (const path of ["/orders", "/designs/d-1"]) {
          const answer = yield* read(send, shop.token, path)
          expectError(answer, status, path)
          expect(JSON.stringify([answer.text, answer.headers])).not.toContain("hunter2")
          expect(answer.text).not.toMatch(/Error|at .*\.ts|StorageError/)
          // The request was accepted, so it counts, and the headers say so.
          expect(answer.headers["ratelimit-policy"]).toBe('"default";q=120;w=60')
        }
      }
    }),
  )
})
