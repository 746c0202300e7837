/** What became of the events of an order at an endpoint of its shop, and why some were never sent to it. */
import type { AuditEntry, AuditValue } from "../../model/audit/AuditEntry.ts"
import type { EventKind } from "../../model/events/Event.ts"
import type { Instant } from "../../model/Instant.ts"
import { includesApi, type Shop } from "../../model/shops/Shop.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import type { FoundEvent, LoggedDelivery } from "../../model/webhooks/LoggedDelivery.ts"

/**
 * Why an event has no delivery to an endpoint, and since when that was so, if it is known. `unlisted`: its delivery is
 * no longer in the log, or the event was stored without deliveries (`Change.isQuiet`).
 */
export interface Unsent {
  readonly because: "added" | "plan" | "paused" | "switched_off" | "kind" | "customizers" | "unlisted"
  readonly since: Instant | null
}

/** The delivery of an event to an endpoint that says what became of it, or why there is none. */
export type Fate = { readonly delivery: LoggedDelivery } | Unsent

/** The former options and states of an endpoint and its shop, and the kinds of their events. */
export interface Past {
  readonly endpoint: Pick<EndpointRecord, "id" | "createdAt" | "status" | "switchedOffAt" | "kinds" | "options">
  readonly shop: Pick<Shop, "plan">
  /** The entries about the endpoint and about its shop, the newest first. */
  readonly entries: ReadonlyArray<AuditEntry>
  /** All entries since this instant are there. */
  readonly knownSince: Instant
  /** The customizers of the designs that an event shows; `null` if they are not known. */
  readonly customizersOf: (event: FoundEvent) => ReadonlyArray<number> | null
}

/** A field as it was at an instant: as the first change after it has found it, or else as it is now. */
const fieldAt = (type: "endpoint" | "shop", name: string, now: AuditValue, { entries }: Past, at: Instant) => {
  const change = entries.findLast(
    (entry) => entry.subject.type === type && entry.at > at && entry.before !== null && name in entry.before,
  )
  return change === undefined ? now : (change.before?.[name] ?? null)
}

const unsentOf = (event: FoundEvent, past: Past): Unsent => {
  const { createdAt: at } = event
  const { endpoint, shop } = past
  if (endpoint.createdAt > at) return { because: "added", since: endpoint.createdAt }
  if (past.knownSince > at) return { because: "unlisted", since: null }
  const then = (name: string, now: AuditValue) => fieldAt("endpoint", name, now, past, at)
  const plan = fieldAt("shop", "plan", shop.plan, past, at) as Shop["plan"]
  if (!includesApi(plan)) return { because: "plan", since: null }
  const status = then("status", endpoint.status) as EndpointRecord["status"]
  if (status !== "active") {
    const { status: now, switchedOffAt } = endpoint
    const entry = past.entries.find((one) => one.at <= at && one.after?.["status"] === status)
    const kept = now === status && switchedOffAt !== null && switchedOffAt <= at ? switchedOffAt : null
    return { because: status, since: entry?.at ?? kept }
  }
  if (!(then("events", endpoint.kinds) as ReadonlyArray<string>).includes(event.event)) {
    return { because: "kind", since: null }
  }
  const wanted = then("customizers", endpoint.options.customizers?.map(String) ?? null) as ReadonlyArray<string> | null
  const shown = past.customizersOf(event)
  const isOther = wanted !== null && shown !== null && !shown.some((id) => wanted.includes(String(id)))
  return { because: isOther ? "customizers" : "unlisted", since: null }
}

/** Of an event's deliveries to an endpoint, the newest that is pending, has succeeded, or has ended otherwise. */
export const shownOf = (
  event: Pick<FoundEvent, "id">,
  endpointId: string,
  deliveries: ReadonlyArray<LoggedDelivery>,
): LoggedDelivery | undefined => {
  const own = deliveries.filter((one) => one.eventId === event.id && one.endpointId === endpointId && !one.test)
  const newest = own.toSorted((one, other) => other.createdAt - one.createdAt)
  return (
    newest.find(({ status }) => status === "pending") ??
    newest.find(({ status }) => status === "succeeded") ??
    newest.at(0)
  )
}

/** What became of an event at an endpoint: by its deliveries, and otherwise by what the endpoint was at its time. */
export const fateOf = (event: FoundEvent, deliveries: ReadonlyArray<LoggedDelivery>, past: Past): Fate => {
  const delivery = shownOf(event, past.endpoint.id, deliveries)
  return delivery === undefined ? unsentOf(event, past) : { delivery }
}

/** An event of an order and its fate. */
export interface EventFate {
  readonly event: FoundEvent
  readonly fate: Fate
}

/**
 * The events that are sent if somebody asks for it, the oldest first: those that the endpoint lacks although it wants
 * them, or else all that it has, or else all; never one that waits, because it will be sent anyway.
 */
export const toSend = (fates: ReadonlyArray<EventFate>): ReadonlyArray<FoundEvent> => {
  const stateOf = ({ fate }: EventFate) => ("delivery" in fate ? fate.delivery.status : fate.because)
  const idle = fates.filter((one) => stateOf(one) !== "pending")
  const received = idle.filter((one) => stateOf(one) === "succeeded")
  const unwanted = ["kind", "customizers", "dropped", "succeeded"]
  const lacking = idle.filter((one) => !unwanted.includes(stateOf(one)))
  const chosen = lacking.length > 0 ? lacking : received.length > 0 ? received : idle
  return chosen.map(({ event }) => event).toSorted((one, other) => one.createdAt - other.createdAt)
}

/** Events of one kind with the same fate: the newest one's. */
export interface FateLine {
  readonly kind: EventKind
  readonly events: number
  readonly fate: Fate
}

const sortOf = ({ event, fate }: EventFate): string => {
  if (!("delivery" in fate)) return `${event.event} ${fate.because} ${fate.since}`
  const { isBehind, lastAttempt, status } = fate.delivery
  const answer = status === "succeeded" ? "" : `${lastAttempt?.statusCode} ${lastAttempt?.error} ${isBehind}`
  return `${event.event} ${status} ${answer}`
}

/** The fates of an order's events, which are given the newest first, in as few lines as say all. */
export const linesOf = (fates: ReadonlyArray<EventFate>): ReadonlyArray<FateLine> =>
  [...Map.groupBy(fates, sortOf).values()].flatMap((alike) => {
    const [newest] = alike
    return newest === undefined ? [] : [{ kind: newest.event.event, events: alike.length, fate: newest.fate }]
  })
