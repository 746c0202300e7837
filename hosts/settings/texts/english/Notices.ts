import { figuresOf } from "../../parts/Figures.ts"
import type { Inline } from "../Inline.ts"

const { figure } = figuresOf("en-GB")

/** The texts of the notices. */
export const notices = {
  title: "Notices",
  failing: (failures: number) => `Failed ${figure(failures)} times in a row`,
  switchedOff: (failures: number) => `Switched off after ${figure(failures)} failures in a row`,
  givenUp: (attempts: number) =>
    `Delivery given up after ${figure(attempts)} ${attempts === 1 ? "attempt" : "attempts"}`,
  tokenEnding: (name: string) => `The API token “${name}” ends soon`,
  tokenEnd: (when: Inline): Inline => ["Ends ", when],
  inboxDropped: (events: number) =>
    events === 1
      ? "An event of the shop platform was dropped and never applied"
      : `${figure(events)} events of the shop platform were dropped and never applied`,
  inboxOldest: (order: Inline): Inline => ["The oldest was about the order ", order],
  bannerLabel: "Webhooks that are switched off",
  banner: "A webhook endpoint was switched off",
  bannerReason: (failures: number) => `, after ${failures} failed attempts in a row: `,
}
