import { Effect, Redacted } from "effect"
import { Kdf } from "effect/crypto"
import { KeyRing } from "../ports/KeyRing.ts"

/** A purpose that the installation's keys serve. */
export type Purpose =
  | "signing secrets"
  | "cursors"
  | "feed cursors"
  | "feed cursor nonces"
  | "notices"
  | "settings forms"

const utf8 = new TextEncoder()

/** By ring: keys are derived once, so that callers can compare them by identity. */
const derived = new WeakMap<object, Map<Purpose, ReadonlyArray<Uint8Array>>>()

/**
 * The keys of a purpose, 32 bytes each, newest first, derived from the keys of the ring (HKDF-SHA-256): a text that is
 * made with the key of one purpose reveals nothing about the keys of others, and is never accepted for another purpose.
 */
export const derivedKeys = Effect.fnUntraced(function* (purpose: Purpose) {
  const { keys } = yield* KeyRing
  const ofRing = derived.get(keys) ?? new Map<Purpose, ReadonlyArray<Uint8Array>>()
  derived.set(keys, ofRing)
  const known = ofRing.get(purpose)
  if (known !== undefined) return known
  const kdf = yield* Kdf.Kdf
  const info = utf8.encode(`designwire ${purpose}`)
  const made = yield* Effect.forEach(keys, (key) =>
    // The keys are random: a salt would add nothing.
    Effect.orDie(kdf.derive(Kdf.hkdfSha256, Redacted.value(key), { salt: new Uint8Array(), info, length: 32 })),
  )
  ofRing.set(purpose, made)
  return made
})
