import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { allScopes } from "../../core/model/access/Token.ts"
import { makeTokens } from "./access/Tokens.ts"
import { layerShared, makeState } from "./Memory.ts"

register(
  storage({
    open: Effect.sync(() => layerShared(makeState())),
    lacks: {
      transaction: "memory has no transaction that an embedder could open",
      faults: "nothing lies between a host and its memory",
    },
  }),
  { describe, it },
)

it("Listeners for revoked tokens MUST hear of each, even if the caller is interrupted meanwhile (D9)", () =>
  Effect.gen(function* () {
    const tokens = makeTokens(makeState())
    const heard: Array<string> = []
    const slow = Effect.andThen(Effect.yieldNow, Effect.yieldNow)
    yield* tokens.onChanged(() => slow)
    yield* tokens.onChanged((digest) => Effect.sync(() => heard.push(String(digest))))
    const token = {
      shop: "s",
      id: "tok_1",
      digest: "d",
      name: "ERP",
      hint: "abcd",
      createdAt: 0,
      lastUsedAt: null,
      expiresAt: null,
      scopes: allScopes,
    }
    yield* tokens.add(token, 100)
    const revoking = yield* Effect.forkChild(tokens.revoke("s", "tok_1"))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(revoking)
    expect(heard).toEqual(["d"])
  }).pipe(Effect.scoped, Effect.runPromise))
