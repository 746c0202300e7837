import { networkInterfaces } from "node:os"
import { Context, Effect, Layer } from "effect"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import type { Calls } from "../suite/Calls.ts"
import type { Case } from "../suite/Case.ts"
import { picked } from "../suite/picked.ts"
import { makeSuite, type Selection, type Suite } from "../suite/Suite.ts"
import { authority } from "./Certificates.ts"
import { senderCases } from "./cases.ts"
import { LookupAt, type SenderSubjects } from "./SenderCase.ts"

/** How the cases get at an adapter. Without one of the two, the cases about it are not part of the suite. */
export interface SenderHarness extends Selection {
  /** What the suite is called: `sender`, if nothing is said. */
  readonly name?: string
  /** A sender that trusts this authority (PEM) beside its usual ones. */
  readonly sender?: (authority: string) => Layer.Layer<WebhookSender, unknown>
  /** A look-up that asks this server (`address:port`) and nobody else. */
  readonly lookup?: (server: string) => Layer.Layer<HostLookup, unknown>
}

/**
 * The cases that an adapter which sends webhooks must pass, and one that finds the addresses of receivers. For Node and what is compatible with it.
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
