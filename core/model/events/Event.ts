import { Schema } from "effect"
import { format, type Instant } from "../Instant.ts"
import type { TraceContext } from "../log/TraceContext.ts"
import type { Shop } from "../shops/Shop.ts"

const endpointKinds = ["design.ordered", "order.cancelled", "design.created", "design.cancelled"] as const

/** An event kind that an endpoint can receive (§6, D31). */
export const EndpointKind = Schema.Literals(endpointKinds)
export type EndpointKind = typeof EndpointKind.Type

/** Every event kind (§6). A `ping` is only ever a test event: no endpoint chooses it. */
export const EventKind = Schema.Literals([...endpointKinds, "ping"])
export type EventKind = typeof EventKind.Type

/** The occasion of each kind of event, in a sentence for the owner of a shop. */
export const eventMeanings: Readonly<Record<EventKind, string>> = {
  "design.ordered": "An order that contains the design is placed. Sent once per design.",
  "order.cancelled": "An order with custom items is cancelled, and its designs with it.",
  "design.created": "A buyer saves a design on the storefront. Off by default, high volume.",
  "design.cancelled": "A line of an order is removed, refunded or cancelled, while the order holds. Off by default.",
  ping: "You send a test event while the shop has no ordered design.",
}

/**
 * The kinds of an endpoint whose owner names none: neither the high-volume `design.created` (§6, D31), nor
 * `design.cancelled`, which receivers from before it don't know (D82).
 */
export const defaultKinds: ReadonlyArray<EndpointKind> = ["design.ordered", "order.cancelled"]

/** The `apiVersion` of every envelope (§9). */
export const apiVersion = "2026-10"

/** The platform's id of the order and the id of the design that an event is about, as far as there are such. */
export interface Subject {
  readonly order: string | null
  readonly design: string | null
}

/** The subject of an event that is about neither, e.g. a `ping`. */
export const noSubject: Subject = { order: null, design: null }

/** An event as it is kept: its envelope is written once, when it happens, and sent byte for byte from then on (D21). */
export interface EventRecord {
  /** The shop's id; the envelope names its domain. */
  readonly shop: string
  /** `evt_…`, the same on every retry and redelivery (§6). */
  readonly id: string
  readonly event: EventKind
  readonly test: boolean
  readonly createdAt: Instant
  /** By which its deliveries are found. An event about a whole order has no design. */
  readonly subject: Subject
  /** The trace in which it happened, which its deliveries continue (D70); `null` without a tracer. */
  readonly trace: TraceContext | null
  /** The envelope (§2.5), as {@link eventOf} writes it. */
  readonly body: string
}

/** The `data` of `design.ordered`, `design.created` and `design.cancelled`, from a design's wire form (§6). */
export const designData = (wire: string): string => `{"design":${wire}}`

/** The `data` of `order.cancelled`, from an order's wire form (§6). */
export const orderData = (wire: string): string => `{"order":${wire}}`

/** The `data` of `ping` (§6, D30). */
export const pingData = (message: string): string => JSON.stringify({ message })

/** What happened, before it is an event of a shop. */
export interface Happening {
  /** `evt_…`, a new one. */
  readonly id: string
  readonly event: EventKind
  /** JSON text: {@link designData}, {@link orderData} or {@link pingData}. */
  readonly data: string
  readonly now: Instant
  /** Left out if it is about no order and no design. */
  readonly subject?: Subject
  /** Left out but for a test event. */
  readonly test?: boolean
  /** Left out or `null` without a tracer. */
  readonly trace?: TraceContext | null
}

/**
 * An event of a shop as it is kept. Its body is the envelope, fields in the order of §2.5. `data` is neither parsed nor
 * written again, so that a design or an order has the same bytes here as in a REST answer (D10, D21). `test` is always
 * there.
 */
export const eventOf = (
  shop: Shop,
  { data, event, id, now, subject = noSubject, test = false, trace = null }: Happening,
): EventRecord => {
  const head = JSON.stringify({ id, event, apiVersion, createdAt: format(now), shop: shop.domain })
  const body = `${head.slice(0, -1)},"data":${data},"test":${test}}`
  return { shop: shop.id, id, event, test, createdAt: now, subject, trace, body }
}
