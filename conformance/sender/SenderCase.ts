import { Context, type Layer } from "effect"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import type { Case } from "../suite/Case.ts"

/** Opens look-ups that ask a server (`address:port`) and nobody else. */
export class LookupAt extends Context.Service<LookupAt, (server: string) => Layer.Layer<HostLookup, unknown>>()(
  "designwire/conformance/LookupAt",
) {}

/** What a case finds. */
export type SenderSubjects = WebhookSender | LookupAt

/** One requirement that whatever sends webhooks must meet. It starts receivers of its own on loopback addresses, and needs Node for that. */
export interface SenderCase extends Case<SenderSubjects> {
  readonly ports: readonly ["WebhookSender" | "HostLookup"]
  /** Left out where the machine has no IPv6. */
  readonly needs?: readonly ["ipv6"]
}

/** A case among others that call the same port. */
export type ListedCase = Omit<SenderCase, "ports" | "alone">

/** Cases that call a port and no other. Some count what is open, so they run one after the other. */
export const calling =
  (port: SenderCase["ports"][0]) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<SenderCase> =>
    cases.map((each) => ({ ...each, ports: [port], alone: true }))
