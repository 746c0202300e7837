import { Context, type Layer } from "effect"
import type { HostLookup } from "../../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { Case } from "../runner/Case.ts"

/** Opens lookups that ask only one server (`address:port`). */
export class LookupAt extends Context.Service<LookupAt, (server: string) => Layer.Layer<HostLookup, unknown>>()(
  "designwire/conformance/LookupAt",
) {}

/** Opens senders whose connections all go through the proxy at a URL. */
export class SenderThrough extends Context.Service<
  SenderThrough,
  (proxy: string) => Layer.Layer<WebhookSender, unknown>
>()("designwire/conformance/SenderThrough") {}

/** The services that a case can use. */
export type SenderSubjects = WebhookSender | LookupAt | SenderThrough

/** One requirement for webhook senders. It starts its own receivers on loopback addresses, which needs Node. */
export interface SenderCase extends Case<SenderSubjects> {
  readonly ports: readonly ["WebhookSender" | "HostLookup"]
  /** Skipped if the machine has no IPv6, or the adapter no way through a proxy. */
  readonly needs?: readonly ["ipv6" | "proxy"]
}

/** A case of a group that calls the same port. */
export type ListedCase = Omit<SenderCase, "ports" | "alone">

/** Cases that call only one port. Some count open connections, so they run one after the other. */
export const calling =
  (port: SenderCase["ports"][0]) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<SenderCase> =>
    cases.map((each) => ({ ...each, ports: [port], alone: true }))
