/** Trying deliveries now and sending the log again, over the management API (D22, D25, D28–D30). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { add, expectError, listOf, webhooks } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { attempted } from "../../conformance/testkit/workers/Attempted.ts"

const failure = { statusCode: 500, responseStart: "no", error: null } as const
const success = { statusCode: 200, responseStart: "", error: null } as const

/** A shop with an endpoint. */
const withEndpoint = Effect.gen(function* () {
  const { ports, send } = yield* TestHost
  const shop = yield* newShop(send)
  const { id } = yield* add(send, shop)
  const at = webhooks(shop, `/${id}`)
  const log = Effect.map(manage(send, "GET", `${at}/deliveries`), listOf)
  const attempt = (outcome: typeof failure | typeof success) => attempted(ports, shop.id, outcome)
  return { shop, at, log, attempt, post: (path: string, body?: Json) => manage(send, "POST", at + path, body) }
})

/** Expects a refusal that says why. */
const refused = (answer: Answer, why: RegExp) => {
  expectError(answer, 409, String(why))
  expect((answer.json as Json)["message"]).toMatch(why)
}

/** Orders a design, which makes a delivery. */
const order = Effect.fnUntraced(function* (shop: TestShop, id: string) {
  const { send } = yield* TestHost
  yield* newDesign(send, shop, id)
  yield* newOrder(send, shop, `order-${id}`, [id])
})

onHosts("Repair over the management API", [memory, postgres], (it) => {
  it.effect("MUST try a pending delivery now with 202 and the delivery, and refuse with 409 what can't be tried", () =>
    Effect.gen(function* () {
      const { attempt, at, log, post, shop } = yield* withEndpoint
      const { send } = yield* TestHost
      yield* order(shop, "d-1")
      yield* attempt(failure)
      const [waiting] = yield* log
      const path = `/deliveries/${waiting?.["id"]}/try`
      const tried = yield* bodyOf(202, yield* post(path))
      expect(tried).toEqual({ ...waiting, nextAttemptAt: tried["nextAttemptAt"] })
      expect(Date.parse(String(tried["nextAttemptAt"]))).toBeLessThan(Date.parse(String(waiting?.["nextAttemptAt"])))
      yield* manage(send, "POST", `${at}/pause`)
      refused(yield* post(path), /is paused: enable it/)
      yield* manage(send, "POST", `${at}/enable`)
      yield* attempt(success)
      const [done] = yield* log
      expect(done).toMatchObject({ status: "succeeded", attempts: [{ number: 1 }, { number: 2 }] })
      refused(yield* post(path), /is finished.*Redeliver it/)
      expect(yield* log).toEqual([done])
      expectError(yield* post("/deliveries/dlv_none/try"), 404, "a delivery that does not exist")
      expectError(yield* manage(send, "POST", webhooks(shop, "/whe_none/deliveries/dlv_none/try")), 404, "an endpoint")
    }),
  )
})
