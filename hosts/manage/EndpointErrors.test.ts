/**
 * Answers of the webhook rows of the management API to callers without access, and about things that do not exist (§7).
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { add, expectError, rows, webhooks } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
  manage,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("Errors of webhook endpoints over the management API", [memory, postgres], (it) => {
  it.effect(
    "MUST answer 404 with {message} to unknown ids and ids of other shops and endpoints, and change nothing",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const [shop, stranger] = [yield* newShop(send), yield* newShop(send)]
        const [own, sibling] = [yield* add(send, shop), yield* add(send, shop)]
        const theirs = yield* add(send, stranger)
        const deliveryOf = (of: TestShop, id: string) =>
          Effect.map(
            Effect.flatMap(manage(send, "POST", webhooks(of, `/${id}/test`)), (answer) => bodyOf(202, answer)),
            (body) => String(body["id"]),
          )
        const ownDelivery = yield* deliveryOf(shop, own.id)
        const siblingDelivery = yield* deliveryOf(shop, sibling.id)
        const theirDelivery = yield* deliveryOf(stranger, theirs.id)
        const before = yield* store.dump
        for (const endpoint of [
          ...[
            theirs.id,
            "whe_x",
            own.id.toUpperCase(),
            `${own.id}%20`,
            "%00",
            "%0A",
            "%F0%9F%98%80",
            "a%2Fb",
            "'",
            "__proto__",
          ],
          "constructor",
          "a".repeat(1000),
        ]) {
          for (const [method, path, body] of rows(endpoint, theirDelivery).slice(2)) {
            expectError(yield* manage(send, method, webhooks(shop, path), body), 404, `${method} ${path}`)
          }
        }
        for (const delivery of [
          siblingDelivery,
          theirDelivery,
          "dlv_x",
          "%00",
          "%F0%9F%98%80",
          "__proto__",
          `${ownDelivery}x`,
        ]) {
          for (const [method, path] of rows(own.id, delivery).filter(([, path]) => path.includes(delivery))) {
            expectError(yield* manage(send, method, webhooks(shop, path)), 404, `${method} ${path}`)
          }
        }
        for (const [method, path, body] of rows(own.id, ownDelivery)) {
          expectError(yield* manage(send, method, webhooks("nobodys", path), body), 404, `${method} ${path}`)
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("MUST answer 401 on every route without the manage key, even with a shop's token", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      const before = yield* store.dump
      for (const [method, path, body] of rows(id, "dlv_1")) {
        for (const headers of [{}, { authorization: `Bearer ${shop.token}` }, { authorization: "Bearer " }]) {
          const sent = body === undefined ? {} : { body: JSON.stringify(body) }
          const answer = yield* send(method, `/manage/v1${webhooks(shop, path)}`, { headers, ...sent })
          expectError(answer, 401, `${method} ${path}`)
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST answer hostile bodies with 400, 413 or 422, never 5xx, on every route that has a body", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      for (const body of [
        ...[
          "",
          " ",
          "{",
          "[",
          "nul",
          "NaN",
          "\u0000",
          "{}{}",
          "\ufeff{}",
          "[".repeat(100_000),
          `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
        ],
        ...[
          '{"__proto__":{"url":"x"}}',
          '{"constructor":1}',
          '{"url":{"toString":1}}',
          '{"since":{}}',
          '{"events":{"length":1}}',
        ],
        ...[
          '{"url":1e999}',
          '{"since":1e999}',
          '{"since":"9999-99-99T99:99:99Z"}',
          '{"since":"+275760-09-13T00:00:00Z"}',
          '{"since":"0000-01-01T00:00:00Z"}',
        ],
        ...[
          '{"events":[null,1,{},[]]}',
          `{"description":"${"x".repeat(1_000_000)}"}`,
          `{"url":"https://${"a.".repeat(20_000)}com"}`,
        ],
        ...[
          '{"url":"https://\\u0000"}',
          '{"url":"\\ud800"}',
          '{"description":"\\u0000"}',
          `{"events":[${'"x",'.repeat(10_000)}"x"]}`,
        ],
        "x".repeat(1_100_000),
      ]) {
        for (const [method, path] of [
          ["POST", ""],
          ["PATCH", `/${id}`],
          ["POST", `/${id}/recover`],
        ] as const) {
          const { status } = yield* manage(send, method, webhooks(shop, path), body)
          const what = `${method} ${path} ${body.slice(0, 40)}`
          // A PATCH that names nothing changes nothing.
          expect([what, [400, 413, 422, ...(method === "PATCH" ? [200] : [])].includes(status)]).toEqual([what, true])
        }
        // Rows without a body read none.
        const turnedOn = yield* manage(send, "POST", webhooks(shop, `/${id}/enable`), body)
        expect([200, 400, 413]).toContain(turnedOn.status)
      }
      expect((yield* manage(send, "GET", webhooks(shop, `/${id}`))).status).toBe(200)
    }),
  )
})
