/**
 * Answers of the webhook rows of the management API about things that do not exist (§7).
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
        expect(yield* store.dump).toBe(before)
      }),
  )
})
