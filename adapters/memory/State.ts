import { type Effect, type Queue, Semaphore } from "effect"
import type { TokenRecord } from "../../core/model/access/Token.ts"
import type { AuditEntry } from "../../core/model/audit/AuditEntry.ts"
import type { CustomizerRecord, PublishedDefinition } from "../../core/model/catalog/Customizer.ts"
import type { DesignRecord } from "../../core/model/catalog/Design.ts"
import type { EventKind, EventRecord } from "../../core/model/events/Event.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { InboxEntry } from "../../core/model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../../core/model/ingest/PlatformConnection.ts"
import type { OrderRecord, UnstoredOrder } from "../../core/model/orders/Order.ts"
import type { OrderLines } from "../../core/model/orders/OrderLine.ts"
import type { Position } from "../../core/model/Page.ts"
import type { Shop } from "../../core/model/shops/Shop.ts"
import type { AttemptCounts } from "../../core/model/webhooks/AttemptCounts.ts"
import type { DeliveryRecord } from "../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../core/model/webhooks/Endpoint.ts"
import type { NoticeRecord } from "../../core/model/webhooks/Notice.ts"
import type { Signal } from "../../core/ports/DeliverySignal.ts"
import type { Planned } from "../../core/rules/webhooks/Pace.ts"

/** A customizer's description and its definitions, first version first. */
export interface CustomizerState {
  description: Pick<CustomizerRecord, "shop" | "id" | "title" | "platformProductId" | "assetBase">
  readonly definitions: Array<PublishedDefinition & { readonly publishedAt: Instant }>
}

/** A delivery and its claim. */
export interface DeliveryState {
  record: DeliveryRecord
  /** End of the lease; before all time without a claim. */
  leasedUntil: Instant
  /** The claim that may settle it. */
  token: string | null
  /** The object in whose line it stands (`Ordering.lineOf`). */
  line: string | null
}

/** An endpoint's deliveries. */
export interface EndpointQueue {
  readonly shop: string
  readonly endpointId: string
  readonly all: Map<string, DeliveryState>
  /** Ids of stored events that it has received and whose delivery was dropped. */
  readonly received: Set<string>
  /** Counts of its attempts, by the beginning of their hour. */
  readonly counts: Map<Instant, AttemptCounts>
  /** Pending deliveries by due time and then by id; suspended while the endpoint is switched off. */
  readonly pending: Array<DeliveryState>
  /** The same for test events, which are never suspended. */
  readonly pendingTests: Array<DeliveryState>
  /** What claims have planned for it, if it has a pace (D54). */
  planned: Planned
  /** Pending deliveries by the object in whose line they stand, the front first. */
  readonly lines: Map<string, Array<DeliveryState>>
}

/** A notice and its claim. */
export interface NoticeState {
  readonly record: NoticeRecord
  /** When it is due; `null` once it was sent or given up. */
  dueAt: Instant | null
  leasedUntil: Instant
  token: string | null
  attempts: number
}

/** An event of the feed and its position. */
export interface FeedEntry {
  readonly position: number
  readonly id: string
}

/** A shop's events in the order of writing, without tests. */
export interface Feed {
  /** Position of the last event. */
  written: number
  /** Position of the last dropped event. */
  dropped: number
  /** Stored events by kind, in order. */
  readonly ofKind: Map<EventKind, Array<FeedEntry>>
}

/** The answer to a request with a key. */
export interface AnswerState {
  readonly request: string
  readonly answer: string | null
  readonly until: Instant
  readonly hasTexts: boolean
}

/** A mark of a session of the settings app: a used id, or an owner's epoch. */
export interface SessionMark {
  readonly epoch: number
  readonly until: Instant
}

/** An event of a platform, and its body until it is done. */
export interface InboxState {
  readonly entry: InboxEntry
  readonly body: string | null
}

/** The records of one shop. */
export interface ShopState {
  readonly customizers: Map<number, CustomizerState>
  readonly designs: Map<string, DesignRecord>
  /** When each design was last written. */
  readonly saved: Map<string, Instant>
  readonly orders: Map<string, OrderRecord>
  /** Reports of orders that are not stored, by the order's id. */
  readonly unstored: Map<string, UnstoredOrder>
  /** Lines of orders, by the order's id. */
  readonly lines: Map<string, OrderLines>
  /** By the keys of their requests. */
  readonly answers: Map<string, AnswerState>
  /** The ids of each order's designs. */
  readonly designsOfOrder: Map<string, Set<string>>
  /** Positions of orders, oldest first: new orders mostly go to the end. */
  readonly positions: Array<Position>
  /** Tokens by id. */
  readonly tokens: Map<string, TokenRecord>
  /** Times of each token's counted requests, oldest first. */
  readonly counted: Map<string, Array<Instant>>
  readonly endpoints: Map<string, EndpointRecord>
  readonly events: Map<string, EventRecord>
  readonly feed: Feed
  /** By endpoint; every endpoint has one. */
  readonly queues: Map<string, EndpointQueue>
  readonly notices: Map<string, NoticeState>
  /** Used ids of the settings app, and epochs of owners of its sessions. */
  readonly marks: Map<string, SessionMark>
  /** The events of platforms that notices have reported: ids, each with the letter of the kind. */
  readonly told: Set<string>
  /** Events of platforms by id, in the order of adding. */
  readonly inbox: Map<string, InboxState>
  /** Connections to platforms, by the platform's name. */
  readonly platforms: Map<string, PlatformRecord>
  /** Entries of changes, in the order of adding. */
  audit: Array<AuditEntry>
}

/** The content of a memory store. Hosts with the same state share a store. */
export interface State {
  readonly shops: Map<string, Shop>
  /** By shop, so that nothing of one shop can be reached through another. */
  readonly holdings: Map<string, ShopState>
  /** Removed shops: a concurrent call may still store records of them. */
  readonly removed: Set<string>
  /** Owners of tokens by digest. */
  readonly digests: Map<string, { readonly shop: string; readonly id: string }>
  readonly tokenListeners: Set<(digest: string) => Effect.Effect<void>>
  /** Shops with pending deliveries. */
  readonly pending: Set<string>
  /** Requests with a key that are being carried out: the shop and the key. */
  readonly underWay: Set<string>
  /** The turn of the one event of a platform that is being applied. */
  readonly inboxTurn: Semaphore.Semaphore
  /** Queues on which workers wait for signals. */
  readonly workers: Set<Queue.Queue<Signal>>
}

/** An empty store. */
export const makeState = (): State => ({
  shops: new Map(),
  holdings: new Map(),
  removed: new Set(),
  digests: new Map(),
  tokenListeners: new Set(),
  pending: new Set(),
  underWay: new Set(),
  inboxTurn: Semaphore.makeUnsafe(1),
  workers: new Set(),
})

/** The records of a shop, created empty if it had none. */
export const holdingsOf = (state: State, shop: string): ShopState => {
  const kept = state.holdings.get(shop)
  if (kept !== undefined) return kept
  const made: ShopState = {
    customizers: new Map(),
    designs: new Map(),
    orders: new Map(),
    unstored: new Map(),
    lines: new Map(),
    answers: new Map(),
    designsOfOrder: new Map(),
    positions: [],
    tokens: new Map(),
    counted: new Map(),
    endpoints: new Map(),
    events: new Map(),
    feed: { written: 0, dropped: 0, ofKind: new Map() },
    queues: new Map(),
    notices: new Map(),
    marks: new Map(),
    told: new Set(),
    saved: new Map(),
    inbox: new Map(),
    platforms: new Map(),
    audit: [],
  }
  state.holdings.set(shop, made)
  return made
}
