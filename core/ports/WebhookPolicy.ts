import { Context } from "effect"
import { type HostPolicy, publicOnly } from "../model/webhooks/HostPolicy.ts"

/** Allowed destinations of webhooks. Default: the public internet over `https:` (D34–D37). */
export const WebhookPolicy = Context.Reference<HostPolicy>("designwire/WebhookPolicy", {
  defaultValue: () => publicOnly,
})
