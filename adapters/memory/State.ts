import type { Effect, Queue } from "effect"
import type { CustomizerRecord, PublishedDefinition } from "../../core/model/Customizer.ts"
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { DesignRecord } from "../../core/model/Design.ts"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import type { EventKind, EventRecord } from "../../core/model/Event.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { NoticeRecord } from "../../core/model/Notice.ts"
import type { OrderRecord } from "../../core/model/Order.ts"
import type { Position } from "../../core/model/Page.ts"
import type { Shop } from "../../core/model/Shop.ts"
import type { TokenRecord } from "../../core/model/Token.ts"

/** A customizer's description and its definitions, the first version first. */
export interface CustomizerState {
  description: Pick<CustomizerRecord, "shop" | "id" | "title" | "platformProductId" | "assetBase">
  readonly definitions: Array<PublishedDefinition>
}

/** A delivery, and who holds it. */
export interface DeliveryState {
  record: DeliveryRecord
  /** When the lease of its claim ends; before all time where nobody holds it. */
  leasedUntil: Instant
  /** The claim that may settle it. */
  token: string | null
}

/** An endpoint's deliveries. */
export interface EndpointQueue {
  readonly shop: string
  readonly endpointId: string
  readonly all: Map<string, DeliveryState>
  /** The ids of kept events that it has received, where the delivery was dropped. */
  readonly received: Set<string>
  /** Those that are pending, by when they are due and then by id; held while the endpoint is switched off. */
  readonly waiting: Array<DeliveryState>
  /** The same of test events, which nothing holds. */
  readonly waitingTests: Array<DeliveryState>
}

/** A notice, and who tells it. */
export interface NoticeState {
  readonly record: NoticeRecord
  /** When it is to be told; `null` once it was, or was given up. */
  dueAt: Instant | null
  leasedUntil: Instant
  token: string | null
  attempts: number
}

/** An event of the feed, and where it stands. */
export interface FeedEntry {
  readonly position: number
  readonly id: string
}

/** In which order a shop's events were written, tests left out. */
export interface Feed {
  /** The position of the last one. */
  written: number
  /** That of the last one that was dropped. */
  dropped: number
  /** Those that are kept, by kind, in their order. */
  readonly ofKind: Map<EventKind, Array<FeedEntry>>
}

/** What one shop holds. */
export interface ShopState {
  readonly customizers: Map<number, CustomizerState>
  readonly designs: Map<string, DesignRecord>
  readonly orders: Map<string, OrderRecord>
  /** The ids of each order's designs. */
  readonly designsOfOrder: Map<string, Set<string>>
  /** Where each order stands, oldest first: new orders mostly go to the end. */
  readonly positions: Array<Position>
  /** Tokens by id. */
  readonly tokens: Map<string, TokenRecord>
  /** When each token's counted requests were, oldest first. */
  readonly counted: Map<string, Array<Instant>>
  readonly endpoints: Map<string, EndpointRecord>
  readonly events: Map<string, EventRecord>
  readonly feed: Feed
  /** By endpoint; every endpoint has one. */
  readonly queues: Map<string, EndpointQueue>
  readonly notices: Map<string, NoticeState>
}

/** All that a memory store keeps. Hosts that are given the same one share a store. */
export interface State {
  readonly shops: Map<string, Shop>
  /** By shop, so that nothing of one shop can be reached through another. */
  readonly holdings: Map<string, ShopState>
  /** Shops that were removed: a call under way may still store something of them. */
  readonly removed: Set<string>
  /** Whose token a digest is. */
  readonly digests: Map<string, { readonly shop: string; readonly id: string }>
  readonly tokenListeners: Set<(digest: string) => Effect.Effect<void>>
  /** The shops of which a delivery is pending, the one whose turn it is first: for endpoints that are proven, and for the others. */
  readonly turns: { readonly proven: Set<string>; readonly unproven: Set<string> }
  /** Where workers wait for something to do. */
  readonly workers: Set<Queue.Queue<void>>
}

/** An empty store. */
export const makeState = (): State => ({
  shops: new Map(),
  holdings: new Map(),
  removed: new Set(),
  digests: new Map(),
  tokenListeners: new Set(),
  turns: { proven: new Set(), unproven: new Set() },
  workers: new Set(),
})

/** What a shop holds, from now on if it held nothing. */
export const holdingsOf = (state: State, shop: string): ShopState => {
  const kept = state.holdings.get(shop)
  if (kept !== undefined) return kept
  const made: ShopState = {
    customizers: new Map(),
    designs: new Map(),
    orders: new Map(),
    designsOfOrder: new Map(),
    positions: [],
    tokens: new Map(),
    counted: new Map(),
    endpoints: new Map(),
    events: new Map(),
    feed: { written: 0, dropped: 0, ofKind: new Map() },
    queues: new Map(),
    notices: new Map(),
  }
  state.holdings.set(shop, made)
  return made
}
