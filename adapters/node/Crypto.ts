import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { type Aead, type Digest, type Kdf, Mac, type SecureRandom } from "effect/crypto"

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Given a key as bytes, Node creates a key object for each MAC, which takes several times as long as the MAC. */
const hmac = (hash: string, key: Uint8Array, data: Uint8Array): Uint8Array => {
  let object = keyObjects.get(key)
  if (object === undefined) {
    object = createSecretKey(key)
    keyObjects.set(key, object)
  }
  return createHmac(hash.replace("-", ""), object).update(data).digest()
}

const layerMac: Layer.Layer<Mac.Mac, never, SecureRandom.SecureRandom> = Mac.layerWebCryptoWith({ hmac })

/** The cryptography of the use cases: see `layerCrypto` of this adapter. */
export const layer: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(NodeCrypto.layerAead, NodeCrypto.layerDigest, NodeCrypto.layerKdf, layerMac).pipe(
    Layer.provideMerge(NodeCrypto.layerSecureRandom),
  )
