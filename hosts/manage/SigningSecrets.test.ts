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
  rows,
  timestamp,
  url,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
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
