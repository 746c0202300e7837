import { Context } from "effect"
import { type HostPolicy, publicOnly } from "../model/HostPolicy.ts"

/** Where webhooks may be sent to: the public internet over `https:`, unless an installation says otherwise (D34–D37). */
export const WebhookPolicy = Context.Reference<HostPolicy>("designwire/WebhookPolicy", {
  defaultValue: () => publicOnly,
})
