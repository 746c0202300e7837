/** `Idempotency-Key` of the management API (D49). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ringInput } from "../../conformance/suites/service/Samples.ts"
import { receiveShopify } from "../../conformance/testkit/hosts/PlatformEvents.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  type Send,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { troubles } from "../../conformance/testkit/hosts/Troubled.ts"

const hook = { url: "https://93.184.216.34/hook" }

/** Sends a POST request with a key. */
const post = (send: Send, path: string, key: string, body?: unknown): Effect.Effect<Answer> =>
  send("POST", `/manage/v1${path}`, {
    headers: { authorization: `Bearer ${manageKey}`, "idempotency-key": key },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })

/** An answer without what is new in every answer. */
const essence = ({ headers, status, text }: Answer) => ({
  status,
  text,
  type: headers["content-type"],
  cached: headers["cache-control"],
})

/** A shop with an endpoint, a delivery, a draft, and an order that can be cancelled. */
const busyShop = Effect.fnUntraced(function* (send: Send) {
  const shop = yield* newShop(send)
  const at = `/shops/${shop.id}`
  yield* newDesign(send, shop, "d-1")
  yield* newDesign(send, shop, "d-2")
  yield* newOrder(send, shop, "1", ["d-1"])
  const { id } = yield* bodyOf(201, yield* manage(send, "POST", `${at}/webhooks`, hook))
  const delivery = yield* bodyOf(202, yield* manage(send, "POST", `${at}/webhooks/${id}/test`))
  return { shop, at, endpoint: `${at}/webhooks/${id}`, delivery: String(delivery["id"]) }
})

onHosts(
  "A request with an Idempotency-Key",
  [memory, postgres, ...troubles(memory, "forgetful", "restarted")],
  (it) => {
    it.effect(
      "MUST get the first answer again, on every host, and change nothing again: each POST of the API (D49)",
      () =>
        Effect.gen(function* () {
          const { other, ports, send, store } = yield* TestHost
          const { at, delivery, endpoint, shop } = yield* busyShop(send)
          const { id: waiting } = yield* receiveShopify(ports, shop.id, 1042, ["later"])
          const requests: ReadonlyArray<readonly [status: number, path: string, body?: Json]> = [
            [201, `${at}/tokens`, { name: "ERP" }],
            [201, `${at}/webhooks`, hook],
            [200, `${endpoint}/enable`],
            [200, `${endpoint}/secret/rotate`, { overlap: 60 }],
            [200, `${endpoint}/secret/rotate`],
            [200, `${endpoint}/secret/promote`],
            [202, `${endpoint}/test`],
            [202, `${endpoint}/deliveries/${delivery}/redeliver`],
            [202, `${endpoint}/deliveries/${delivery}/try`],
            [202, `${endpoint}/resend`, { state: "failed" }],
            [202, `${endpoint}/recover`, { since: "2026-10-05T14:48:00Z" }],
            [200, `${at}/inbox/${waiting}/apply`],
            [201, `${at}/designs`, ringInput],
            [200, `${at}/customizers/101/publish`, { definition: customizers[0]?.definition ?? {} }],
            [200, `${at}/orders/1/cancel`],
            [202, `${at}/orders/unknown/cancel`],
            [200, `${at}/orders/1/redact`],
            [200, `${at}/designs/d-2/redact`],
            [404, `${at}/designs/d-3/redact`],
            [422, `${at}/webhooks`, { url: "https://127.0.0.1/hook" }],
            [400, `${at}/tokens`, { name: "" }],
          ]
          for (const [index, [status, path, body]] of requests.entries()) {
            const first = yield* post(send, path, `key ${index}`, body)
            expect([path, first.status]).toEqual([path, status])
            const stored = yield* store.dump
            for (const host of [send, other]) {
              expect(essence(yield* post(host, path, `key ${index}`, body))).toEqual(essence(first))
            }
            expect(yield* store.dump).toBe(stored)
          }
          // Made by the requests without a key, and by one with a key each, however often the store failed meanwhile.
          for (const [path, count] of [
            ["tokens", 2],
            ["webhooks", 2],
            [`webhooks/${endpoint.split("/").at(-1)}/deliveries`, 5],
          ] as const) {
            const { data } = yield* bodyOf(200, yield* manage(send, "GET", `${at}/${path}`))
            expect([path, (data as ReadonlyArray<Json>).length]).toEqual([path, count])
          }
        }),
    )

    it.effect("MUST be refused with 422 if another body or path had its key, and store nothing (D49)", () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const { at, endpoint } = yield* busyShop(send)
        yield* bodyOf(201, yield* post(send, `${at}/tokens`, "a key", { name: "ERP" }))
        const stored = yield* store.dump
        for (const [path, body] of [
          [`${at}/tokens`, { name: "ERP 2" }],
          [`${at}/tokens`, '{"name": "ERP"}'],
          [`${at}/webhooks`, { name: "ERP" }],
          [`${endpoint}/secret/rotate`, undefined],
        ] as const) {
          const refused = yield* post(send, path, "a key", body)
          expect([path, refused.status, refused.json]).toEqual([
            path,
            422,
            {
              message: "Another request was sent with this Idempotency-Key: use a new key for each request",
              retryable: false,
              problems: [{ path: "Idempotency-Key", message: expect.any(String) }],
            },
          ])
        }
        expect(yield* store.dump).toBe(stored)
        const other = yield* newShop(send)
        yield* bodyOf(201, yield* post(send, `/shops/${other.id}/tokens`, "a key", { name: "Other" }))
      }),
    )

    it.effect(
      "MUST be refused with 400 for a key that is empty, too long or has control characters, naming the rule",
      () =>
        Effect.gen(function* () {
          const { send, store } = yield* TestHost
          const { at } = yield* busyShop(send)
          const stored = yield* store.dump
          const length = "Idempotency-Key must have 1 to 255 characters, not"
          for (const [key, message] of [
            ["", `${length} 0`],
            ["k".repeat(256), `${length} 256`],
            ["a\tkey", "Idempotency-Key must have no control characters"],
          ] as const) {
            const refused = yield* post(send, `${at}/tokens`, key, { name: "ERP" })
            expect([refused.status, refused.json]).toEqual([
              400,
              { message, retryable: false, problems: [{ path: "Idempotency-Key", message }] },
            ])
          }
          expect(yield* store.dump).toBe(stored)
          yield* bodyOf(201, yield* post(send, `${at}/tokens`, "k".repeat(255), { name: "ERP" }))
        }),
    )

    it.effect(
      "MUST be carried out once if it is sent many times at the same time: others are 409 or get its answer (D49)",
      () =>
        Effect.gen(function* () {
          const { other, send } = yield* TestHost
          const { at } = yield* busyShop(send)
          const before = (yield* bodyOf(200, yield* manage(send, "GET", `${at}/tokens`)))["data"] as ReadonlyArray<Json>
          const answers = yield* Effect.forEach(
            Array.from({ length: 10 }),
            (_, index) => post(index % 2 === 0 ? send : other, `${at}/tokens`, "a key", { name: "ERP" }),
            { concurrency: "unbounded" },
          )
          const created = answers.filter(({ status }) => status === 201)
          expect(created.length).toBeGreaterThan(0)
          expect(new Set(created.map(({ text }) => text)).size).toBe(1)
          for (const { json, status } of answers.filter(({ status }) => status !== 201)) {
            expect([status, json]).toEqual([
              409,
              { message: "A request with this Idempotency-Key is under way: repeat it in a moment", retryable: true },
            ])
          }
          const after = (yield* bodyOf(200, yield* manage(send, "GET", `${at}/tokens`)))["data"] as ReadonlyArray<Json>
          expect(after.length).toBe(before.length + 1)
        }),
    )

    it.effect("MUST keep no secret in readable form, and nothing of a shop that does not exist (D49)", () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const { at, endpoint } = yield* busyShop(send)
        const { token } = yield* bodyOf(201, yield* post(send, `${at}/tokens`, "token", { name: "ERP" }))
        const { secret } = yield* bodyOf(200, yield* post(send, `${endpoint}/secret/rotate`, "secret"))
        const stored = yield* store.dump
        expect(stored).toContain('"2.')
        for (const shown of [token, secret]) expect(stored).not.toContain(String(shown).slice(8))
        expect((yield* post(send, "/shops/nobody/tokens", "a key", { name: "ERP" })).status).toBe(404)
        expect(yield* store.dump).toBe(stored)
      }),
    )

    it.effect("MUST NOT show texts that were redacted since: its answer is 409 then, and nothing is done again", () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const { at } = yield* busyShop(send)
        const saved = yield* bodyOf(201, yield* post(send, `${at}/designs`, "save", ringInput))
        const token = yield* post(send, `${at}/tokens`, "token", { name: "ERP" })
        yield* bodyOf(200, yield* manage(send, "POST", `${at}/designs/${saved["id"]}/redact`))
        expect(yield* bodyOf(409, yield* post(send, `${at}/designs`, "save", ringInput))).toEqual({
          message:
            "A request with this Idempotency-Key was sent before, and its answer is no longer kept: look at what is stored",
          retryable: false,
        })
        expect((yield* post(send, `${at}/tokens`, "token", { name: "ERP" })).text).toBe(token.text)
      }),
    )
  },
)
