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
import { LookupAt, type SenderSubjects } from "./SenderCase.ts"

/** Access to an adapter for the cases. If one of the two is missing, its cases are not part of the suite. */
export interface SenderHarness extends Selection {
  /** Name of the suite. Default: `sender`. */
  readonly name?: string
  /** A sender that trusts this authority (PEM) in addition to its usual ones. */
  readonly sender?: (authority: string) => Layer.Layer<WebhookSender, unknown>
  /** A lookup that asks only this server (`address:port`). */
  readonly lookup?: (server: string) => Layer.Layer<HostLookup, unknown>
}

/**
 * The cases for an adapter that sends webhooks, and for one that looks up receivers' addresses. For Node and compatible
 * runtimes.
 *
 * @example
 * register(sender({ sender: (authority) => layerSender({ trust: [authority] }) }), { describe, it })
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
    lacks: { ipv6: hasIpv6 ? undefined : "the machine has no IPv6" },
    open: Effect.gen(function* () {
      const { lookup = () => Layer.effectContext(Effect.die(new Error("The harness has no lookup"))) } = harness
      const subject = yield* Layer.build(harness.sender?.(authority.cert) ?? Layer.empty)
      return ({ ports }: Pick<Case, "ports">, calls: Calls) =>
        Context.add(picked<WebhookSender>(subject, ports, calls), LookupAt, lookup)
    }),
  })
}
