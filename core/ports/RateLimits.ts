import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** A token's limit: at most `limit` accepted requests in any span of `window` milliseconds. */
export interface RateLimit {
  readonly limit: number
  readonly window: number
}

/** A token's usage of its limit. */
export interface RateState {
  /** Further requests that would be accepted now. */
  readonly remaining: number
  /**
   * Milliseconds from the caller's `now` until the oldest counted request leaves the window, 0 if none is counted. If
   * none remain: until one more is accepted.
   */
  readonly resetAfter: number
}

/** Whether a request is accepted, and the token's usage after it. */
export interface RateDecision extends RateState {
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
 * Counts accepted requests per token exactly, over all hosts that share the store (D16): no span of `window` ms
 * contains more than `limit` accepted requests. A request counts from `now` for `window` milliseconds; refused ones do
 * not count.
 *
 * Hosts' clocks may differ: a `now` before the latest counted request is treated as equal to it.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a request if it is accepted. */
    readonly take: (request: RateRequest) => Effect.Effect<RateDecision, StorageError>
    /** Returns a token's usage without counting. */
    readonly peek: (request: RateRequest) => Effect.Effect<RateState, StorageError>
  }
>()("designwire/RateLimits") {}
