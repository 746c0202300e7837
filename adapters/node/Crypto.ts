import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { type Aead, type Digest, type Kdf, Mac, type SecureRandom } from "effect/crypto"

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Given bytes, Node makes a key object for every MAC, which takes several times as long as the MAC. */
const hmac = (hash: string, key: Uint8Array, data: Uint8Array): Uint8Array => {
  let object = keyObjects.get(key)
  if (object === undefined) {
    object = createSecretKey(key)
    keyObjects.set(key, object)
  }
  return createHmac(hash.replace("-", ""), object).update(data).digest()
}

const layerMac: Layer.Layer<Mac.Mac, never, SecureRandom.SecureRandom> = Mac.layerWebCryptoWith({ hmac })

/** What the use cases ask for, as `layerCrypto` of this adapter says. */
export const layer: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(NodeCrypto.layerAead, NodeCrypto.layerDigest, NodeCrypto.layerKdf, layerMac).pipe(
    Layer.provideMerge(NodeCrypto.layerSecureRandom),
  )
