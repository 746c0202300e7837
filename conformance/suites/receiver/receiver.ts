import { Context, Effect } from "effect"
import type { Calls, Heard } from "../runner/Calls.ts"
import type { Case } from "../runner/Case.ts"
import { picked } from "../runner/picked.ts"
import { makeSuite, type Selection, type Suite } from "../runner/Suite.ts"
import { receiverCases } from "./cases.ts"
import { Deliver, sending, signing } from "./Deliver.ts"

/** Access to a receiver of webhooks for the cases. */
export interface ReceiverHarness extends Selection {
  /** Its address. The cases send real events there, with the data of examples. */
  readonly url: string
  /** The signing secret that it verifies with: `whsec_…`. */
  readonly secret: string
  /** Also send the headers of Standard Webhooks. Without them a receiver that reads only those accepts nothing. */
  readonly standard?: boolean
  /**
   * Receives what a case sent and was answered, once it has ended.
   *
   * @internal
   */
  readonly hear?: (id: string, heard: Heard) => void
}

/** The cases that a receiver of webhooks must pass, in any language: it is judged by its answers. For Node. */
export const receiver = ({ hear, secret, standard = false, url, ...selection }: ReceiverHarness): Suite =>
  makeSuite<Deliver>({
    name: "receiver",
    cases: receiverCases,
    selection,
    hear,
    lacks: { standard: standard ? undefined : "nothing was said of Standard Webhooks" },
    open: Effect.sync(() => {
      const subject = Context.make(Deliver, Deliver.of({ send: sending(url), sign: signing(secret, standard) }))
      return ({ ports }: Pick<Case, "ports">, calls: Calls) => picked<Deliver>(subject, ports, calls)
    }),
  })
