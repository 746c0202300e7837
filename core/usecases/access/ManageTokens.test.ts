import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { TokenInput } from "../../model/access/Token.ts"
import { format } from "../../model/Instant.ts"
import { isWellFormed } from "../../rules/access/TokenFormat.ts"
import { createToken, deleteToken, listTokens } from "./ManageTokens.ts"

describe("API tokens (§5, D18)", () => {
  it.effect("MUST show their text once, later its last four characters, newest first", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const first = yield* run(createToken(shop, { name: "first" }))
      const text = Redacted.value(first.text)
      expect(isWellFormed(text)).toBe(true)
      expect(first.token).toEqual({
        id: expect.stringMatching(/^tok_[0-9A-Za-z]{22}$/),
        name: "first",
        hint: text.slice(-4),
        createdAt: format(someTime),
        lastUsedAt: null,
        expiresAt: null,
        scopes: ["orders:read", "designs:read", "customizers:read", "events:read"],
      })
      yield* TestClock.adjust(1)
      const second = yield* run(createToken(shop, { name: "second" }))
      expect(Redacted.value(second.text)).not.toBe(text)
      expect(yield* run(listTokens(shop))).toEqual([second.token, first.token])
    }),
  )

  it.effect("MUST belong to the shop: other shops can't list or revoke them", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const other = yield* makeWorld({ ports: world.ports })
      const { token } = yield* world.run(createToken(world.shop, { name: "T" }))
      expect(yield* other.run(listTokens(other.shop))).toEqual([])
      expect((yield* Effect.flip(other.run(deleteToken(other.shop, token.id))))._tag).toBe("NotFound")
      expect(yield* world.run(listTokens(world.shop))).toEqual([token])
      yield* world.run(deleteToken(world.shop, token.id))
      expect(yield* world.run(listTokens(world.shop))).toEqual([])
      expect((yield* Effect.flip(world.run(deleteToken(world.shop, token.id))))._tag).toBe("NotFound")
    }),
  )

  it.effect("MUST have the end and the scopes of their input, and be refused with others (D77)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const limits = { expiresAt: "2999-10-06T16:48:00+02:00", scopes: ["events:read", "designs:read"] } as const
      const { token } = yield* run(createToken(shop, { name: "T", ...limits }))
      expect(token).toMatchObject({ expiresAt: "2999-10-06T14:48:00.000+00:00", scopes: limits.scopes })
      expect((yield* run(createToken(shop, { name: "U", expiresAt: null }))).token.expiresAt).toBeNull()
      const before = yield* run(listTokens(shop))
      expect(before).toContainEqual(token)
      for (const [path, input] of [
        ["expiresAt", { expiresAt: format(someTime) }],
        ["expiresAt", { expiresAt: "2999-10-06" }],
        ["expiresAt", { expiresAt: "2999-10-06T14:48:00" }],
        ["scopes", { scopes: [] }],
        ["scopes[0]", { scopes: ["orders:write"] }],
        ["scopes", { scopes: ["orders:read", "orders:read"] }],
        ["scopes", { scopes: null }],
      ] as const) {
        const refused = run(createToken(shop, { name: "T", ...input } as unknown as TokenInput))
        expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "InvalidInput", problems: [{ path }] })
      }
      expect(yield* run(listTokens(shop))).toEqual(before)
    }),
  )

  it.effect("MUST be refused without a name, even if the plan does not include tokens", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld({ plan: "free" })
      const nameless = createToken(shop, {} as TokenInput)
      expect(yield* Effect.flip(run(nameless))).toMatchObject({ _tag: "InvalidInput", problems: [{ path: "name" }] })
      expect((yield* Effect.flip(run(createToken("nobodys", { name: "T" }))))._tag).toBe("NotFound")
    }),
  )
})
