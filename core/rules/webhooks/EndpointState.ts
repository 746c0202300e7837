import { type EndpointStatus, type Health, newHealth, of } from "../../model/Health.ts"
import type { Instant } from "../../model/Instant.ts"
import type { Attempt } from "../../model/webhooks/Delivery.ts"
import { isSuccess } from "./DeliveryState.ts"

/** Triggers of an endpoint. `give_up` is the failed attempt that completes the streak. */
export type EndpointTrigger = "add" | "give_up" | "pause" | "turn_on"

/**
 * Transitions of §3 for endpoints, and of D51; anything else is impossible. `null` is an endpoint that does not exist
 * yet.
 */
export const transitions: ReadonlyArray<{
  readonly from: EndpointStatus | null
  readonly trigger: EndpointTrigger
  readonly to: EndpointStatus
}> = [
  { from: null, trigger: "add", to: "active" },
  { from: "active", trigger: "give_up", to: "switched_off" },
  { from: "switched_off", trigger: "turn_on", to: "active" },
  { from: "active", trigger: "pause", to: "paused" },
  { from: "paused", trigger: "turn_on", to: "active" },
]

/** Returns the status after a trigger, or `undefined` if the table has no such transition. */
export const next = (from: EndpointStatus | null, trigger: EndpointTrigger): EndpointStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to

/** Consecutive failed attempts that switch an endpoint off (§8). */
export const maximumFailures = 20

/** An attempt is slow if it takes this many milliseconds or more, whatever its outcome (D45). */
export const slowAttempt = 2000

/** Whether an attempt leaves its endpoint proven: it succeeded and was not slow (D45). */
export const proves = (attempt: { readonly success: boolean; readonly durationMs: number }): boolean =>
  attempt.success && attempt.durationMs < slowAttempt

/**
 * Whether an attempt leaves its endpoint in trouble (D45): it was slow, or failed at an endpoint that was not proven.
 * One prompt failure after a success is not trouble yet.
 */
const troubles = (before: Health, attempt: { readonly success: boolean; readonly durationMs: number }): boolean =>
  attempt.durationMs >= slowAttempt || (!attempt.success && !before.proven)

/**
 * An endpoint's health after an attempt (§3, D27). A success ends the streak. Every failure extends it, and the
 * twentieth switches the endpoint off. Attempts of redeliveries count, attempts of test events don't. A success that
 * was not slow proves the endpoint (D45).
 *
 * While it is off or paused, attempts that were still under way change nothing; only turning the endpoint on does.
 */
export const afterAttempt = (
  endpoint: Health,
  attempt: {
    readonly test: boolean
    readonly success: boolean
    readonly endedAt: Instant
    readonly durationMs: number
  },
): Health => {
  const before = of(endpoint)
  if (attempt.test || before.status !== "active") return before
  const tried = { ...before, proven: proves(attempt), troubled: troubles(before, attempt) }
  if (attempt.success) return { ...tried, consecutiveFailures: 0 }
  const streak = { ...tried, consecutiveFailures: before.consecutiveFailures + 1 }
  const off = streak.consecutiveFailures >= maximumFailures ? next(before.status, "give_up") : undefined
  return off === undefined ? streak : { ...streak, status: off, switchedOffAt: attempt.endedAt }
}

/** An endpoint after its owner paused it (D51). `undefined` if it was paused or switched off already. */
export const pause = (endpoint: Health, at: Instant): Health | undefined => {
  const status = next(endpoint.status, "pause")
  return status === undefined ? undefined : { ...of(endpoint), status, switchedOffAt: at }
}

/** An endpoint after its owner turned it on: the streak restarts at 0 (§3, D27). `undefined` if it was on. */
export const turnOn = (endpoint: Health): Health | undefined => {
  const status = next(endpoint.status, "turn_on")
  return status === undefined ? undefined : { ...newHealth, status }
}

/** Those of some attempts that failed. */
export const failuresIn = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Attempt> =>
  attempts.filter((attempt) => !isSuccess(attempt))

/** Why an endpoint fails: the last answer of its receiver, and since when. */
export interface Trouble {
  readonly last: Attempt
  /** When the first attempt of the failures in a row began; `null` if it is not known any more. */
  readonly since: Instant | null
}

/**
 * The trouble of an endpoint with some failures in a row, from its newest attempts, the last first. `undefined` if it
 * has none, or if its last known attempt succeeded.
 */
export const troubleOf = (consecutiveFailures: number, recent: ReadonlyArray<Attempt>): Trouble | undefined => {
  const [last] = recent
  if (consecutiveFailures === 0 || last === undefined || isSuccess(last)) return undefined
  const streak = recent.slice(0, consecutiveFailures)
  const isWhole = streak.length === consecutiveFailures && !streak.some(isSuccess)
  return { last, since: isWhole ? (streak.at(-1)?.at ?? null) : null }
}
