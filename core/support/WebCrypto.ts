import { Layer } from "effect"
import { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"

/** The cryptography that the use cases ask for, on Web Crypto: Node, Deno, Bun, edge runtimes and browsers have it. */
export const layerCrypto: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto, Kdf.layerWebCrypto, Mac.layerWebCrypto).pipe(
    Layer.provideMerge(SecureRandom.layerWebCrypto),
  )
