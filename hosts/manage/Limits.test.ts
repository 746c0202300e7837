/** Size limits of input and of its results: D38, D46. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  manageKey,
  memory,
  newShop,
  onHosts,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"

const MiB = 1024 * 1024
const KiB = 1024

const definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "v" }],
  questions: [{ id: "q", step: "s", title: "Q", type: "text", maxLength: 1_000_000 }],
  rules: [],
}

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

/** The JSON of a value with a text in place of `…`, padded to a number of bytes. */
const sized = (bytes: number, make: (text: string) => unknown, fill: string): string => {
  const rest = bytes - Buffer.byteLength(JSON.stringify(make("")))
  const size = Buffer.byteLength(JSON.stringify(fill)) - 2
  const text = fill.repeat(Math.floor(rest / size)) + "x".repeat(rest % size)
  const json = JSON.stringify(make(text))
  expect(Buffer.byteLength(json)).toBe(bytes)
  return json
}

const withQuestion = Effect.fnUntraced(function* (send: Send, shop: TestShop) {
  yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, {
    title: "T",
    platformProductId: "gid://shop/Product/7",
    assetBase: "https://assets.example.com/7/",
  })
  yield* bodyOf(200, yield* manage(send, "POST", `/shops/${shop.id}/customizers/7/publish`, { definition }))
})

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

    it.effect(`MUST take a selection of 64 KiB and refuse one byte more with 413, sent ${how} (D38)`, () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* withQuestion(send, shop)
        for (const fill of chunked ? ["x"] : ["x", "é", "😀", '"', "\n"]) {
          const selection = (bytes: number) => sized(bytes, (text) => ({ q: { text } }), fill)
          const put = (id: string, bytes: number) =>
            sendSized(
              send,
              `/shops/${shop.id}/designs/${id}`,
              `{"customizerId":7,"basePrice":1,"selection":${selection(bytes)}}`,
              chunked,
            )
          const id = `d-${fill.codePointAt(0)}`
          const taken = yield* put(id, 64 * KiB)
          expect([fill, taken.status]).toEqual([fill, 201])
          const before = yield* store.dump
          expectTooLarge(yield* put(id, 64 * KiB + 1), fill)
          expectTooLarge(yield* put("new", 64 * KiB + 1), fill)
          expect(yield* store.dump).toBe(before)
        }
      }),
    )

    it.effect(
      `MUST take a design whose wire form has 256 KiB and refuse one byte more with 413, sent ${how} (D46)`,
      () =>
        Effect.gen(function* () {
          const { send, store } = yield* TestHost
          const shop = yield* newShop(send)
          yield* withQuestion(send, shop)
          const publish = (orderValue: string) => {
            const answers = [{ id: "a", title: "A", productionCode: "A", orderValue }]
            const question = { id: "q", step: "s", title: "Q", type: "single", answers }
            return manage(send, "POST", `/shops/${shop.id}/customizers/7/publish`, {
              definition: { ...definition, questions: [question] },
            })
          }
          const body = '{"customizerId":7,"basePrice":1,"selection":{"q":"a"},"createdAt":"2026-10-05T00:00:00Z"}'
          const put = (id: string) => sendSized(send, `/shops/${shop.id}/designs/${id}`, body, chunked)
          yield* bodyOf(200, yield* publish(""))
          const rest = 256 * KiB - Buffer.byteLength((yield* put("a")).text)
          // One of its characters has two bytes.
          yield* bodyOf(200, yield* publish(`é${"x".repeat(rest - 2)}`))
          const taken = yield* put("b")
          expect([taken.status, Buffer.byteLength(taken.text)]).toEqual([201, 256 * KiB])
          yield* bodyOf(200, yield* publish(`é${"x".repeat(rest - 1)}`))
          const before = yield* store.dump
          expectTooLarge(yield* put("b"), "saved again")
          expectTooLarge(yield* put("c"), "new")
          expect(yield* store.dump).toBe(before)
        }),
    )

    it.effect(`MUST take a definition of 512 KiB and refuse one byte more with 413, sent ${how} (D38)`, () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* withQuestion(send, shop)
        for (const fill of chunked ? ["x"] : ["x", "😀", "\\"]) {
          const post = (bytes: number) =>
            sendSized(
              send,
              `/shops/${shop.id}/customizers/7/publish`,
              `{"definition":${sized(bytes, (note) => ({ ...definition, note }), fill)}}`,
              chunked,
              "POST",
            )
          const taken = yield* post(512 * KiB)
          expect([fill, taken.status]).toEqual([fill, 200])
          const before = yield* store.dump
          expectTooLarge(yield* post(512 * KiB + 1), fill)
          expect(yield* store.dump).toBe(before)
        }
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

  it.effect("MUST refuse numbers that would be changed with 422 and their paths, and store nothing (D44a)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* withQuestion(send, shop)
      const before = yield* store.dump
      const further = (written: string) =>
        `{"definition":${JSON.stringify(definition).slice(0, -1)},"notes":{"size":${written}}}}`
      for (const written of ["9007199254740993", "1e400", "0.1000000000000000055511151231257827"]) {
        for (const [method, path, body, place] of [
          ["POST", `/shops/${shop.id}/customizers/7/publish`, further(written), "definition.notes.size"],
          [
            ...(["PUT", `/shops/${shop.id}/designs/d`] as const),
            `{"customizerId":7,"basePrice":1,"selection":{"q":{"text":"a","of":[1,${written}]}}}`,
            "selection.q.of[1]",
          ],
        ] as const) {
          const answer = yield* manage(send, method, path, body)
          const problems = [{ path: place, message: expect.stringContaining(written.slice(0, 20)) }]
          expect([path, answer.status, answer.json]).toMatchObject([path, 422, { problems }])
        }
      }
      expect(yield* store.dump).toBe(before)
      // Only the spelling differs.
      yield* bodyOf(200, yield* manage(send, "POST", `/shops/${shop.id}/customizers/7/publish`, further("1e2")))
    }),
  )

  it.effect("MUST refuse a deeply nested selection without breaking: 400, and nothing stored", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* withQuestion(send, shop)
      const before = yield* store.dump
      for (const [depth, status] of [
        [99, 422],
        [127, 422],
        [128, 400],
        [500_000, 400],
      ] as const) {
        const selection = `${"[".repeat(depth)}${"]".repeat(depth)}`
        const body = `{"customizerId":7,"basePrice":1,"selection":${selection}}`
        const answer = yield* sendSized(send, `/shops/${shop.id}/designs/d`, body, false)
        expect([depth, answer.status]).toEqual([depth, status])
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
