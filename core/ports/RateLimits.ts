import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** What a token may do: at most `limit` accepted requests in any span of `window` milliseconds. */
export interface RateLimit {
  readonly limit: number
  readonly window: number
}

/** How a token stands against its limit. */
export interface RateStanding {
  /** Further requests that would be accepted now. */
  readonly remaining: number
  /**
   * Milliseconds from the caller's `now` until the oldest counted request leaves the window, 0 where none is counted; where none
   * remain, until one more is accepted.
   */
  readonly resetAfter: number
}

/** Whether a request is accepted, and how its token stands after it. */
export interface RateDecision extends RateStanding {
  readonly accepted: boolean
}

/** A token's request. */
export interface RateRequest {
  readonly shop: string
  readonly tokenId: string
  readonly now: Instant
  readonly rate: RateLimit
}

/**
 * Counts accepted requests per token exactly, over all hosts that share the store (D16): in no span of `window` ms
 * are more than `limit` accepted. A request counts from `now` for `window` milliseconds; refused requests do not count.
 *
 * Hosts' clocks may differ: a `now` earlier than one already counted is taken to be that one.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a request, if it is accepted. */
    readonly take: (request: RateRequest) => Effect.Effect<RateDecision, StorageError>
    /** Tells how a token stands, and counts nothing. */
    readonly peek: (request: RateRequest) => Effect.Effect<RateStanding, StorageError>
  }
>()("designwire/RateLimits") {}
