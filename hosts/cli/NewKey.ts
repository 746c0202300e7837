import { Console, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64, Base64Url } from "effect/encoding"
import { layerCrypto } from "../../core/support/WebCrypto.ts"

/** A new key, for any variable that needs one: base64 of 32 random bytes. */
export const newKey = SecureRandom.SecureRandom.use((random) => Effect.map(random.randomBytes(32), Base64.encode))

/** A new key for a link. */
export const newLinkKey = SecureRandom.SecureRandom.use((random) =>
  Effect.map(random.randomBytes(32), (bytes) => Redacted.make(Base64Url.encode(bytes))),
)

/** `designwire key`: prints a new key. */
export const key = Effect.fn("key")(function* () {
  yield* Console.log(yield* newKey)
}, Effect.provide(layerCrypto))
