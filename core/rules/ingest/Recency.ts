import type { Instant } from "../../model/Instant.ts"

/**
 * When a platform says that a state of an order is from. Platforms name only the second of the modification; Shopify
 * says in addition when its message was triggered.
 */
export interface Moment {
  readonly modifiedAt: Instant
  /** `null` if the platform does not say. */
  readonly triggeredAt: Instant | null
}

/**
 * Whether a state is older than another that came before it. Of two states of one second the one that was triggered
 * later is the newer one; if that is not known of both, the one that came later.
 */
export const isOlder = (state: Moment, other: Moment): boolean => {
  if (state.modifiedAt !== other.modifiedAt) return state.modifiedAt < other.modifiedAt
  return state.triggeredAt !== null && other.triggeredAt !== null && state.triggeredAt < other.triggeredAt
}
