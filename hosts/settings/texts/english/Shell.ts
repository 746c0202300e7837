import { figuresOf } from "../../parts/Figures.ts"
import type { Inline } from "../Inline.ts"

const { figure, plural } = figuresOf("en-GB")

/** The texts around every page. */
export const layout = {
  skip: "Skip to content",
  menu: "Settings",
  changeStore: "Change shop",
  signOut: "Sign out",
  readOnly: "You may look at everything here, and change nothing: the link that you came by is read-only.",
}

/** The texts of the overview. */
export const overview = {
  title: "Overview",
  orders: "Newest orders",
  ordersTotal: "Orders, all time",
  more: (designs: number) => `and ${designs} more`,
  allWorking: "All working",
  waiting: (count: string) => `${count} waiting: what and why`,
  platformFailed: (events: number) =>
    `${figure(events)} ${events === 1 ? "event" : "events"} about orders could not be taken over`,
  platformWaiting: (events: number) =>
    `${figure(events)} ${events === 1 ? "event has" : "events have"} waited too long for a design or payment`,
}

/** The texts of pages that stay up to date by themselves. */
export const live = {
  fresh: "# new",
  stale: "This page could not be brought up to date: it may show how things were. Load it again.",
}

/** The texts of the notices. */
export const notices = {
  title: "Notices",
  failing: (failures: number) => `Failed ${figure(failures)} times in a row`,
  switchedOff: (failures: number) => `Switched off after ${figure(failures)} failures in a row`,
  timeout: "no answer in time",
  givenUp: (attempts: number) =>
    `Delivery given up after ${figure(attempts)} ${attempts === 1 ? "attempt" : "attempts"}`,
  tokenEnding: (name: string) => `The API token “${name}” ends soon`,
  tokenEnd: (when: Inline): Inline => ["Ends ", when],
  inboxDropped: (events: number) =>
    events === 1
      ? "An event of the shop platform was dropped and never applied"
      : `${figure(events)} events of the shop platform were dropped and never applied`,
  inboxOldest: (order: Inline): Inline => ["The oldest was about the order ", order],
  inboxTroubled: {
    failed: "An event of the shop platform could not be applied",
    waiting: "An event of the shop platform has waited for 15 minutes",
    unpaid: "An order has waited for payment for 24 hours",
  },
  platformEnded: (platform: string) => `The connection to ${platform} has ended: no more orders come from it`,
  platformTroubled: (platform: string) => `The connection to ${platform} needs attention`,
  inboxOrder: (order: Inline): Inline => ["About the order ", order],
  inboxMany: (count: string) => `The oldest of ${count} then`,
  off: (endpoints: number) => (endpoints === 1 ? "1 endpoint is off" : `${figure(endpoints)} endpoints are off`),
}

/** The texts of the search. */
export const find = {
  label: "Find an order by its id or name, or a design, event or delivery by its id",
  placeholder: "Find by id or order name",
  button: "Find",
  title: "Find",
  titleOf: (query: string) => `Find ${query}`,
  results: (query: string) => `Results for ${query}`,
  as: { order: "Order", design: "Design", event: "Event", delivery: "Delivery" },
  open: "Show it",
  moreOrders: "Several orders have this name, and only the newest are shown here.",
  allOrders: (name: string) => `All orders named ${name}`,
  noEvents: "No event about it is kept any more, and no delivery.",
  events: (count: number, most: number) =>
    count >= most
      ? `The newest ${figure(most)} events about it`
      : `${figure(count)} ${plural(count, { one: "event", other: "events" })} about it`,
  noDeliveries: "No endpoint has a delivery of it: none takes the event, or the deliveries are no longer kept.",
  nothing: "Nothing was found",
  hint:
    "Search for the id or the name of an order on your platform, or for the id of a design, event (evt_…) or delivery " +
    "(dlv_…), or paste a sentence or a link that has one. Events and deliveries are kept for 30 days.",
}

/** The texts of searches and of pages of lists. */
export const paging = {
  search: "Search",
  stores: "Id or domain, from its beginning",
  tokens: "Name, or the last four characters",
  noneFound: "Nothing found",
  tryAnother: (search: string) => `Nothing matches “${search}”.`,
  showAll: "Show all",
  pages: "Pages",
  links: {
    newest: ["Newest", "Older"],
    soonest: ["Soonest", "Later"],
    first: ["First page", "Next page"],
  },
  beginning: "Back to the beginning",
  further: "Next",
}

/** The texts of parts that several pages share. */
export const parts = {
  copy: "Copy",
  copied: "Copied",
  copyLabel: (what: string) => `Copy ${what}`,
  command: "the command",
  apiHint: "Put an API token in place of the dots.",
  save: "Save",
  cancel: "Cancel",
  keep: "Keep it",
  shownOnce: "It is shown only once. Store it now, together with your other secrets.",
  stored: "I have stored it",
  test: "Test",
}

/** The words for the state of an endpoint. */
export const badges = {
  free: "Nothing is sent on the free plan",
  switchedOff: (when: Inline): Inline => ["Switched off ", when],
  paused: (when: Inline): Inline => ["Paused ", when],
  active: "Active",
  failing: (failures: number, maximum: number) => `Failing, ${failures} of ${maximum}`,
  why: (answer: Inline, when: Inline, since: Inline): Inline => [
    ...["Last answer: ", answer, " ", when, since !== false && " · first failure "],
    since,
  ],
}

/** The texts about what a shop's plan does not include. */
export const plans = {
  webhooks:
    "Webhooks are part of the Pro and Plus plans. This shop is on the free plan: nothing is sent, and endpoints " +
    "can't be added.",
  waits: "When the shop's plan includes webhooks",
}
