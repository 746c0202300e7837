import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { keyOf } from "../../conformance/testkit/workers/TestWorker.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { open, reseal, seal } from "./SealedSecret.ts"

const secret = "whsec_c2VjcmV0IG9mIGFuIGVuZHBvaW50"

/** Provides these keys, newest first. */
const withKeys =
  (first: number, ...rest: ReadonlyArray<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(KeyRing, { keys: [keyOf(first), ...rest.map(keyOf)] }),
      Effect.provide(NodeCrypto.layer),
    )

const sealed = (text = secret, owner = "whe_1") => seal(Redacted.make(text), owner)

const opened = (text: string, owner = "whe_1") => Effect.map(open(text, owner), Redacted.value)

const fails = Effect.fnUntraced(function* (
  text: string,
  owner = "whe_1",
  keys: readonly [number, ...Array<number>] = [1],
) {
  const error = yield* Effect.flip(withKeys(...keys)(opened(text, owner)))
  expect([text, error._tag]).toEqual([text, "UnopenedSecret"])
  return error
})

describe("A sealed secret (D20)", () => {
  it.effect("MUST open to the sealed text with any key of the ring, at any position", () =>
    Effect.gen(function* () {
      for (const text of [secret, "", "ü\u{1f600}\0", "x".repeat(10_000)]) {
        const kept = yield* withKeys(1)(sealed(text))
        for (const [first, ...rest] of [[1], [2, 1], [3, 2, 1], [1, 2]] as const) {
          expect(yield* withKeys(first, ...rest)(opened(kept))).toBe(text)
        }
      }
    }),
  )

  it.effect("MUST be sealed with the newest key alone", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(2, 1)(sealed())
      expect(yield* withKeys(2)(opened(kept))).toBe(secret)
      yield* fails(kept, "whe_1", [1])
    }),
  )

  it.effect("MUST NOT open with a key outside the ring, and name only the owner", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(1)(sealed())
      const { message } = yield* fails(kept, "whe_1", [2, 3])
      expect(message).toContain("whe_1")
      expect(message).not.toContain(kept)
      expect(message).not.toContain(secret)
    }),
  )

  it.effect("MUST NOT open for another owner", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(1)(sealed())
      for (const owner of ["whe_2", "", "whe_1 ", "WHE_1"]) yield* fails(kept, owner)
    }),
  )

  it.effect("MUST NOT open if it was altered, cut, lengthened or never sealed", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(1)(sealed("abc"))
      const base64 = kept.slice(2)
      const bytes = Buffer.from(base64, "base64")
      for (let index = 0; index < bytes.length; index++) {
        const altered = Uint8Array.from(bytes, (byte, at) => (at === index ? byte ^ 1 : byte))
        yield* fails(`2.${Base64.encode(altered)}`)
        yield* fails(`2.${Base64.encode(bytes.subarray(0, index))}`)
      }
      yield* fails(`2.${Base64.encode(Uint8Array.from([...bytes, 0]))}`)
      for (const text of ["", "2", "2.", "2.!", `1.${base64}`, `3.${base64}`, base64, `2.${base64}x`, secret, "null"])
        yield* fails(text)
    }),
  )

  it.effect("MUST be a different text each time and reveal nothing of the secret", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(1)(Effect.all(Array.from({ length: 50 }, () => sealed())))
      expect(new Set(kept).size).toBe(50)
      // The nonces too, which must never repeat.
      expect(new Set(kept.map((text) => text.slice(2, 18))).size).toBe(50)
      for (const text of kept) {
        expect(text).toMatch(/^2\.[A-Za-z0-9+/]+=*$/)
        expect(Buffer.from(text.slice(2), "base64").toString("latin1")).not.toContain("whsec")
      }
    }),
  )

  it.effect("MUST be resealed unless the newest key sealed it, and then open with that key alone", () =>
    Effect.gen(function* () {
      const kept = yield* withKeys(1)(sealed())
      const resealed = Option.getOrThrow(yield* withKeys(2, 1)(reseal(kept, "whe_1")))
      expect(yield* withKeys(2)(opened(resealed))).toBe(secret)
      yield* fails(resealed, "whe_1", [1])
      yield* fails(resealed, "whe_2", [2])
      expect(yield* withKeys(2, 1)(reseal(resealed, "whe_1"))).toEqual(Option.none())
      const error = yield* Effect.flip(withKeys(3)(reseal(kept, "whe_1")))
      expect(error._tag).toBe("UnopenedSecret")
    }),
  )
})
