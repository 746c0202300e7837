import { type EndpointStatus, type Health, of, untried } from "../model/Health.ts"
import type { Instant } from "../model/Instant.ts"

/** What can happen to an endpoint. `give_up` is the failed attempt that makes the streak full. */
export type EndpointTrigger = "add" | "give_up" | "turn_on"

/** The rows of §3 for endpoints; what is not in it can't happen. `null` is an endpoint that does not exist yet. */
export const transitions: ReadonlyArray<{
  readonly from: EndpointStatus | null
  readonly trigger: EndpointTrigger
  readonly to: EndpointStatus
}> = [
  { from: null, trigger: "add", to: "active" },
  { from: "active", trigger: "give_up", to: "switched_off" },
  { from: "switched_off", trigger: "turn_on", to: "active" },
]

/** The status that an endpoint has after a trigger, or `undefined` where the table has no row. */
export const next = (from: EndpointStatus | null, trigger: EndpointTrigger): EndpointStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to

/** Failed attempts in a row after which an endpoint is switched off (§8). */
export const maximumFailures = 20

/** An attempt that takes this many milliseconds, or more, is slow, whatever its outcome (D45). */
export const slowAttempt = 2000

/** Whether an endpoint is proven after an attempt: it succeeded, and was not slow (D45). */
export const proves = (attempt: { readonly success: boolean; readonly durationMs: number }): boolean =>
  attempt.success && attempt.durationMs < slowAttempt

/**
 * An endpoint after an attempt (§3, D27): a success ends the streak, a failure, whatever its reason, makes it longer, and the twentieth switches the
 * endpoint off. Attempts of redeliveries count like others, those of test events not at all. A success that was not slow proves the endpoint (D45).
 *
 * Attempts that were still under way when it was switched off change nothing: only turning it on does.
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
  if (attempt.test || before.status === "switched_off") return before
  if (attempt.success) return { ...before, consecutiveFailures: 0, proven: proves(attempt) }
  const streak = { ...before, consecutiveFailures: before.consecutiveFailures + 1, proven: false }
  const off = streak.consecutiveFailures >= maximumFailures ? next(before.status, "give_up") : undefined
  return off === undefined ? streak : { ...streak, status: off, switchedOffAt: attempt.endedAt }
}

/** An endpoint after its owner turned it on: the streak begins again at 0 (§3, D27). `undefined` where it is not switched off: nothing changes. */
export const turnOn = (endpoint: Health): Health | undefined => {
  const status = next(endpoint.status, "turn_on")
  return status === undefined ? undefined : { ...untried, status }
}
