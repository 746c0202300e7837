/** Size limits of input and of its results: D38, D46. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Answer,
  type Json,
  manage,
  manageKey,
  memory,
  newShop,
  onHosts,
  type Send,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

const MiB = 1024 * 1024

const sendSized = (send: Send, path: string, body: string, chunked: boolean, method = "PUT") =>
  send(method, `/manage/v1${path}`, {
    headers: { authorization: `Bearer ${manageKey}`, "content-type": "application/json" },
    body,
    chunked,
  })

const expectTooLarge = (answer: Answer, what: string) => {
  expect([what, answer.status]).toEqual([what, 413])
  expect([what, Object.keys(answer.json as Json)]).toEqual([what, ["message", "retryable"]])
}

onHosts("Limits of input (D38)", [memory], (it) => {
  for (const chunked of [false, true]) {
    const how = chunked ? "in pieces, without its length" : "with its length"

    it.effect(`MUST take a body of 1 MiB and refuse one byte more with 413, sent ${how} (D38)`, () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const path = `/shops/${shop.id}/tokens`
        const padded = (bytes: number) => '{"name":"a"}'.padEnd(bytes)
        expect((yield* sendSized(send, path, padded(MiB), chunked, "POST")).status).toBe(201)
        const before = yield* store.dump
        for (const [method, path] of [
          ["PUT", `/shops/${shop.id}`],
          ["PUT", `/shops/${shop.id}/customizers/7`],
          ["POST", `/shops/${shop.id}/customizers/101/publish`],
          ["PUT", `/shops/${shop.id}/designs/d-1`],
          ["POST", `/shops/${shop.id}/designs`],
          ["PUT", `/shops/${shop.id}/orders/1`],
          ["POST", `/shops/${shop.id}/tokens`],
        ] as const) {
          expectTooLarge(yield* sendSized(send, path, padded(MiB + 1), chunked, method), `${method} ${path}`)
        }
        expectTooLarge(yield* sendSized(send, path, padded(8 * MiB), chunked, "POST"), "8 MiB")
        expect(yield* store.dump).toBe(before)
        // The host keeps serving.
        expect((yield* manage(send, "GET", `/shops/${shop.id}`)).status).toBe(200)
      }),
    )
  }

  it.effect("MUST report a body that is too large only to callers with the key", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const answer = yield* send("PUT", "/manage/v1/shops/a", { body: "x".repeat(2 * MiB), headers: {} })
      expect(answer.status).toBe(401)
    }),
  )

  it.effect("MUST refuse JSON with too many values with 400 and the reason, and store nothing (D38a)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const before = yield* store.dump
      for (const [json, message] of [
        [`[${"[],".repeat(MiB / 4)}[]]`, "The JSON has more than 150000 values"],
        [`[${"0,".repeat(MiB / 3)}0]`, "The JSON has more than 150000 values"],
        ["[".repeat(MiB / 2), "The JSON is nested more than 128 levels deep"],
      ] as const) {
        for (const [method, path, body] of [
          ["PUT", `/shops/${shop.id}`, json],
          ["PUT", `/shops/${shop.id}/orders/1`, `{"name":"1","lines":${json}`],
          ["POST", `/shops/${shop.id}/customizers/101/publish`, `{"definition":${json}}`],
          ["POST", `/shops/${shop.id}/tokens`, `{"name":${json}}`],
        ] as const) {
          const answer = yield* manage(send, method, path, body)
          expect([path, answer.status, answer.json]).toMatchObject([path, 400, { message }])
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST NOT answer hostile input with more than 1 MiB, which is the limit of the input itself", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const zeros = `[${"0,".repeat(MiB / 2 - 200)}0]`
      for (const [method, path, body] of [
        ["PUT", "/orders/1", `{"name":"1","orderedAt":"2026-10-05T14:48:00Z","lines":${zeros}}`],
        ["POST", "/customizers/101/publish", `{"definition":{"questions":${zeros.slice(0, 400_000)}0]}}`],
        [
          "PUT",
          "/designs/d-1",
          `{"customizerId":101,"basePrice":1,"selection":{"stones":${zeros.slice(0, 60_000)}0]}}`,
        ],
        [
          "PUT",
          "/designs/d-1",
          `{"customizerId":101,"basePrice":1,"selection":{${Array.from({ length: 5000 }, (_, index) => `"${index}":0`)}}}`,
        ],
      ] as const) {
        const answer = yield* sendSized(send, `/shops/${shop.id}${path}`, body, false, method)
        expect([400, 422]).toContain(answer.status)
        expect([method, path, answer.text.length <= MiB]).toEqual([method, path, true])
      }
    }),
  )
})
