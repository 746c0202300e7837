import { Data, Effect, Redacted, Result } from "effect"
import { Aead, SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { KeyRing } from "../ports/KeyRing.ts"

/** None of the keys at hand opens a secret: a key was taken from the ring too early, or what is kept was altered. */
class UnopenedSecret extends Data.TaggedError("UnopenedSecret")<{ readonly message: string }> {}

const version = "1."

const utf8 = new TextEncoder()

const aeadKeys = Effect.gen(function* () {
  const { keys } = yield* KeyRing
  // Keys that passed the settings have the length that AES-256 asks for.
  return yield* Effect.orDie(Effect.forEach(keys, (key) => Aead.key(Aead.aes256Gcm, Redacted.value(key))))
})

/** Encrypts a secret with the newest key (D20), bound to what it belongs to: nothing else can be opened with that text. */
export const seal = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>, belongsTo: string) {
  const [newest] = yield* aeadKeys
  const nonce = yield* SecureRandom.SecureRandom.use((random) => random.randomBytes(12))
  const sealed = yield* Aead.Aead.use((aead) =>
    aead.encrypt(newest as Aead.Key, utf8.encode(Redacted.value(secret)), { nonce, aad: utf8.encode(belongsTo) }),
  )
  const bytes = new Uint8Array(nonce.length + sealed.length)
  bytes.set(nonce)
  bytes.set(sealed, nonce.length)
  return version + Base64.encode(bytes)
}, Effect.orDie)

/** Decrypts a sealed secret with whichever key opens it (D20). Fails with {@link UnopenedSecret}. */
export const open = Effect.fnUntraced(function* (sealed: string, belongsTo: string) {
  const bytes = sealed.startsWith(version)
    ? Result.getOrUndefined(Base64.decode(sealed.slice(version.length)))
    : undefined
  if (bytes !== undefined) {
    const aead = yield* Aead.Aead
    const options = { nonce: bytes.subarray(0, 12), aad: utf8.encode(belongsTo) }
    for (const key of yield* aeadKeys) {
      const opened = yield* Effect.option(aead.decrypt(key, bytes.subarray(12), options))
      if (opened._tag === "Some") return Redacted.make(new TextDecoder().decode(opened.value))
    }
  }
  return yield* new UnopenedSecret({ message: `No encryption key opens the signing secret of ${belongsTo}` })
})
