import type { Inline } from "../Inline.ts"

/** The texts of the page to choose a store. */
export const stores = {
  title: "Choose a store",
  lead: "Every store has its own tokens and webhooks.",
  none: "No stores yet",
  noneLead: (request: Inline): Inline => ["Create stores with the management API: ", request, "."],
  facts: (id: string, plan: string, currency: string) => `${id} · ${plan} plan · ${currency}`,
}
