/** The ports for Node: webhooks sent over undici, hosts looked up over DNS, and Node's cryptography. */
import { Effect, Layer } from "effect"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { load, optionalPackages, otherRuntime } from "../support/Packages.ts"
import { layerCertificateReader } from "./CertificateReader.ts"
import { compressor } from "./Compression.ts"
import { layerCrypto } from "./Crypto.ts"
import { layerFileReader } from "./FileReader.ts"
import { type LookupOptions, layerHostLookup } from "./HostLookup.ts"
import { withOwnNetworks } from "./OwnNetworks.ts"
import type { SenderOptions } from "./WebhookSender.ts"

export { compressor, type LookupOptions, layerCrypto, type SenderOptions, withOwnNetworks }

/**
 * {@link WebhookSender} over undici, for Node. Connections are opened to approved addresses only, and kept for the next
 * request to the same origin at the same address. An idle connection is closed after 4 seconds, or when the receiver
 * says. Connections share no TLS session, so that each shows its certificate. On Bun and Deno it dies with a sentence:
 * deliveries would fail there for reasons that are not their receivers'.
 */
export const layerSender = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.unwrap(
    Effect.promise(async () => {
      const refusal = otherRuntime("designwire/node")
      if (refusal !== undefined) throw new Error(refusal)
      const { layerWebhookSender } = await load(
        () => import("./WebhookSender.ts"),
        "designwire/node",
        optionalPackages.worker,
      )
      return layerWebhookSender(options)
    }),
  )

/**
 * {@link HostLookup} over DNS, `CertificateReader`, which endpoints with client certificates need, and `FileReader`,
 * which the settings app needs for downloads of pictures, through the sender's `proxy` if it is given.
 */
export const layerLookup = (options: LookupOptions & Pick<SenderOptions, "proxy"> = {}): Layer.Layer<HostLookup> =>
  Layer.mergeAll(layerHostLookup(options), layerCertificateReader, layerFileReader(options.proxy))

/** `WebhookSender`, `HostLookup` and the cryptography. */
export const layer = (options: SenderOptions & LookupOptions = {}) =>
  Layer.mergeAll(layerSender(options), layerLookup(options), layerCrypto)
