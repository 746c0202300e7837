import { hkdfSync } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { layerCrypto as nodeCrypto } from "../../adapters/node/index.ts"
import { keyOf } from "../../conformance/testkit/workers/TestWorker.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { derivedKeys, type Purpose } from "./DerivedKeys.ts"
import { layerCrypto } from "./WebCrypto.ts"

const purposes: ReadonlyArray<Purpose> = ["signing secrets", "cursors"]

const hex = (keys: ReadonlyArray<Uint8Array>) => keys.map((key) => Buffer.from(key).toString("hex"))

it.effect("MUST be HKDF-SHA-256 of each key under the name of the purpose, the newest first, by any cryptography", () =>
  Effect.gen(function* () {
    for (const layer of [NodeCrypto.layer, nodeCrypto, layerCrypto]) {
      for (const purpose of purposes) {
        const ring = KeyRing.of({ keys: [keyOf(2), keyOf(1)] })
        const keys = yield* derivedKeys(purpose).pipe(Effect.provideService(KeyRing, ring), Effect.provide(layer))
        const expected = [keyOf(2), keyOf(1)].map((key) =>
          Buffer.from(hkdfSync("sha256", Redacted.value(key), "", `designwire ${purpose}`, 32)).toString("hex"),
        )
        expect(hex(keys)).toEqual(expected)
      }
    }
  }),
)

it.effect("MUST be different keys for every purpose, and the same objects for the same ring", () =>
  Effect.gen(function* () {
    const ring = KeyRing.of({ keys: [keyOf(1)] })
    const derive = (purpose: Purpose) => Effect.provideService(derivedKeys(purpose), KeyRing, ring)
    const keys = yield* Effect.forEach(purposes, derive)
    expect(new Set(keys.flatMap(hex)).size).toBe(purposes.length)
    expect(yield* derive("cursors")).toBe(yield* derive("cursors"))
  }).pipe(Effect.provide(NodeCrypto.layer)),
)
