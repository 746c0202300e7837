import { Context, type Effect, Layer, type Scope } from "effect"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { authority } from "./Certificates.ts"

/** Opens look-ups that ask a server (`address:port`) and nobody else. */
export class LookupAt extends Context.Service<LookupAt, (server: string) => Layer.Layer<HostLookup, unknown>>()(
  "designwire/conformance/LookupAt",
) {}

/** One requirement that whatever sends webhooks must meet, as a program that fails if it doesn't. */
export interface SenderCase {
  /** Stable: tests of adapters and reports refer to it. */
  readonly id: string
  /** "MUST …" */
  readonly title: string
  /** Where it comes from: sections of the specification and decisions. */
  readonly spec: string
  /** Left out where the machine has no IPv6. */
  readonly needs?: "ipv6"
  /** Starts receivers of its own on loopback addresses. Needs Node and the live clock; one at a time, since some count what is open. */
  readonly run: Effect.Effect<void, unknown, WebhookSender | LookupAt | Scope.Scope>
}

/** How the cases get at an adapter. */
export interface SenderHarness {
  /** A sender that trusts this authority (PEM) beside its usual ones. */
  readonly sender: (authority: string) => Layer.Layer<WebhookSender, unknown>
  /** A look-up that asks this server (`address:port`) and nobody else. */
  readonly lookup: (server: string) => Layer.Layer<HostLookup, unknown>
}

/** What every case needs but its scope. */
export const subjects = (harness: SenderHarness): Layer.Layer<WebhookSender | LookupAt, unknown> =>
  Layer.merge(harness.sender(authority.cert), Layer.succeed(LookupAt, harness.lookup))
