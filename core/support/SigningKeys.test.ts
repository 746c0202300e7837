import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { keyOf as ringKey } from "../../conformance/testkit/workers/TestWorker.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { seal } from "./SealedSecret.ts"
import { makeSigningKeys } from "./SigningKeys.ts"

describe("A signing key that is remembered (D20)", () => {
  it.effect("MUST be for its own endpoint only, even if another one has the same sealed text (D20)", () =>
    Effect.gen(function* () {
      const { keyOf, standardKeyOf } = yield* makeSigningKeys
      const sealed = yield* seal(Redacted.make("whsec_c2VjcmV0IG9mIGFuIGVuZHBvaW50"), "whe_1")
      for (const ofKind of [keyOf, standardKeyOf]) {
        const its = yield* ofKind({ shop: "s", endpointId: "whe_1" }, sealed)
        for (const endpointId of ["whe_2", "whe_", "whe_11"]) {
          const error = yield* Effect.flip(ofKind({ shop: "s", endpointId }, sealed))
          expect(error).toMatchObject({ _tag: "UnopenedSecret", message: expect.stringContaining(endpointId) })
        }
        expect(yield* ofKind({ shop: "s", endpointId: "whe_1" }, sealed)).toBe(its)
      }
    }).pipe(Effect.provideService(KeyRing, { keys: [ringKey(1)] }), Effect.provide(NodeCrypto.layer)),
  )
})
