/** Paths are matched as they were sent: D11, D15, RFC 3986 §3.3. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  type Answer,
  type Json,
  manage,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

/** Every character that a segment may contain unencoded. */
const segmentCharacters = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@`

const encoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/**
 * An id in several spellings of a path: some characters percent-encoded, all of them, or only those that must be.
 */
const spellings = (id: string): ReadonlyArray<string> => {
  const plain = [...id].map((character) => (segmentCharacters.includes(character) ? character : encoded(character)))
  return [
    plain.join(""),
    plain.map((character, index) => (index % 2 === 0 ? encoded(decodeURIComponent(character)) : character)).join(""),
    encoded(id),
    encoded(id).toUpperCase(),
  ]
}

const ids = [
  ...[...segmentCharacters].map((character) => `a${character}b`),
  ...["a;b=c,d;e", ";", ";;", "a;", ";a", "x;y/z", "a/b;c", "%3B", "a%3Bb;c", "a#b", "#", "a?b;c", "a;b?c", "a%;b"],
  ...["€;é", "😀;#?/%", "..;", "./;/.."],
]

const nothingHere = { message: "There is nothing at this address" }

/** The answer of both APIs: errors of the management API also have `retryable`. */
const seen = ({ json, status }: Answer) => {
  const { retryable: _, ...body } = (json ?? {}) as Json
  return [status, json === undefined ? undefined : body]
}

onHosts("Paths (D15)", [memory, embedded], (it) => {
  it.effect("MUST take every character of a segment as part of the id in the management API", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [index, id] of ids.entries()) {
        yield* newDesign(send, shop, id, { basePrice: index })
        yield* newOrder(send, shop, id, [id])
      }
      for (const id of ids) {
        for (const spelling of spellings(id)) {
          const saved = yield* manage(send, "PUT", `/shops/${shop.id}/designs/${spelling}`, ringInput)
          expect([spelling, saved.status]).toEqual([spelling, 409])
          const cancelled = yield* manage(send, "POST", `/shops/${shop.id}/orders/${spelling}/cancel`)
          expect([spelling, cancelled.status, (cancelled.json as Json)["id"]]).toEqual([spelling, 200, id])
        }
      }
    }),
  )

  it.effect("MUST take %2F as part of a segment, never as its end", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d")
      expect(seen(yield* read(send, shop.token, "%2Fdesigns/d"))).toEqual([404, nothingHere])
      expect(seen(yield* manage(send, "POST", `/shops/${shop.id}/orders%2F1/cancel`))).toEqual([404, nothingHere])
      expect(seen(yield* manage(send, "GET", `/shops%2F${shop.id}`))).toEqual([404, nothingHere])
    }),
  )

  it.effect("MUST treat a path with an empty segment, even a trailing slash, as unknown", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d")
      yield* newOrder(send, shop, "1", ["d"])
      for (const path of ["/orders/", "/designs/", "/customizers/", "/designs/d/", "//designs/d", "/designs//d", "/"]) {
        expect([path, ...seen(yield* read(send, shop.token, path))]).toEqual([path, 404, nothingHere])
        expect([path, ...seen(yield* read(send, shop.token, `${path}?limit=0`))]).toEqual([path, 404, nothingHere])
      }
      const before = yield* store.dump
      for (const [method, path, body] of [
        ["GET", "/shops/", undefined],
        ["PUT", "/shops/", shopInput],
        ["GET", `/shops/${shop.id}/`, undefined],
        ["PUT", `/shops/${shop.id}/designs/`, ringInput],
        ["PUT", `/shops//designs/d`, ringInput],
        ["POST", `/shops/${shop.id}/orders//cancel`, undefined],
        ["POST", `/shops/${shop.id}/orders/1/cancel/`, undefined],
        ["DELETE", `/shops/${shop.id}/tokens/`, undefined],
        ["GET", "//shops", undefined],
      ] as const) {
        expect([method, path, ...seen(yield* manage(send, method, path, body))]).toEqual([
          method,
          path,
          404,
          nothingHere,
        ])
      }
      for (const path of ["/livez/", "//livez", "/docs/", "/openapi.json/"]) {
        expect([path, ...seen(yield* send("GET", path))]).toEqual([path, 404, nothingHere])
      }
      expect((yield* store.dump) === before).toBe(true)
    }),
  )

  it.effect("MUST be case-sensitive", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d")
      expect(seen(yield* read(send, shop.token, "/Designs/d"))).toEqual([404, nothingHere])
      expect((yield* read(send, shop.token, "/designs/D")).status).toBe(404)
      expect(seen(yield* manage(send, "GET", "/Shops"))).toEqual([404, nothingHere])
      for (const path of ["/API/v1/orders", "/api/V1/orders", "/Manage/v1/shops", "/LIVEZ"]) {
        expect([path, ...seen(yield* send("GET", path))]).toEqual([path, 404, nothingHere])
      }
    }),
  )

  it.effect("MUST decode letters behind its prefixes, with the same checks (RFC 3986 §6.2.2.2)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d")
      const authorization = `Bearer ${shop.token}`
      for (const [method, path, status] of [
        ["GET", "/api/v1/%64esigns/d", 200],
        ["POST", "/api/v1/%64esigns/d", 405],
        ["GET", "/api/v1/%6eothing", 404],
      ] as const) {
        const answer = yield* send(method, path, { headers: { authorization } })
        expect([path, answer.status, answer.headers["x-api-version"]]).toEqual([path, status, "2026-10"])
        const stranger = yield* send(method, path)
        expect([path, stranger.status, stranger.headers["x-api-version"]]).toEqual([path, 401, "2026-10"])
      }
      for (const [headers, status] of [
        [{ authorization: `Bearer ${manageKey}` }, 405],
        [{}, 401],
      ] as const) {
        expect((yield* send("PATCH", "/manage/v1/shop%73", { headers })).status).toBe(status)
      }
    }),
  )

  it.effect(
    "MUST answer 404 where a prefix or an address of the server is percent-encoded: guards look there (D15)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d")
        const key = { authorization: `Bearer ${manageKey}` }
        for (const [path, headers] of [
          ["/%61pi/v1/designs/d", { authorization: `Bearer ${shop.token}` }],
          ["/api/%761/designs/d", { authorization: `Bearer ${shop.token}` }],
          ["/api%2Fv1/designs/d", { authorization: `Bearer ${shop.token}` }],
          ["/%6Danage/v1/shops", key],
          ["/manage/%761/shops", key],
          ["/%6danage/openapi.json", key],
          ["/manage/%64ocs", key],
          ["/%6detrics", key],
          ["/%64ocs", {}],
          ["/openapi%2Ejson", {}],
          ["/%6civez", {}],
          ["/%72eadyz", {}],
          ["/%73ettings", {}],
          ["/%73ettings/sign-in", {}],
        ] as const) {
          const plain = yield* send("GET", decodeURIComponent(path), { headers })
          expect([path, plain.status]).not.toEqual([path, 404])
          for (const sent of [path, path.replace(/%../, (escape) => escape.toUpperCase())]) {
            const answer = yield* send("GET", sent, { headers })
            expect([sent, ...seen(answer), answer.headers["x-api-version"]]).toEqual([
              sent,
              404,
              nothingHere,
              undefined,
            ])
          }
        }
      }),
  )
})
