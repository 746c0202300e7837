import type { Instant } from "../../model/Instant.ts"
import type { Attempt } from "../../model/webhooks/Delivery.ts"
import type { EndpointOptions } from "../../model/webhooks/EndpointOptions.ts"
import { type DeliveryChange, endedAt } from "./DeliveryState.ts"

/** A receiver may put off a retry by at most this many milliseconds: 24 hours (D71). */
const longestDelay = 86_400_000

/** The status codes with which a receiver may ask for a later retry. */
const askingCodes: ReadonlyArray<number | null> = [429, 503]

/** A number of seconds, or a date in the form of HTTP (RFC 9110 §10.2.3); `undefined` for anything else. */
const askedFor = (text: string, now: Instant): Instant | undefined => {
  if (/^\d{1,15}$/.test(text)) return now + Number(text) * 1000
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}

/**
 * The change that an attempt makes to its delivery, if the receiver's `Retry-After` is heeded (D71): a retry that is
 * due earlier waits until then, at most 24 hours after the attempt. The number of attempts stays the same.
 */
export const heeding = (
  change: DeliveryChange,
  {
    attempt,
    options,
    retryAfter,
  }: {
    readonly attempt: Attempt
    readonly options: EndpointOptions
    /** The header as it came; `null` without one. */
    readonly retryAfter: string | null
  },
): DeliveryChange => {
  const { nextAttemptAt } = change
  if (nextAttemptAt === null || retryAfter === null || !options.heedRetryAfter) return change
  if (!askingCodes.includes(attempt.statusCode)) return change
  const ended = endedAt(attempt)
  const asked = askedFor(retryAfter.trim(), ended)
  if (asked === undefined) return change
  return { ...change, nextAttemptAt: Math.max(nextAttemptAt, Math.min(asked, ended + longestDelay)) }
}
