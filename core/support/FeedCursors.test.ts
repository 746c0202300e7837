import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { keyOf } from "../../conformance/testkit/workers/TestWorker.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { earlier } from "../rules/events/FeedCursor.ts"
import { feedCursorOf, openFeedCursor } from "./FeedCursors.ts"

/** Provides these keys, newest first. */
const withKeys =
  (first: number, ...rest: ReadonlyArray<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(KeyRing, { keys: [keyOf(first), ...rest.map(keyOf)] }),
      Effect.provide(NodeCrypto.layer),
    )

const positions = ["0", "7", "41", "42", String(2n ** 63n - 1n), "aZ9", "9".repeat(64)]

describe("A cursor of the feed (D39)", () => {
  it.effect("MUST open to its position with any key of the ring, and with none outside it", () =>
    Effect.gen(function* () {
      for (const position of positions) {
        const cursor = yield* withKeys(1)(feedCursorOf("s", position))
        for (const [first, ...rest] of [[1], [2, 1], [3, 2, 1], [1, 2]] as const) {
          expect(yield* withKeys(first, ...rest)(openFeedCursor("s", cursor))).toEqual(Option.some(position))
        }
        expect(yield* withKeys(2, 3)(openFeedCursor("s", cursor))).toEqual(Option.none())
        const newest = yield* withKeys(2, 1)(feedCursorOf("s", position))
        expect(yield* withKeys(1)(openFeedCursor("s", newest))).toEqual(Option.none())
      }
    }),
  )

  it.effect("MUST NOT open in another shop, even one whose id continues it", () =>
    Effect.gen(function* () {
      const cursor = yield* withKeys(1)(feedCursorOf("shop-1", "42"))
      for (const shop of ["shop-2", "shop-", "shop-14", "shop-1\n", ""]) {
        expect(yield* withKeys(1)(openFeedCursor(shop, cursor))).toEqual(Option.none())
      }
    }),
  )

  it.effect(
    "MUST be the same each time, so that equal pages have equal tags (D17), and differ by shop and position",
    () =>
      Effect.gen(function* () {
        const made = yield* withKeys(1)(
          Effect.forEach([1, 2], () =>
            Effect.forEach(["s", "t"], (shop) => Effect.forEach(positions, (position) => feedCursorOf(shop, position))),
          ),
        )
        expect(made[0]).toEqual(made[1])
        const all = made[0]?.flat() ?? []
        expect(new Set(all).size).toBe(2 * positions.length)
        // The nonces too, which must never repeat.
        expect(new Set(all.map((cursor) => cursor.slice(3, 19))).size).toBe(all.length)
      }),
  )

  it.effect("MUST reveal nothing of the position, which counts the events of all shops (D39)", () =>
    Effect.gen(function* () {
      const near = yield* withKeys(1)(Effect.forEach(["99999999", "100000000"], (each) => feedCursorOf("s", each)))
      for (const cursor of near) expect(cursor).toMatch(/^e2\.[\w-]{64}$/)
      const [one, other] = near.map((cursor) => Buffer.from(cursor.slice(3), "base64url"))
      // The padding, which is the same in both, is encrypted as well.
      const equal = [...(one ?? [])].filter((byte, index) => byte === other?.[index]).length
      expect(equal).toBeLessThan(8)
    }),
  )

  it.effect(
    "MUST also be opened in its earlier form, which no longer opens for what a store can't have returned (D39)",
    () =>
      Effect.gen(function* () {
        const forged = Effect.fnUntraced(function* (shop: string, position: string) {
          const checked = new TextEncoder().encode(earlier.checked(shop, position))
          return earlier.join(position, yield* Digest.Digest.use((digest) => digest.digest(Digest.sha256, checked)))
        })
        const opened = (shop: string, position: string) =>
          withKeys(1)(Effect.flatMap(forged("s", position), (cursor) => openFeedCursor(shop, cursor)))
        for (const position of ["0", "42", "123456"])
          expect(yield* opened("s", position)).toEqual(Option.some(position))
        expect(yield* opened("t", "42")).toEqual(Option.none())
        for (const position of ["abc", "1e3", "NaN", "0b1", "042"]) {
          expect(yield* opened("s", position)).toEqual(Option.none())
        }
        const cursor = yield* withKeys(1)(forged("s", "42"))
        expect(yield* withKeys(1)(openFeedCursor("s", cursor.replace("42", "43")))).toEqual(Option.none())
      }),
  )
})
