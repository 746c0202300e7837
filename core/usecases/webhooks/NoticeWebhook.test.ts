/** Notices as signed webhooks to the operator (D42). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { noResponse, responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { keyOf, makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { failTimes, taken } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { verifyNotice } from "../../../hosts/receiver/index.ts"
import { LookupFailed } from "../../ports/HostLookup.ts"
import { KeyRing } from "../../ports/KeyRing.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { makeNoticeWebhook, noticeSecret } from "./NoticeWebhook.ts"

/** A notice, and an effect that sends it to a URL. */
const toUrl = Effect.fnUntraced(function* (url: string) {
  const world = yield* makeWorld()
  yield* world.endpoint()
  world.outside.respond = () => Effect.succeed(responseOf(500))
  yield* failTimes(world, 10, "a")
  taken(world.outside.sent)
  const [notice] = yield* world.run(NoticeStore.use((store) => store.list(world.shop, 1, Number.MAX_SAFE_INTEGER)))
  if (notice === undefined) return yield* Effect.die(new Error("No notice"))
  const { send } = yield* world.run(makeNoticeWebhook(Redacted.make(url)))
  return { world, notice, sending: send(notice) }
})

describe("makeNoticeWebhook", () => {
  it.effect("MUST send the notice to the byte, signed with a secret that is derived from the newest key", () =>
    Effect.gen(function* () {
      const { notice, sending, world } = yield* toUrl("https://ops.example.com/notices?token=a")
      world.outside.respond = () => Effect.succeed(responseOf(204))
      yield* sending
      const [sent] = world.outside.sent
      if (sent === undefined) return yield* Effect.die(new Error("Nothing was sent"))
      expect(sent.request).toMatchObject({ url: "https://ops.example.com/notices?token=a", body: notice.body })
      expect(sent.request.headers).toMatchObject({
        "Content-Type": "application/json",
        "X-Service-Event": "endpoint.failing",
        "X-Service-Delivery": notice.id,
      })
      const secretOf = (...bytes: readonly [number, ...ReadonlyArray<number>]) => {
        const [first, ...rest] = bytes
        return world.run(Effect.provideService(noticeSecret, KeyRing, { keys: [keyOf(first), ...rest.map(keyOf)] }))
      }
      const secret = Redacted.value(yield* secretOf(1))
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const options = { headers: sent.request.headers, body: sent.request.body, now: sent.at }
      expect(yield* Effect.promise(() => verifyNotice({ secret, ...options }))).toEqual({
        ok: true,
        kind: "endpoint.failing",
        notice: JSON.parse(notice.body),
        timestamp: Math.floor(sent.at / 1000),
      })
      expect(yield* Effect.promise(() => verifyNotice({ secret: `${secret}x`, ...options }))).toMatchObject({
        reason: "bad_signature",
      })
      expect(Redacted.value(yield* secretOf(1, 2))).toBe(secret)
      expect(Redacted.value(yield* secretOf(2, 1))).not.toBe(secret)
    }),
  )

  it.effect("MUST send to any URL of the operator, even to this machine or over http", () =>
    Effect.gen(function* () {
      const { sending, world } = yield* toUrl("http://127.0.0.1:9000/notices")
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* sending
      expect(world.outside.sent[0]?.request.addresses).toEqual(["127.0.0.1"])
    }),
  )

  it.effect("MUST fail for a missing response and any but 200 to 299, and name it", () =>
    Effect.gen(function* () {
      const { sending, world } = yield* toUrl("https://ops.example.com/notices")
      for (const [response, reason] of [
        [responseOf(500), "the answer was 500"],
        [responseOf(302), "the answer was 302"],
        [noResponse("timeout"), "the answer was timeout"],
      ] as const) {
        world.outside.respond = () => Effect.succeed(response)
        expect((yield* Effect.flip(sending)).message).toBe(reason)
      }
      world.outside.lookup = () => new LookupFailed({ message: "ops.example.com has no address" })
      expect((yield* Effect.flip(sending)).message).toBe("ops.example.com has no address")
    }),
  )
})
