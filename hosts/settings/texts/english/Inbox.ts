import type { InboxView } from "../../../../core/model/ingest/InboxView.ts"

const states: Readonly<Record<InboxView["state"], string>> = {
  waiting: "Waiting",
  failed: "Failed",
  applied: "Applied",
  ignored: "Ignored",
  unpaid: "Unpaid",
}

const tried: Readonly<Record<InboxView["state"], string>> = {
  waiting: "The event was tried again, and still waits for its design.",
  failed: "The event was tried again, and failed again. The list says why.",
  applied: "The event was applied.",
  ignored: "The event was ignored: there was nothing to do. The list says why.",
  unpaid: "The order still waits for payment. The list says why.",
}

/** The texts of the page of events that the shop platform sends. */
export const inbox = {
  title: "From the shop platform",
  lead: "What your shop platform has sent about orders, newest first, and what became of it. Kept for 30 days.",
  lists: "Events by state",
  all: "All",
  states,
  columns: { state: "State", event: "Event", order: "Order", received: "Received", reason: "Why" },
  sources: { shopify: "Shopify", woocommerce: "WooCommerce" },
  noOrder: "None",
  waitsFor: (design: string) => `The design ${design} is missing. The event is applied once it is saved.`,
  tryAgain: "Try again",
  tryNamed: (topic: string, order: string) => `Try again: ${topic} ${order}`,
  tried,
  placeNow: "Place now",
  placeNamed: (topic: string, order: string) => `Place now: ${topic} ${order}`,
  none: "No event is in this state.",
  noneEver:
    "Nothing has come from a shop platform yet. Events get here once the platform, Shopify or WooCommerce, sends its " +
    "webhooks about orders to this service.",
  pages: "Pages of events",
  newest: "Newest events",
  older: "Older events",
}
