/** Sends webhooks from Node: `WebhookSender` over undici, `HostLookup` over DNS. */
import { Layer } from "effect"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { type LookupOptions, layer as layerLookup } from "./HostLookup.ts"
import { layer as layerSender, type SenderOptions } from "./WebhookSender.ts"

export { type LookupOptions, layerLookup, layerSender, type SenderOptions }

/** Both ports. */
export const layer = (options: SenderOptions & LookupOptions = {}): Layer.Layer<WebhookSender | HostLookup> =>
  Layer.merge(layerSender(options), layerLookup(options))
