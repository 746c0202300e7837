import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Effect, Layer } from "effect"
import { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"

/** Node's name of a hash, e.g. `SHA256` for `SHA-256`. */
const hashName = (hash: string): string => hash.replace("-", "")

/** At once: Web Crypto hands each digest to another thread, which takes longer than a short one. */
const layerDigest: Layer.Layer<Digest.Digest> = Layer.succeed(Digest.Digest, {
  // A copy: a Buffer is a part of memory that others use.
  digest: ({ name }, data) => Effect.sync(() => new Uint8Array(createHash(hashName(name)).update(data).digest())),
  digestHex: ({ name }, data) => Effect.sync(() => createHash(hashName(name)).update(data).digest("hex")),
})

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Given a key as bytes, Node creates a key object for each MAC, which takes several times as long as the MAC. */
const hmac = (hash: string, key: Uint8Array, data: Uint8Array): Uint8Array => {
  let object = keyObjects.get(key)
  if (object === undefined) {
    object = createSecretKey(key)
    keyObjects.set(key, object)
  }
  return createHmac(hashName(hash), object).update(data).digest()
}

/** The cryptography of the use cases, by Node. MACs with a key that was used before are fast. */
export const layerCrypto: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(Aead.layerWebCrypto, layerDigest, Kdf.layerWebCrypto, Mac.layerWebCryptoWith({ hmac })).pipe(
    Layer.provideMerge(SecureRandom.layerWebCrypto),
  )
