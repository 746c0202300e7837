/** Trying deliveries now and sending the log again, over the management API (D22, D25, D28–D30). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { add, expectError, listOf, webhooks } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
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

  it.effect(
    "MUST send again what the body finds, as new deliveries with the same event ids, and none of them twice",
    () =>
      Effect.gen(function* () {
        const { attempt, log, post, shop } = yield* withEndpoint
        for (const id of ["d-1", "d-2"]) yield* order(shop, id)
        yield* post("/test")
        yield* attempt(success)
        const before = yield* log
        const real = before.filter((one) => one["test"] === false)
        // Memory may be faster than a millisecond, and a run sends what was created before it.
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
        expect(yield* bodyOf(202, yield* post("/resend", { state: "failed" }))).toEqual({ deliveries: 0, next: null })
        expect(yield* bodyOf(202, yield* post("/resend", {}))).toEqual({ deliveries: 2, next: null })
        const after = yield* log
        const added = after.filter((one) => one["status"] === "pending")
        expect(added.map((one) => one["eventId"]).toSorted()).toEqual(real.map((one) => one["eventId"]).toSorted())
        expect(yield* bodyOf(202, yield* post("/resend", {}))).toEqual({ deliveries: 0, next: null })
        expect(yield* bodyOf(202, yield* post("/resend", { tests: true }))).toEqual({ deliveries: 1, next: null })
        const tests = (yield* log).filter((one) => one["test"] === true)
        expect(new Set(tests.map((one) => one["eventId"])).size).toBe(1)
        expect(tests).toHaveLength(2)
      }),
  )

  it.effect("MUST refuse a body that does not fit with 400 or 422, and add nothing", () =>
    Effect.gen(function* () {
      const { attempt, log, post, shop } = yield* withEndpoint
      yield* order(shop, "d-1")
      yield* attempt(success)
      const before = yield* log
      const wrong: ReadonlyArray<readonly [body: unknown, status: number, path: string]> = [
        [{ state: "pending" }, 400, "state"],
        [{ state: "" }, 400, "state"],
        [{ kind: "design.deleted" }, 400, "kind"],
        [{ from: "yesterday" }, 400, "from"],
        [{ to: "2026-10-05" }, 400, "to"],
        [{ from: "2026-10-06T00:00:00Z", to: "2026-10-05T00:00:00Z" }, 400, "to"],
        [{ tests: "yes" }, 400, "tests"],
        [{ next: "r1.e30" }, 400, "next"],
        [{ states: "failed" }, 422, "states"],
        [[], 400, ""],
        [null, 400, ""],
      ]
      for (const [body, status, path] of wrong) {
        const answer = yield* post("/resend", body as Json)
        const { problems } = answer.json as { readonly problems?: ReadonlyArray<{ readonly path: string }> }
        expect([body, answer.status, problems?.[0]?.path]).toEqual([body, status, path])
      }
      expect((yield* post("/resend")).status).toBe(400)
      expect(yield* log).toEqual(before)
    }),
  )

  it.effect("MUST give the first answer again under an Idempotency-Key, and add nothing again (D49)", () =>
    Effect.gen(function* () {
      const { attempt, at, log, shop } = yield* withEndpoint
      const { other, send } = yield* TestHost
      yield* order(shop, "d-1")
      yield* attempt(success)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
      const request = {
        headers: { authorization: `Bearer ${manageKey}`, "idempotency-key": "resend-1" },
        body: "{}",
      }
      const path = `/manage/v1${at}/resend`
      const first = yield* send("POST", path, request)
      expect([first.status, first.json]).toEqual([202, { deliveries: 1, next: null }])
      yield* attempt(success)
      const again = yield* other("POST", path, request)
      expect([again.status, again.text]).toEqual([202, first.text])
      expect(yield* log).toHaveLength(2)
    }),
  )
})
