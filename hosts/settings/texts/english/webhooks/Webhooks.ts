import { figuresOf } from "../../../parts/Figures.ts"
import type { Inline } from "../../Inline.ts"

const { figure } = figuresOf("en-GB")

/** The texts of the list of endpoints. */
export const webhooks = {
  title: "Webhooks",
  lead: "Your systems receive a signed request when a design is ordered or an order is cancelled.",
  used: (number: number, maximum: number) => `${number} of ${maximum} used`,
  full: (maximum: number) =>
    `A store can have ${figure(maximum)} endpoints, and this one has them all. Delete one to create another.`,
  create: "Create endpoint",
  none: "No endpoints yet",
  noneLead: "Give the URL of one of your systems. Then send it a test event and see how it responds.",
  createFirst: "Create the first endpoint",
  nothing: "Nothing delivered yet",
  latest: (when: Inline): Inline => ["Last delivery ", when],
  pending: (number: number) => ` · ${figure(number)} pending`,
}
