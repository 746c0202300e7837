import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { Mac } from "effect/crypto"

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Node makes a key object of bytes anew for every MAC, which takes several times as long as the MAC. */
const hmac = (hash: string, key: Uint8Array, data: Uint8Array): Uint8Array => {
  let object = keyObjects.get(key)
  if (object === undefined) {
    object = createSecretKey(key)
    keyObjects.set(key, object)
  }
  return new Uint8Array(createHmac(hash.replace("-", ""), object).update(data).digest())
}

/** `Mac` on Node's crypto, quick for keys that are used again and again. */
export const layer: Layer.Layer<Mac.Mac> = Mac.layerWebCryptoWith({ hmac }).pipe(
  Layer.provide(NodeCrypto.layerSecureRandom),
)
