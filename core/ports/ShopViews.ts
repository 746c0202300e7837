import { Context, type Effect, type Option } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { EndpointRecord } from "../model/webhooks/Endpoint.ts"
import type { StorageError } from "./StorageError.ts"

/** A shop and its endpoints, oldest first: by `createdAt` and then by id, ids by code point. */
export interface ShopWithEndpoints {
  readonly shop: Shop
  readonly endpoints: ReadonlyArray<EndpointRecord>
  /** Whether `SettingsSessions.spend` has marked {@link setUpMark} of the shop. */
  readonly isSetUp: boolean
}

/** The id that marks a shop whose checklist for new stores is done or was hidden. */
export const setUpMark = "set up"

/** A page of shops. Without `search`, of all shops. */
export interface ShopsQuery {
  /** The beginning of the ids or of the domains, byte for byte. Not empty. */
  readonly search: string | null
  /** Only shops with a greater id. */
  readonly after: string | null
  readonly limit: number
}

/** What pages for people show at once, each in one read. */
export class ShopViews extends Context.Service<
  ShopViews,
  {
    /**
     * The results of `ShopStore.find` and `EndpointStore.list`, and the mark of a shop that is set up, as of one
     * moment; none for an unknown shop.
     */
    readonly withEndpoints: (shop: string) => Effect.Effect<Option.Option<ShopWithEndpoints>, StorageError>

    /** Up to `limit` shops by id, ascending by code point. */
    readonly page: (query: ShopsQuery) => Effect.Effect<ReadonlyArray<Shop>, StorageError>

    /**
     * A text that is different after a change of the shop's fields, its endpoints, its tokens (but not their use), its
     * newest events, deliveries, orders and notices until `now`, its attempts, or the claims of what is due first.
     * Records far from the newest may change without a difference; nothing else makes one. Cheap enough to read every
     * second: its cost does not grow with what is kept.
     */
    readonly mark: (shop: string, now: Instant) => Effect.Effect<string, StorageError>
  }
>()("designwire/ShopViews") {}
