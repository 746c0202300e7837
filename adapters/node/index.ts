/** What designwire needs of Node: webhooks sent over undici, hosts looked up over DNS, and Node's cryptography. */
import { Effect, Layer } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { load } from "../support/Packages.ts"
import { compressor } from "./Compression.ts"
import { type LookupOptions, layer as layerLookup } from "./HostLookup.ts"
import { withOwnNetworks } from "./OwnNetworks.ts"
import type { SenderOptions } from "./WebhookSender.ts"

export { compressor, type LookupOptions, layerLookup, type SenderOptions, withOwnNetworks }

const packages = ["@effect/platform-node", "undici"]

/**
 * {@link WebhookSender} over undici, for Node. Connections are opened to approved addresses alone and kept for the next request to the same origin
 * at the same address; each is closed after 4 seconds without one, or when the receiver says. Verified connections share no TLS session: each shows its certificate.
 */
export const layerSender = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.unwrap(
    Effect.promise(async () => {
      const { layer } = await load(() => import("./WebhookSender.ts"), "designwire/node", packages)
      return layer(options)
    }),
  )

/** The cryptography that the use cases ask for, on Node's own; MACs are quick for keys that are used again and again. */
export const layerCrypto: Layer.Layer<Aead.Aead | Digest.Digest | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.unwrap(
    Effect.promise(async () => {
      const { layer } = await load(() => import("./Crypto.ts"), "designwire/node", packages)
      return layer
    }),
  )

/** All of it: `WebhookSender`, `HostLookup`, and the cryptography. */
export const layer = (options: SenderOptions & LookupOptions = {}) =>
  Layer.mergeAll(layerSender(options), layerLookup(options), layerCrypto)
