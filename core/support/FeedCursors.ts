/** Makes and opens the cursors of the feed (D39) with the installation's keys. */
import { Effect, Option } from "effect"
import { Aead, Digest, Mac } from "effect/crypto"
import type { FeedPosition } from "../ports/EventStore.ts"
import * as FeedCursor from "../rules/events/FeedCursor.ts"
import { derivedKeys } from "./DerivedKeys.ts"

const utf8 = new TextEncoder()

/** The cursor of a position in a shop's feed, made with the newest key. */
export const feedCursorOf = Effect.fnUntraced(function* (shop: string, position: FeedPosition) {
  const [mac, aead] = [yield* Mac.Mac, yield* Aead.Aead]
  const [newest] = yield* feedKeys
  const { encryption, nonces } = newest as FeedKey
  const nonce = FeedCursor.nonceOf(yield* mac.sign(nonces, utf8.encode(FeedCursor.nonceInput(shop, position))))
  const aad = utf8.encode(FeedCursor.boundTo(shop))
  const sealed = yield* aead.encrypt(encryption, utf8.encode(FeedCursor.padded(position)), { nonce, aad })
  return FeedCursor.join({ nonce, sealed })
}, Effect.orDie)

/** The position of a cursor; `None` if the cursor was altered or belongs to another shop, or if no key opens it. */
export const openFeedCursor = Effect.fnUntraced(function* (shop: string, text: string) {
  const parts = FeedCursor.split(text)
  if (parts === undefined) return yield* openEarlier(shop, text)
  const aead = yield* Aead.Aead
  const options = { nonce: parts.nonce, aad: utf8.encode(FeedCursor.boundTo(shop)) }
  for (const { encryption } of yield* feedKeys) {
    const opened = yield* Effect.option(aead.decrypt(encryption, parts.sealed, options))
    if (Option.isSome(opened)) return Option.some(FeedCursor.unpadded(new TextDecoder().decode(opened.value)))
  }
  return Option.none<FeedPosition>()
})

const openEarlier = Effect.fnUntraced(function* (shop: string, text: string) {
  const position = FeedCursor.earlier.positionOf(text)
  if (position === undefined) return Option.none<FeedPosition>()
  const checked = utf8.encode(FeedCursor.earlier.checked(shop, position))
  const hash = yield* Effect.orDie(Digest.Digest.use((digest) => digest.digest(Digest.sha256, checked)))
  return FeedCursor.earlier.join(position, hash) === text ? Option.some(position) : Option.none<FeedPosition>()
})

interface FeedKey {
  readonly encryption: Aead.Key
  readonly nonces: Mac.Key
}

/** Keys in the form that the services need, made once: the services recognize them, which is faster. */
const made = new WeakMap<object, ReadonlyArray<FeedKey>>()

const feedKeys = Effect.gen(function* () {
  const keys = yield* derivedKeys("feed cursors")
  const known = made.get(keys)
  if (known !== undefined) return known
  const nonceKeys = yield* derivedKeys("feed cursor nonces")
  // All keys have the 32 bytes that AES-256 needs.
  const all = yield* Effect.forEach(keys, (key, index) =>
    Effect.all({
      encryption: Aead.key(Aead.aes256Gcm, key),
      nonces: Mac.key(Mac.hmacSha256, nonceKeys[index] as Uint8Array),
    }),
  )
  made.set(keys, all)
  return all
}).pipe(Effect.orDie)
