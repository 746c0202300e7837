/**
 * Signing secrets over the management API: shown once, rotated, promoted, and never in a log (hosts/manage/README.md;
 * §5, D20, D40).
 */
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Formatter, Layer, Logger, References } from "effect"
import {
  add,
  endpointKeys,
  expectError,
  listOf,
  paths,
  rows,
  timestamp,
  url,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
  inProcess,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"

onHosts("Signing secrets over the management API", [memory, postgres], (it) => {
  it.effect(
    "MUST show the secret once: in no other answer, and nowhere in the store in plain text (§5, D20, §5-6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const { id, secret } = yield* add(send, shop)
        const bare = secret.slice("whsec_".length)
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        const [delivery] = listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))
        for (const [method, path, body] of rows(id, String(delivery?.["id"])).slice(1)) {
          const answer = yield* manage(send, method, webhooks(shop, path), body)
          expect([method, path, answer.status < 300]).toEqual([method, path, true])
          expect(answer.text.includes(bare) || answer.text.includes('"secret"')).toBe(false)
          const dump = yield* store.dump
          expect(dump.includes(bare) || dump.includes(Buffer.from(bare, "base64").toString("hex"))).toBe(false)
        }
      }),
  )
})

onHosts("Rotating a signing secret over the management API", [memory, postgres], (it) => {
  const rotate = (send: Send, shop: TestShop, id: string, body?: unknown) =>
    manage(send, "POST", webhooks(shop, `/${id}/secret/rotate`), body)

  it.effect(
    "MUST answer 200 Endpoint with the new secret, only once, and the time until which the old one signs (D40)",
    () =>
      Effect.gen(function* () {
        const { other, send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        const seen = new Set([made.secret])
        for (const [body, overlap] of [
          [undefined, 86_400],
          ["", 86_400],
          [{}, 86_400],
          [{ overlap: 1 }, 1],
          [{ overlap: 604_800 }, 604_800],
        ] as const) {
          const before = Date.now()
          const answer = yield* rotate(send, shop, made.id, body)
          expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"])
          const { rotation, secret, ...rest } = answer.json as Json & { readonly rotation: { readonly until: string } }
          expect(Object.keys(answer.json as Json)).toEqual([...endpointKeys, "secret"])
          expect({ ...rest, rotation: null }).toEqual(without(made, "secret"))
          expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
          seen.add(String(secret))
          expect(rotation.until).toEqual(timestamp)
          const lasts = Date.parse(rotation.until) - overlap * 1000
          // The store's clock may differ from this one by some milliseconds.
          expect([lasts >= before - 500, lasts <= Date.now() + 500]).toEqual([true, true])
          const read = yield* manage(other, "GET", webhooks(shop, `/${made.id}`))
          expect(read.json).toEqual({ ...without(made, "secret"), rotation })
          const dump = yield* store.dump
          expect(dump.includes(String(secret).slice("whsec_".length))).toBe(false)
        }
        expect(seen.size).toBe(6)
      }),
  )

  it.effect(
    "MUST replace the secret at once for an overlap of 0, and answer promote with 200 Endpoint, even twice",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        const promoted = () => manage(other, "POST", webhooks(shop, `/${made.id}/secret/promote`))
        const atOnce = yield* bodyOf(200, yield* rotate(send, shop, made.id, { overlap: 0 }))
        expect(atOnce["rotation"]).toBeNull()
        expect(atOnce["secret"]).not.toBe(made.secret)
        expect(yield* bodyOf(200, yield* promoted())).toEqual(without(made, "secret"))
        yield* rotate(send, shop, made.id)
        for (const _ of [1, 2]) expect(yield* bodyOf(200, yield* promoted())).toEqual(without(made, "secret"))
      }),
  )

  it.effect(
    "MUST refuse with 400 an overlap that is not whole seconds up to 7 days, and with 404 an unknown endpoint (D40)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const stranger = yield* newShop(send)
        const made = yield* add(send, shop)
        const before = yield* store.dump
        for (const overlap of [null, -1, 0.5, 604_801, 1e300, "60", "", true, [], {}]) {
          const answer = yield* rotate(send, shop, made.id, { overlap })
          expectError(answer, 400, JSON.stringify(overlap))
          expect(paths(answer)).toEqual(["overlap"])
          const expected = typeof overlap === "number" ? "whole seconds, 0 to 604800 (7 days)" : "Expected number"
          expect((answer.json as Json)["message"]).toContain(expected)
        }
        for (const body of ["{", "null", "[]", "1", '"x"', "\0", " "]) {
          expectError(yield* rotate(send, shop, made.id, body), 400, JSON.stringify(body))
        }
        for (const path of [`/${made.id}/secret/rotate`, `/${made.id}/secret/promote`]) {
          expectError(yield* manage(send, "POST", webhooks(stranger, path)), 404, path)
          const get = yield* manage(send, "GET", webhooks(shop, path))
          expect([get.status, get.headers["allow"]]).toEqual([405, "POST"])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )
})

describe("The log of a host", () => {
  it.effect("MUST NOT contain a signing secret, even if the store fails to add an endpoint (§5, D20)", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const collect = Logger.make((entry) => {
        lines.push(Formatter.format(entry.message), Cause.pretty(entry.cause))
      })
      yield* Effect.gen(function* () {
        const { ports } = yield* memory.open
        const failing = Layer.effect(
          EndpointStore,
          Effect.map(EndpointStore, (endpoints) => ({
            ...endpoints,
            add: (endpoint, maximum) =>
              endpoint.description === "fails"
                ? Effect.fail(new StorageError({ message: "Down", cause: endpoint, isRetryable: true }))
                : endpoints.add(endpoint, maximum),
          })),
        )
        const send = yield* inProcess(Layer.provideMerge(failing, ports))
        const shop = yield* newShop(send)
        const { id, secret } = yield* add(send, shop)
        yield* manage(send, "POST", webhooks(shop, `/${id}/test`))
        expectError(yield* manage(send, "POST", webhooks(shop), { url, description: "fails" }), 503, "failing")
        const text = lines.join("\n")
        expect(text).toContain("Down")
        expect(text).not.toContain("whsec_")
        expect(text).not.toContain(secret.slice("whsec_".length))
      }).pipe(Effect.provide(Logger.layer([collect])), Effect.provideService(References.MinimumLogLevel, "Trace"))
    }),
  )
})
