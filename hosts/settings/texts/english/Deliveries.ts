import { type TlsFault, tlsFaults } from "../../../../core/model/webhooks/TlsFault.ts"
import { countedWaiting } from "../../../../core/ports/DeliveryLog.ts"
import { figuresOf } from "../../parts/Figures.ts"
import type { Inline } from "../Inline.ts"

const { figure } = figuresOf("en-GB")

/** `75 ms`, or `1.4 s` from a second on. */
const duration = (milliseconds: number) =>
  milliseconds < 1000 ? `${figure(milliseconds)} ms` : `${figure(milliseconds / 1000)} s`

const counted = (count: number) => (count > countedWaiting ? `More than ${figure(countedWaiting)}` : figure(count))

/** The words for deliveries, their attempts and their outcomes. */
export const deliveries = {
  states: { succeeded: "Delivered", failed: "Failed", pending: "Pending", dropped: "Dropped" },
  underWay: "Under way",
  attempts: (made: number, maximum: number) => `${made} of ${maximum}`,
  milliseconds: (number: number) => `${figure(number)} ms`,
  duration,
  about: (milliseconds: number) => `about ${duration(milliseconds)}`,
  upTo: (milliseconds: number) => `up to ${duration(milliseconds)}`,
  over: (milliseconds: number) => `over ${duration(milliseconds)}`,
  statusAndReason: (code: number, reason: string) => `${code}: ${reason}`,
  notFound: "The host was not found",
  refused: "The connection was refused, or the host can't be reached",
  noConnection: (seconds: number) => `No connection within ${seconds} seconds`,
  certificate: "The certificate was not accepted",
  tls: tlsFaults as Readonly<Record<TlsFault, string>>,
  notReady: (seconds: number) => `The connection was not ready within ${seconds} seconds`,
  noResponse: (seconds: number) => `No response within ${seconds} seconds`,
  redirects: "Redirects are not followed",
  notPublic: "The host has a non-public address",
  closed: "The connection was closed",
  tokenAnswered: (code: string, error: string) => `The token endpoint answered ${code}${error}`,
  noToken: "No access token, so nothing was sent",
}

/** The texts of lists of deliveries, and of what waits. */
export const deliveryList = {
  title: "Deliveries",
  lead: "What was sent to your endpoints, newest first, and what is still to be sent.",
  lists: "Lists of deliveries",
  all: "All",
  waiting: "Waiting",
  columns: {
    state: "State",
    about: "About",
    event: "Event",
    endpoint: "Endpoint",
    time: "Created",
    response: "Response",
    due: "Goes out",
    why: "Why it waits",
  },
  order: (id: string) => `Order ${id}`,
  design: (id: string) => `Design ${id}`,
  aboutNothing: "Nothing in the shop",
  noAttempt: "None yet",
  filters: {
    state: "State",
    endpoint: "Endpoint",
    kind: "Event",
    test: "Test events",
    time: "Time",
    chips: { "": "All", today: "Today", "24h": "24 h", "7d": "7 d", since: "Since …" },
    from: "From",
    to: "To",
    attempts: "Attempts",
    any: "All",
    onlyTests: "Only test events",
    noTests: "No test events",
    apply: "Filter",
    reset: "Show all",
    wrong: (fields: ReadonlyArray<string>) => `The filter can't be read: ${fields.join(", ")}. Choose it again.`,
  },
  wrongPlace: "The address names no place in the list. Begin with its first page.",
  none: "No deliveries match this filter.",
  noneEver: "Nothing has been delivered yet.",
  noneHere: "None of the newest deliveries that were looked through match. Older ones may.",
  waitingTitle: "Waiting",
  waitingLead: "What goes out next, and what waits for something else.",
  causes: {
    due: (count: number): Inline => `${counted(count)} ${count === 1 ? "goes" : "go"} out now`,
    retry: (count: number, next: Inline): Inline => [
      ...[`${counted(count)} ${count === 1 ? "is" : "are"} tried again, `, count > 1 && "next ", next],
    ],
    behind: (count: number): Inline =>
      `${counted(count)} ${count === 1 ? "waits" : "wait"} behind another about the same order or design`,
    held: (count: number) => `${counted(count)} held for`,
    limited: (count: number) => `${counted(count)} of them to`,
  },
  limits: {
    failing: "One at a time is sent while the endpoint fails",
    concurrent: (number: number) => `At most ${figure(number)} ${number === 1 ? "is" : "are"} sent at once`,
    rate: (number: number) => `At most ${figure(number)} a second ${number === 1 ? "is" : "are"} sent`,
  },
  nothingWaits: "Nothing waits.",
  now: "Now",
  held: "Held",
  why: {
    plan: "The shop's plan does not include webhooks",
    paused: "The endpoint is paused",
    off: "The endpoint is switched off",
    underWay: "An attempt is under way",
    behind: "An earlier delivery about the same order or design comes first",
    due: "It is due",
    retry: (number: number, maximum: number) => `Retry ${number} of ${maximum} after a failed attempt`,
  },
  allOfEndpoint: "All deliveries of this endpoint",
  allWaiting: "Everything that waits",
  endpointWaiting: "Waiting for this endpoint",
}

/** The texts of the fate of an order. */
export const fate = {
  title: "Where it went",
  titleOf: (order: string) => `Where the order ${order} went`,
  became: "What became of it",
  send: "Send",
  sendCount: (events: number) => (events === 1 ? "Send" : `Send ${figure(events)}`),
  sendTo: (name: string, events: number) => (events === 1 ? `Send to ${name}` : `Send ${figure(events)} to ${name}`),
  more: (events: number) => `and ${figure(events)} more`,
  newest: (events: number) => `Its newest ${figure(events)} events`,
  noEndpoints: "The shop has no webhook endpoints.",
  noEvents: "No event of this order is kept.",
  old: "Not known: the order is older than 30 days, and events are kept for 30 days.",
  oldOnes: "Events are kept for 30 days. Older ones of this order are not listed.",
  notSent: "Not sent",
  notListed: "Not listed",
  behind: "waiting behind",
  nextTry: "next attempt:",
  because: {
    added: "The endpoint was added later",
    plan: "The shop's plan did not include webhooks",
    paused: "The endpoint was paused",
    switched_off: "The endpoint was switched off",
    kind: "The endpoint did not take this kind of event",
    customizers: "The endpoint wants designs of other customizers",
    unlisted: "The log keeps the newest deliveries, and an imported order has none",
  },
  sent: (events: number) =>
    events === 0
      ? "Nothing was sent: everything about this order waits already, or was deleted."
      : `${figure(events)} ${events === 1 ? "event is" : "events are"} on the way.`,
}

/** The texts of the page of a delivery. */
export const delivery = {
  title: (kind: string, host: string) => `${kind} to ${host} · Delivery`,
  waitsForEarlier: "When the earlier ones about the same order or design are finished",
  waitsForEndpoint: "When the endpoint is enabled",
  download: "Download body",
  about: "About this delivery",
  deliveryId: "Delivery id",
  deliveryIdLabel: "the delivery id",
  created: "Created",
  attempts: "Attempts",
  took: (duration: string) => `in ${duration}`,
  attempt: (number: number, when: Inline): Inline => [`Attempt ${number}, `, when],
  droppedText: "The endpoint no longer receives this kind of event.",
  next: "Next attempt",
  request: "Request",
  noRequest: "Nothing has been sent yet, or the signing secret has since been replaced or can't be decrypted.",
  headers: "Headers, as last sent",
  headersLabel: "the headers",
  standard:
    "The Standard Webhooks headers are shown as they would be sent now, signed with the current signing secrets.",
  body: "Body, as sent",
  bodyLabel: "the body",
  beginning: "This is only the beginning. Download the body to see all of it.",
  formatted: "Show the body formatted",
  curl: "Send it yourself with curl",
  curlLabel: "the curl command",
  curlText:
    "The command uses the endpoint's current URL, because the URLs of past attempts are not kept. A receiver that " +
    "checks the timestamp refuses the request five minutes after the attempt.",
  willBeSent: "The event will be sent again, with the same event id, when the endpoint is enabled.",
  isBeingSent: "The event is being sent again, with the same event id. This is the new delivery.",
}

const attempts = (number: number) => `${figure(number)} failed attempt${number === 1 ? "" : "s"}`

/** The texts of the figures and the chart of deliveries. */
export const activity = {
  title: "Activity",
  time: "Period",
  ranges: { "1h": "2 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" },
  delivered: "Delivered",
  failedAttempts: "Failed attempts",
  retried: "Failed, tried again",
  givenUp: "Given up",
  median: "Median time",
  within: "95 % within",
  pending: "Pending now",
  sentence: (sum: { readonly succeeded: number; readonly failedAttempts: number; readonly givenUp: number }) =>
    [`${figure(sum.succeeded)} delivered`, attempts(sum.failedAttempts), `${figure(sum.givenUp)} given up`].join(", "),
  asTable: "As a table",
  table: "Attempts by time",
  from: "From, in UTC",
  medianColumn: "Median",
  withinColumn: "95 %",
}
