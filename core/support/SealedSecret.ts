/**
 * Secrets as they are stored (D20): `2.` and the base64 of a nonce and the ciphertext. AES-256-GCM encrypts them under
 * a key that is derived for this purpose.
 */

import { Data, Effect, Option, Redacted, Result } from "effect"
import { Aead, type Kdf, SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { KeyRing } from "../ports/KeyRing.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { derivedKeys } from "./DerivedKeys.ts"

/** No key of the ring opens a secret: a key was removed too early, or the stored text was altered. */
export class UnopenedSecret extends Data.TaggedError("UnopenedSecret")<{ readonly message: string }> {}

const version = "2."

const nonceLength = 12

const utf8 = new TextEncoder()

/** Encrypts a secret with the newest key, bound to its owner: the text opens for no other owner. */
export const seal = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>, belongsTo: string) {
  const [newest] = yield* aeadKeys
  const nonce = yield* SecureRandom.SecureRandom.use((random) => random.randomBytes(nonceLength))
  const sealed = yield* Aead.Aead.use((aead) =>
    aead.encrypt(newest as Aead.Key, utf8.encode(Redacted.value(secret)), { nonce, aad: utf8.encode(belongsTo) }),
  )
  const bytes = new Uint8Array(nonce.length + sealed.length)
  bytes.set(nonce)
  bytes.set(sealed, nonce.length)
  return version + Base64.encode(bytes)
}, Effect.orDie)

/** Decrypts a sealed secret with the key of the ring that opens it. Fails with {@link UnopenedSecret}. */
export const open = (sealed: string, belongsTo: string) =>
  Effect.map(openWithKey(sealed, belongsTo), ({ secret }) => secret)

/**
 * Seals a sealed secret with the newest key. Returns `None` if that key has sealed it. Fails with {@link
 * UnopenedSecret}.
 */
export const reseal = Effect.fnUntraced(function* (sealed: string, belongsTo: string) {
  const { isNewest, secret } = yield* openWithKey(sealed, belongsTo)
  return isNewest ? Option.none() : Option.some(yield* seal(secret, belongsTo))
})

const openWithKey = Effect.fnUntraced(function* (sealed: string, belongsTo: string) {
  const bytes = Result.getOrUndefined(Base64.decode(sealed.slice(version.length)))
  if (sealed.startsWith(version) && bytes !== undefined) {
    const aead = yield* Aead.Aead
    const options = { nonce: bytes.subarray(0, nonceLength), aad: utf8.encode(belongsTo) }
    for (const [index, key] of (yield* aeadKeys).entries()) {
      const opened = yield* Effect.option(aead.decrypt(key, bytes.subarray(nonceLength), options))
      if (Option.isSome(opened)) {
        const secret = Redacted.make(new TextDecoder().decode(opened.value))
        return { secret, isNewest: index === 0 }
      }
    }
  }
  return yield* new UnopenedSecret({ message: `No encryption key opens the signing secret of ${belongsTo}` })
})

// AES-256 needs keys of 32 bytes.
const aeadKeys = Effect.flatMap(derivedKeys("signing secrets"), (keys) =>
  Effect.orDie(Effect.forEach(keys, (key) => Aead.key(Aead.aes256Gcm, key))),
)

/** Seals a value of an endpoint that is kept as its signing secret is (D20, D55), such as its headers: as JSON. */
export const sealValue = (value: unknown, endpointId: string) => seal(Redacted.make(JSON.stringify(value)), endpointId)

/** How many endpoints' values are remembered. */
const capacity = 10_000

/** Makes a function that opens the sealed values of endpoints. They are remembered, as signing keys are. */
export const makeOpenValue = <A>() =>
  Effect.map(Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>(), (services) => {
    const known = new BoundedMap<string, { readonly endpointId: string; readonly value: A }>(capacity)
    return (endpointId: string, sealed: string): Effect.Effect<A, UnopenedSecret> => {
      const found = known.get(sealed)
      if (found?.endpointId === endpointId) return Effect.succeed(found.value)
      return open(sealed, endpointId).pipe(
        Effect.map((secret) => JSON.parse(Redacted.value(secret)) as A),
        Effect.tap((value) => Effect.sync(() => known.set(sealed, { endpointId, value }))),
        Effect.provideContext(services),
      )
    }
  })
