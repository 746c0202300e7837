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
  title: "Platform orders",
  lead: "What your shop platform has sent about orders, newest first, and what became of it. Kept for 30 days.",
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
  dismiss: "Dismiss",
  dismissed: "The event was dismissed. A later one about its order is applied as usual.",
  find: "Order number or id",
  eventTitle: (topic: string) => `Event ${topic}`,
  attention: (count: string, isOne: boolean) => `${count} ${isOne ? "needs" : "need"} attention`,
  about: "About this event",
  design: "Missing design",
  id: "Event id",
  copyId: "the event id",
  history: "Changes by hand",
  todo: "What to do",
  todos: {
    missing:
      "Save the design: the event is applied then. If the design is lost, dismiss the event and settle the " +
      "order on the platform.",
    waiting: "Nothing: the event is applied within seconds.",
    failed:
      "Mend what the reason names, then try again. “Place now” makes as much of the order as can be made. Dismiss the " +
      "event if nothing has to be made.",
    unpaid: "Nothing: the order is placed once the platform says that it is paid. “Place now” does not wait for that.",
    placeable: "Nothing, unless the order must be made anyway: “Place now” does that.",
    done: "Nothing.",
  },
  none: "No events match this filter.",
  noneEver:
    "Nothing has come from a shop platform yet. Events get here once the platform, Shopify or WooCommerce, sends its " +
    "webhooks about orders to this service.",
}
