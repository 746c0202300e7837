/** Access tokens of an endpoint's OAuth client (D55). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { grantOf, noResponse, responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { hour, minute, only, orders, second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { tlsFaults } from "../../../model/webhooks/TlsFault.ts"
import { LookupFailed } from "../../../ports/HostLookup.ts"
import { listAudit } from "../../audit/ReadAudit.ts"
import { readRequestHeaders, redeliver } from "../ManageDeliveries.ts"
import { updateEndpoint } from "../ManageEndpoints.ts"

const oauth = { tokenUrl: "https://id.example.com/token?t=1", clientId: "shop", clientSecret: "s3cret-value" }

/** A world with an endpoint that has an OAuth client. */
const authorized = Effect.gen(function* () {
  const world = yield* makeWorld()
  const endpoint = yield* world.endpoint()
  const update = (input: Parameters<typeof updateEndpoint>[2]) =>
    world.run(updateEndpoint(world.shop, endpoint.id, input))
  yield* update({ oauth: { ...oauth, scope: "write" } })
  let granted = 0
  world.outside.grant = () => Effect.sync(() => grantOf(`t-${++granted}`))
  return {
    ...{ world, endpoint, update },
    /** The header `Authorization` of every sent delivery. */
    sent: () => world.outside.sent.map(({ request }) => request.headers["Authorization"]),
    /** How often a token was requested. */
    requested: () => world.outside.tokenRequests.length,
  }
})

describe("Access tokens of an endpoint (D55)", () => {
  it.effect("MUST be requested with the client's secret, sent, and never shown or kept (D55)", () =>
    Effect.gen(function* () {
      const { endpoint, sent, update, world } = yield* authorized
      const { tokenUrl, clientId } = oauth
      expect(yield* update({ description: "ERP" })).toMatchObject({
        oauth: { tokenUrl, clientId, scope: "write", audience: null },
      })
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(sent()).toEqual(["Bearer t-1"])
      const [request] = world.outside.tokenRequests
      expect(request).toMatchObject({
        ...{ url: tokenUrl, addresses: ["93.184.216.34"], timeout: 5_000, responseLimit: 16_384 },
        headers: { Authorization: `Basic ${btoa("shop:s3cret-value")}` },
        body: "grant_type=client_credentials&scope=write",
      })
      const [delivery] = yield* world.log(endpoint)
      const headers = yield* world.run(readRequestHeaders(world.shop, endpoint.id, delivery?.id ?? "", 1))
      expect(headers).toMatchObject({ Authorization: "[hidden]" })
      const audit = yield* world.run(listAudit(world.shop, { limit: 100 }))
      expect(audit.data.find(({ after }) => after?.["oauth"] !== undefined)).toMatchObject({
        before: { oauth: null },
        after: { oauth: ["https://id.example.com/token?t=…", "shop"] },
      })
      const kept = JSON.stringify([yield* world.endpointNow(endpoint), yield* world.log(endpoint), audit])
      for (const secret of [oauth.clientSecret, "t-1"]) expect(kept).not.toContain(secret)
      yield* update({ oauth: null })
      yield* world.order("2", ["d-2"])
      yield* world.drain
      expect(sent()).toEqual(["Bearer t-1", undefined])
    }),
  )

  it.effect("MUST be kept until a minute before they end, also from one drain to the next", () =>
    Effect.gen(function* () {
      const { sent, world } = yield* authorized
      yield* orders(world, 2, "a")
      yield* world.drain
      yield* TestClock.setTime(someTime + hour - minute - 1)
      yield* orders(world, 1, "b")
      yield* world.drain
      expect(sent()).toEqual(["Bearer t-1", "Bearer t-1", "Bearer t-1"])
      yield* TestClock.setTime(someTime + hour - minute)
      yield* orders(world, 1, "c")
      yield* world.drain
      expect(sent().at(-1)).toBe("Bearer t-2")
    }),
  )

  it.effect("MUST be requested once by attempts at the same time (D55)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { perEndpoint: 20 } })
      const { id } = yield* world.endpoint()
      yield* world.run(updateEndpoint(world.shop, id, { oauth }))
      const [requested, gate] = [yield* Latch.make(), yield* Latch.make()]
      world.outside.grant = () => Effect.as(Effect.andThen(requested.open, gate.await), grantOf("t-1"))
      yield* orders(world, 20)
      const drained = yield* Effect.forkChild(world.drain)
      expect(yield* world.claimed).toBe(20)
      yield* requested.await
      yield* TestClock.adjust(second)
      yield* gate.open
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 20, succeeded: 20 })
      expect(world.outside.tokenRequests).toHaveLength(1)
    }),
  )

  it.effect(
    "MUST be dropped after a 401, which is the attempt's outcome, and requested again by the next attempt (D55)",
    () =>
      Effect.gen(function* () {
        const { endpoint, requested, sent, world } = yield* authorized
        world.outside.respond = ({ request }) =>
          Effect.succeed(responseOf(request.headers["Authorization"] === "Bearer t-1" ? 401 : 200))
        yield* world.order("1", ["d-1"])
        yield* world.drain
        expect(only(yield* world.log(endpoint)).attempts).toMatchObject([{ statusCode: 401, error: null }])
        expect(requested()).toBe(1)
        yield* TestClock.setTime(someTime + minute)
        yield* world.drain
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "succeeded",
          attempts: [{}, { statusCode: 200 }],
        })
        yield* world.order("2", ["d-2"])
        yield* world.drain
        expect([sent(), requested()]).toEqual([["Bearer t-1", "Bearer t-2", "Bearer t-2"], 2])
      }),
  )

  it.effect("MUST NOT outlive the settings that they were requested by", () =>
    Effect.gen(function* () {
      const { sent, update, world } = yield* authorized
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const settings = [
        { ...oauth, scope: "read" },
        { ...oauth, clientSecret: "other" },
      ]
      for (const [index, changed] of settings.entries()) {
        yield* update({ oauth: changed })
        yield* world.order(`c-${index}`, [`c-${index}`])
        yield* world.drain
      }
      expect(sent()).toEqual(["Bearer t-1", "Bearer t-2", "Bearer t-3"])
    }),
  )

  it.effect("MUST fail the attempt with the reason if there is none, send nothing, and be requested again (D55)", () =>
    Effect.gen(function* () {
      const { endpoint, sent, world } = yield* authorized
      const reasons = [
        [responseOf(401, JSON.stringify({ error: "invalid_client" })), "answered 401: invalid_client"],
        [responseOf(302), "answered 302"],
        [responseOf(200, "<html>s3cret-value"), "answer is not JSON with an access_token"],
        [noResponse("timeout"), "gave no answer: timeout"],
        [
          { ...noResponse("tls"), responseStart: tlsFaults.expired },
          "gave no answer: tls. The certificate has expired",
        ],
      ] as const
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [{ id } = { id: "" }] = yield* world.log(endpoint)
      yield* TestClock.setTime(someTime + hour)
      for (const [answer, reason] of reasons) {
        world.outside.grant = () => Effect.succeed(answer)
        yield* world.run(redeliver(world.shop, endpoint.id, id))
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
        const [last] = yield* world.log(endpoint)
        expect(last?.attempts).toMatchObject([{ statusCode: null, error: "token" }])
        expect(last?.attempts[0]?.responseStart).toContain(reason)
        yield* TestClock.adjust(1)
      }
      expect(sent()).toHaveLength(1)
    }),
  )

  it.effect("MUST come from a URL that an endpoint could have: when it is set, and before each request (D34–D36)", () =>
    Effect.gen(function* () {
      const { endpoint, requested, update, world } = yield* authorized
      for (const tokenUrl of ["https://10.0.0.1/token", "http://id.example.com/", "https://a:b@id.example.com/"]) {
        expect(yield* Effect.flip(update({ oauth: { ...oauth, tokenUrl } }))).toMatchObject({
          ...{ _tag: "Refused", problems: [{ path: "oauth.tokenUrl" }] },
        })
      }
      const lookups = [
        [() => Effect.succeed(["10.0.0.1"]), "leads to an address that nothing may be sent to"],
        [() => Effect.fail(new LookupFailed({ message: "NXDOMAIN" })), "host of the token URL was not found"],
      ] as const
      for (const [index, [lookup, reason]] of lookups.entries()) {
        world.outside.lookup = (name) => (name === "id.example.com" ? lookup() : Effect.succeed(["93.184.216.34"]))
        yield* world.order(`${index}`, [`${index}`])
        yield* world.drain
        const [last] = yield* world.log(endpoint)
        expect(last?.attempts).toMatchObject([{ error: "token", responseStart: expect.stringContaining(reason) }])
        yield* TestClock.adjust(1)
      }
      expect([requested(), world.outside.sent]).toEqual([0, []])
    }),
  )

  it.effect("MUST come within the time of the attempt, which has the rest for the delivery (D26)", () =>
    Effect.gen(function* () {
      const answeredAfter = Effect.fnUntraced(function* (wait: number) {
        const { endpoint, world } = yield* authorized
        const requested = yield* Latch.make()
        world.outside.grant = () => Effect.as(Effect.andThen(requested.open, Effect.sleep(wait)), grantOf("t-1"))
        yield* world.order("1", ["d-1"])
        const drained = yield* Effect.forkChild(world.drain)
        yield* requested.await
        yield* TestClock.adjust(Math.min(wait, 5 * second))
        yield* Fiber.join(drained)
        const { attempts } = only(yield* world.log(endpoint))
        return { attempts, left: world.outside.sent.map(({ request }) => request.timeout) }
      })
      expect(yield* answeredAfter(2 * second)).toMatchObject({ attempts: [{ statusCode: 200 }], left: [3 * second] })
      const late = {
        durationMs: 5 * second,
        error: "token",
        responseStart: "The token endpoint gave no answer: timeout",
      }
      expect(yield* answeredAfter(hour)).toMatchObject({ attempts: [late], left: [] })
    }),
  )

  it.effect("MUST NOT be set alongside a header Authorization of the owner's, in one change or in two (D55)", () =>
    Effect.gen(function* () {
      const { update } = yield* authorized
      const headers = { authorization: "Basic x" }
      const refused = { _tag: "Refused", problems: [{ path: "oauth" }] }
      expect(yield* Effect.flip(update({ headers }))).toMatchObject(refused)
      expect(yield* Effect.flip(update({ headers, oauth }))).toMatchObject(refused)
      yield* update({ headers, oauth: null })
      expect(yield* Effect.flip(update({ oauth }))).toMatchObject(refused)
      expect(yield* update({ headers: { "X-A": "b" }, oauth })).toMatchObject({ oauth: { clientId: "shop" } })
    }),
  )
})
