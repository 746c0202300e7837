import { Layer } from "effect"
import { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"

/** Cryptography for the use cases on Web Crypto, which Node, Deno, Bun, edge runtimes and browsers provide. */
export const layerCrypto: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto, Kdf.layerWebCrypto, Mac.layerWebCrypto).pipe(
    Layer.provideMerge(SecureRandom.layerWebCrypto),
  )
