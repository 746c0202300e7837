/** Deliveries while a signing secret is rotated (D20, D40). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf, type SentRequest, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { keyOf, makeWorld, type World } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { minute } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { format } from "../../../model/Instant.ts"
import type { RotationInput } from "../../../model/webhooks/Endpoint.ts"
import { readRequestHeaders, sendTestEvent } from "../ManageDeliveries.ts"
import { listEndpoints, promoteSecret, readEndpoint, rotateSecret } from "../ManageEndpoints.ts"
import { checkSecrets, resealSecrets } from "../ResealSecrets.ts"

const day = 86_400_000

/** The index of the secret that signed a request. */
const signedBy = Effect.fnUntraced(function* (
  sent: SentRequest | undefined,
  secrets: Readonly<Record<string, string>>,
) {
  const names: Array<string> = []
  for (const [name, secret] of Object.entries(secrets)) {
    if (sent !== undefined && (yield* Effect.exit(verified(sent, secret)))._tag === "Success") names.push(name)
  }
  return names.join(" and ")
})

/** Delivers an event and returns the index of the secret that signed it. */
const delivered = Effect.fnUntraced(function* (
  world: World,
  endpointId: string,
  secrets: Readonly<Record<string, string>>,
) {
  yield* world.run(sendTestEvent(world.shop, endpointId))
  expect(yield* world.drain).toMatchObject({ attempts: 1, succeeded: 1 })
  return yield* signedBy(world.outside.sent.at(-1), secrets)
})

const rotated = Effect.fnUntraced(function* (world: World, endpointId: string, input?: RotationInput) {
  const { endpoint, secret } = yield* world.run(rotateSecret(world.shop, endpointId, input))
  return { endpoint, secret: Redacted.value(secret) }
})

describe("Rotating a signing secret (D40)", () => {
  it.effect("MUST sign with the old secret for a day, and then with the new one (D24, D40)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const { endpoint, secret } = yield* rotated(world, id)
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(endpoint.rotation).toEqual({ until: format(someTime + day) })
      const secrets = { old: shown, new: secret }
      expect(yield* delivered(world, id, secrets)).toBe("old")
      yield* TestClock.adjust(day - 1)
      expect(yield* delivered(world, id, secrets)).toBe("old")
      expect(yield* world.run(readEndpoint(world.shop, id))).toEqual(endpoint)
      yield* TestClock.adjust(1)
      expect(yield* delivered(world, id, secrets)).toBe("new")
      expect(yield* world.run(readEndpoint(world.shop, id))).toEqual({ ...endpoint, rotation: null })
      expect(yield* world.run(listEndpoints(world.shop))).toEqual([{ ...endpoint, rotation: null }])
    }),
  )

  it.effect("MUST sign with the new secret once it is promoted, even retries of deliveries that failed before", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const { secret } = yield* rotated(world, id, { overlap: 604_800 })
      world.outside.respond = () => Effect.succeed(responseOf(401))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(yield* signedBy(world.outside.sent[0], { old: shown, new: secret })).toBe("old")
      expect((yield* world.run(promoteSecret(world.shop, id))).rotation).toBeNull()
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* TestClock.adjust(minute)
      yield* world.drain
      expect(yield* signedBy(world.outside.sent[1], { old: shown, new: secret })).toBe("new")
      yield* world.run(promoteSecret(world.shop, id))
      expect(yield* delivered(world, id, { old: shown, new: secret })).toBe("new")
    }),
  )

  it.effect("MUST replace a leaked secret at once, even during a rotation (D40)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const first = yield* rotated(world, id, { overlap: 0 })
      expect(first.endpoint.rotation).toBeNull()
      expect(yield* delivered(world, id, { old: shown, new: first.secret })).toBe("new")
      const second = yield* rotated(world, id)
      const third = yield* rotated(world, id, { overlap: 0 })
      const secrets = { old: shown, first: first.secret, second: second.secret, third: third.secret }
      expect(yield* delivered(world, id, secrets)).toBe("third")
      yield* TestClock.adjust(2 * day)
      expect(yield* delivered(world, id, secrets)).toBe("third")
    }),
  )

  it.effect("MUST drop a new secret that does not sign yet if another one is created, e.g. because it was lost", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const lost = yield* rotated(world, id)
      yield* TestClock.adjust(day / 2)
      const noted = yield* rotated(world, id)
      const secrets = { old: shown, lost: lost.secret, noted: noted.secret }
      expect(yield* delivered(world, id, secrets)).toBe("old")
      yield* TestClock.adjust(day - 1)
      expect(yield* delivered(world, id, secrets)).toBe("old")
      yield* TestClock.adjust(1)
      expect(yield* delivered(world, id, secrets)).toBe("noted")
    }),
  )

  it.effect("MUST be accepted at every moment by a receiver that has both secrets", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const { secret } = yield* rotated(world, id)
      const seen: Array<string> = []
      for (const step of [Effect.void, TestClock.adjust(day - 1), TestClock.adjust(1), TestClock.adjust(day)]) {
        yield* step
        seen.push(yield* delivered(world, id, { old: shown, new: secret }))
      }
      expect(seen).toEqual(["old", "old", "new", "new"])
    }),
  )

  it.effect("MUST reseal both secrets with the newest key, and name both if no key opens them (D20)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: { keys: [keyOf(1)] } })
      const { id, shown } = yield* world.endpoint()
      const { secret } = yield* rotated(world, id)
      const newer = yield* world.another({ keyRing: { keys: [keyOf(2), keyOf(1)] } })
      const none = { count: 0, first: [] }
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 2, resealed: 2, unopened: none })
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 2, resealed: 0, unopened: none })
      const place = { shop: world.shop, endpointId: id }
      expect((yield* world.run(checkSecrets)).unopened).toEqual({ count: 2, first: [place, place] })
      const alone = yield* world.another({ keyRing: { keys: [keyOf(2)] } })
      for (const name of ["old", "new"]) {
        yield* world.run(sendTestEvent(world.shop, id))
        yield* alone.drain
        expect(yield* signedBy(world.outside.sent.at(-1), { old: shown, new: secret })).toBe(name)
        yield* world.run(promoteSecret(world.shop, id))
      }
    }),
  )
})

describe("The headers of an attempt", () => {
  const shownHeaders = Effect.fnUntraced(function* (world: World, endpointId: string) {
    const [{ deliveryId }] = world.outside.sent.slice(-1) as [SentRequest]
    return yield* world.run(readRequestHeaders(world.shop, endpointId, deliveryId, 1))
  })

  it.effect("MUST be the headers that were sent, with either secret, and none if that secret is gone", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const { secret } = yield* rotated(world, id)
      yield* delivered(world, id, {})
      const [old] = world.outside.sent as [SentRequest]
      expect(yield* shownHeaders(world, id)).toEqual(old.request.headers)
      yield* TestClock.adjust(day)
      expect(yield* shownHeaders(world, id)).toEqual(old.request.headers)
      expect(yield* delivered(world, id, { old: shown, new: secret })).toBe("new")
      expect(yield* shownHeaders(world, id)).toEqual(world.outside.sent[1]?.request.headers)
      yield* rotated(world, id, { overlap: 0 })
      expect(yield* shownHeaders(world, id)).toBeUndefined()
      yield* TestClock.adjust(minute)
      yield* delivered(world, id, {})
      expect(yield* shownHeaders(world, id)).toEqual(world.outside.sent[2]?.request.headers)
    }),
  )
})
