/** Filters and places of lists of deliveries, as the addresses of pages have them. */
import { type DateTime, Effect } from "effect"
import { EventKind, type Subject } from "../../core/model/events/Event.ts"
import { isInstant } from "../../core/model/Instant.ts"
import { isStorable } from "../../core/model/Text.ts"
import { DeliveryStatus } from "../../core/model/webhooks/Delivery.ts"
import type { AttemptsSpan, DeliveryFilter, DeliveryPlace } from "../../core/model/webhooks/LoggedDelivery.ts"
import { orderNames } from "../../core/usecases/orders/SearchOrders.ts"
import { readFields, timeFields, typedIn, Unreadable } from "./Query.ts"
import { Visit } from "./Visit.ts"

/** The fields of the filter, in the order of the form. */
export const filterFields = ["state", "endpoint", "kind", "test", "from", "to", "attempts"] as const

export type FilterTexts = Readonly<Record<(typeof filterFields)[number], string>>

/** The filter of the current request as its form sent it: every field a text, empty for no restriction. */
export const filterTexts = (query: URLSearchParams): FilterTexts => typedIn(query, filterFields)

const hour = 60 * 60 * 1000

/** Attempts that began in some hours, as links name them: `2026-10-05T14_24`; failed ones `failed_2026-10-05T14_24`. */
export const attemptsText = (from: number, until: number) =>
  `${new Date(from).toISOString().slice(0, 13)}_${(until - from) / hour}`

const readAttempts = (text: string): AttemptsSpan | undefined => {
  const [, failed, begin, hours] = /^(failed_)?(\d{4}-\d\d-\d\dT\d\d)_(\d{1,4})$/.exec(text) ?? []
  const from = begin === undefined ? Number.NaN : Date.parse(`${begin}:00Z`)
  return isInstant(from) ? { failed: failed !== undefined, from, until: from + Number(hours) * hour } : undefined
}

/** The longest id. */
const maximumId = 255

/** Reads a filter; `to` is the last day that it selects. Fails with `Unreadable` for fields that can't be read. */
export const readFilter = Effect.fnUntraced(function* (texts: FilterTexts, zone: DateTime.TimeZone) {
  const { filters } = (yield* Visit).texts.deliveryList
  const { state, to, ...others } = yield* readFields(texts, {
    state: [filters.state, (text) => DeliveryStatus.literals.find((status) => status === text)],
    endpoint: [filters.endpoint, (text) => (isStorable(text) && text.length <= maximumId ? text : undefined)],
    kind: [filters.kind, (text) => EventKind.literals.find((kind) => kind === text)],
    test: [filters.test, (text) => (text === "yes" ? true : text === "no" ? false : undefined)],
    attempts: [filters.attempts, readAttempts],
    ...(yield* timeFields(zone)),
  })
  const filter: DeliveryFilter = { ...others, status: state, until: to ?? others.attempts?.until }
  return filter
})

/** A place as links name it: `<milliseconds>_<id>`. */
export const placeText = ({ at, id }: DeliveryPlace): string => `${at}_${id}`

/** Reads the place after which a page begins. Fails with `Unreadable` for a text that no link of ours has. */
export const readPlace = Effect.fnUntraced(function* (query: URLSearchParams) {
  const text = query.get("after")
  if (text === null) return null
  const [, at = "", id = ""] = /^(-?\d{1,15})_(.{1,300})$/su.exec(text) ?? []
  if (at === "" || !isInstant(Number(at)) || !isStorable(id)) {
    return yield* new Unreadable({ message: (yield* Visit).texts.deliveryList.wrongPlace })
  }
  return { at: Number(at), id }
})

/** An address with parameters, without those that are empty. */
export const addressOf = (path: string, parameters: Readonly<Record<string, string>>): string => {
  const given = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""))
  return given.size === 0 ? path : `${path}?${given}`
}

/** The names of orders, and of the products of their designs, by their ids. */
export type Named = Effect.Success<ReturnType<typeof ordersAbout>>

/** The names of the orders and designs that deliveries are about. */
export const ordersAbout = (shop: string, deliveries: ReadonlyArray<{ readonly subject: Subject }>) =>
  orderNames(
    shop,
    deliveries.map(({ subject }) => subject.order),
  )
