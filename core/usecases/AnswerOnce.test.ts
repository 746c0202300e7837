/** Requests with a key, over time (D49). */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../adapters/memory/index.ts"
import { makeShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { Conflict } from "../model/Errors.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { ShopStore } from "../ports/ShopStore.ts"
import { LostRace } from "../support/RetryStale.ts"
import { layerCrypto } from "../support/WebCrypto.ts"
import { answerOnce, type RepeatableAnswer } from "./AnswerOnce.ts"
import { pruneDeliveries } from "./webhooks/ManageDeliveries.ts"

const keyRing = (byte: number) => Layer.succeed(KeyRing, { keys: [Redacted.make(new Uint8Array(32).fill(byte))] })

const store = Layer.mergeAll(Memory.layer, layerCrypto, keyRing(7))

const newRequest = Effect.gen(function* () {
  const shop = makeShop()
  yield* ShopStore.use((shops) => shops.put(shop))
  const parts = ["POST", "/tokens", new Uint8Array([1, 2, 3])] as const
  return { shop: shop.id, key: "a key", parts, hasTexts: false }
})

/** Answers with the number of times that it was carried out. */
const counted = () => {
  let times = 0
  return Effect.sync((): RepeatableAnswer => ({ status: 201, body: String(++times) }))
}

const refusal = (error: unknown) => (error instanceof Conflict ? { status: 409, body: "refused" } : undefined)

const bodyOf = Effect.map(({ body }: RepeatableAnswer) => body)

it.effect("the answer MUST be the first one for 24 hours, with upkeep in between, and a new one afterwards (D49)", () =>
  Effect.gen(function* () {
    const request = yield* newRequest
    const once = answerOnce(request, counted(), refusal).pipe(bodyOf)
    expect(yield* once).toBe("1")
    yield* TestClock.adjust(24 * 60 * 60 * 1000 - 1)
    yield* pruneDeliveries()
    expect(yield* once).toBe("1")
    yield* TestClock.adjust(1)
    expect(yield* once).toBe("2")
    yield* pruneDeliveries()
    expect(yield* once).toBe("2")
  }).pipe(Effect.provide(store)),
)

it.effect("a refusal MUST be kept like an answer, and another failure MUST leave the key free (D49)", () =>
  Effect.gen(function* () {
    const request = yield* newRequest
    const down = answerOnce(request, Effect.fail("down"), refusal)
    expect(yield* Effect.flip(down)).toBe("down")
    const refused = answerOnce(request, Effect.fail(new Conflict({ message: "full" })), refusal)
    expect(yield* refused.pipe(bodyOf)).toBe("refused")
    expect(yield* answerOnce(request, counted(), refusal).pipe(bodyOf)).toBe("refused")
  }).pipe(Effect.provide(store)),
)

it.live("a change that lost a race MUST be tried again, and its loss MUST NOT be kept", () =>
  Effect.gen(function* () {
    const request = yield* newRequest
    let races = 0
    const racing = Effect.suspend(() => (++races < 4 ? Effect.fail(new LostRace({ message: "lost" })) : counted()))
    expect(yield* answerOnce(request, racing, refusal).pipe(bodyOf)).toBe("1")
    const always = answerOnce({ ...request, key: "b" }, Effect.fail(new LostRace({ message: "lost" })), refusal)
    expect(yield* Effect.flip(always)).toMatchObject({ _tag: "StorageError" })
    expect(yield* answerOnce({ ...request, key: "b" }, counted(), refusal).pipe(bodyOf)).toBe("1")
  }).pipe(Effect.provide(store)),
)

it.effect(
  "an answer whose encryption key is gone MUST be a Conflict, and its request MUST NOT be carried out again",
  () =>
    Effect.gen(function* () {
      const request = yield* newRequest
      yield* answerOnce(request, counted(), refusal)
      const again = answerOnce(request, Effect.die("carried out again"), refusal)
      const error = yield* Effect.flip(Effect.provide(again, keyRing(8)))
      expect(error).toMatchObject({ _tag: "Conflict", message: expect.stringContaining("no longer kept") })
    }).pipe(Effect.provide(store)),
)
