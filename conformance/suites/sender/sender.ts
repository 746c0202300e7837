import { networkInterfaces } from "node:os"
import { Context, Effect, Layer } from "effect"
import type { HostLookup } from "../../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { Calls } from "../runner/Calls.ts"
import type { Case } from "../runner/Case.ts"
import { picked } from "../runner/picked.ts"
import { makeSuite, type Selection, type Suite } from "../runner/Suite.ts"
import { authority } from "./Certificates.ts"
import { senderCases } from "./cases.ts"
import { LookupAt, type SenderSubjects, SenderThrough } from "./SenderCase.ts"

/** Access to an adapter for the cases. If one of the two is missing, its cases are not part of the suite. */
export interface SenderHarness extends Selection {
  /** Name of the suite. Default: `sender`. */
  readonly name?: string
  /** A sender that trusts this authority (PEM) in addition to its usual ones. */
  readonly sender?: (authority: string) => Layer.Layer<WebhookSender, unknown>
  /** The same sender, but it opens its connections through the HTTP proxy at this URL. Default: it can't. */
  readonly proxied?: (authority: string, proxy: string) => Layer.Layer<WebhookSender, unknown>
  /** A lookup that asks only this server (`address:port`). */
  readonly lookup?: (server: string) => Layer.Layer<HostLookup, unknown>
}

/**
 * The cases for an adapter that sends webhooks, and for one that looks up receivers' addresses. For Node and compatible
 * runtimes.
 *
 * @example
 * register(
 *   sender({
 *     sender: (authority) => layerSender({ trust: [authority] }),
 *     proxied: (authority, proxy) => layerSender({ trust: [authority], proxy: Redacted.make(proxy) }),
 *   }),
 *   { describe, it },
 * )
 */
export const sender = (harness: SenderHarness): Suite => {
  const offered = { WebhookSender: harness.sender, HostLookup: harness.lookup }
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family }) => family === "IPv6"),
  )
  return makeSuite<SenderSubjects>({
    name: harness.name ?? "sender",
    cases: senderCases.filter(({ ports: [port] }) => offered[port] !== undefined),
    selection: harness,
    lacks: {
      ipv6: hasIpv6 ? undefined : "the machine has no IPv6",
      proxy: harness.proxied === undefined ? "the harness has no sender through a proxy" : undefined,
    },
    open: Effect.gen(function* () {
      const { lookup = () => missing("lookup"), proxied = () => missing("sender through a proxy") } = harness
      const subject = yield* Layer.build(harness.sender?.(authority.cert) ?? Layer.empty)
      return ({ ports }: Pick<Case, "ports">, calls: Calls) =>
        picked<WebhookSender>(subject, ports, calls).pipe(
          Context.add(LookupAt, lookup),
          Context.add(SenderThrough, (proxy: string) => proxied(authority.cert, proxy)),
        )
    }),
  })
}

const missing = (what: string) => Layer.effectContext(Effect.die(new Error(`The harness has no ${what}`)))
