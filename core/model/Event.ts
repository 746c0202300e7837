import { Schema } from "effect"
import { format, type Instant } from "./Instant.ts"
import type { Shop } from "./Shop.ts"

const endpointKinds = ["design.ordered", "order.cancelled", "design.created"] as const

/** An event kind that an endpoint can receive (§6, D31). */
export const EndpointKind = Schema.Literals(endpointKinds)
export type EndpointKind = typeof EndpointKind.Type

/** Every event kind (§6). A `ping` is only ever a test event: no endpoint chooses it. */
export const EventKind = Schema.Literals([...endpointKinds, "ping"])
export type EventKind = typeof EventKind.Type

/** What an endpoint receives whose owner names no kinds: all but the high-volume `design.created` (§6, D31). */
export const defaultKinds: ReadonlyArray<EndpointKind> = ["design.ordered", "order.cancelled"]

/** The `apiVersion` of every envelope (§9). */
export const apiVersion = "2026-10"

/** An event as it is kept: its envelope is written once, when it happens, and sent byte for byte ever after (D21). */
export interface EventRecord {
  /** The shop's id; the envelope names its domain. */
  readonly shop: string
  /** `evt_…`, the same on every retry and redelivery (§6). */
  readonly id: string
  readonly event: EventKind
  readonly test: boolean
  readonly createdAt: Instant
  /** The {@link envelope}. */
  readonly body: string
}

/** What an envelope is made from. */
export interface EnvelopeParts {
  /** `evt_…`. */
  readonly id: string
  readonly event: EventKind
  readonly createdAt: Instant
  /** The store's domain, e.g. `shop.example.com`. */
  readonly shop: string
  /** JSON text: {@link designData}, {@link orderData} or {@link pingData}. Goes in as it is. */
  readonly data: string
  readonly test: boolean
}

/**
 * The wire form of an event, fields in the order of §2.5. `data` is neither parsed nor written anew, so that a design or an order
 * has the same bytes here as in a REST answer (D10, D21). `test` is always there.
 */
export const envelope = (parts: EnvelopeParts): string => {
  const head = JSON.stringify({
    id: parts.id,
    event: parts.event,
    apiVersion,
    createdAt: format(parts.createdAt),
    shop: parts.shop,
  })
  return `${head.slice(0, -1)},"data":${parts.data},"test":${parts.test}}`
}

/** The `data` of `design.ordered` and `design.created`, from a design's wire form (§6). */
export const designData = (wire: string): string => `{"design":${wire}}`

/** The `data` of `order.cancelled`, from an order's wire form (§6). */
export const orderData = (wire: string): string => `{"order":${wire}}`

/** The `data` of `ping` (§6, D30). */
export const pingData = (message: string): string => JSON.stringify({ message })

/** An event of a shop as it is kept. `data` is JSON text, `id` a new `evt_…`; a test event says so. */
export const eventOf = (
  shop: Shop,
  event: {
    readonly id: string
    readonly event: EventKind
    readonly data: string
    readonly now: Instant
    readonly test?: boolean
  },
): EventRecord => {
  const { data, event: kind, id, now: createdAt, test = false } = event
  const body = envelope({ id, event: kind, createdAt, shop: shop.domain, data, test })
  return { shop: shop.id, id, event: kind, test, createdAt, body }
}
