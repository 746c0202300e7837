/** What designwire needs of Node: webhooks sent over undici, hosts looked up over DNS, and Node's cryptography. */
import { Layer } from "effect"
import { layer as layerCrypto } from "./Crypto.ts"
import { type LookupOptions, layer as layerLookup } from "./HostLookup.ts"
import { withOwnNetworks } from "./OwnNetworks.ts"
import { layer as layerSender, type SenderOptions } from "./WebhookSender.ts"

export { type LookupOptions, layerCrypto, layerLookup, layerSender, type SenderOptions, withOwnNetworks }

/** All of it: `WebhookSender`, `HostLookup`, and the cryptography. */
export const layer = (options: SenderOptions & LookupOptions = {}) =>
  Layer.mergeAll(layerSender(options), layerLookup(options), layerCrypto)
