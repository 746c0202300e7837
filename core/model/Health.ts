import { Schema } from "effect"
import type { Instant } from "./Instant.ts"

/**
 * `active`, `paused` by its owner (D51), or `switched_off` after too many failures in a row; the latter two until its
 * owner turns it on again (§3).
 */
export const EndpointStatus = Schema.Literals(["active", "paused", "switched_off"])
export type EndpointStatus = typeof EndpointStatus.Type

/**
 * How the attempts to deliver to an endpoint have gone: what settling them and turning the endpoint on change about it.
 */
export interface Health {
  readonly status: EndpointStatus
  /** Failed attempts since the last success or turning on, 0 or more; test events don't count (D27). */
  readonly consecutiveFailures: number
  /** Since when it is paused or switched off; `null` while it is active. */
  readonly switchedOffAt: Instant | null
  /**
   * Whether its last attempt succeeded, and promptly; not so before the first, nor when it was just enabled. Test
   * events don't count (D45).
   */
  readonly proven: boolean
  /**
   * Whether its last attempt was slow, or failed although the one before had not proven it. An endpoint that is neither
   * proven nor troubled is a newcomer: it was never tried, was just enabled, or failed once after successes. Test
   * events don't count (D45).
   */
  readonly troubled: boolean
}

/** The health of an endpoint that is new or was just enabled. */
export const newHealth: Health = {
  status: "active",
  consecutiveFailures: 0,
  switchedOffAt: null,
  proven: false,
  troubled: false,
}

/** The health of an endpoint whose last attempt succeeded promptly. */
export const healthy: Health = { ...newHealth, proven: true }

/** The health of an endpoint, without the rest of its record. */
export const of = ({ consecutiveFailures, proven, status, switchedOffAt, troubled }: Health): Health => ({
  status,
  consecutiveFailures,
  switchedOffAt,
  proven,
  troubled,
})

/** The kind of an endpoint, by which claims serve it (D45). */
export type Standing = "newcomer" | "troubled" | "proven"

/** The standing of an endpoint. */
export const standingOf = ({ proven, troubled }: Pick<Health, "proven" | "troubled">): Standing =>
  proven ? "proven" : troubled ? "troubled" : "newcomer"

/** Whether two are the same in every field. */
export const equals = (left: Health, right: Health): boolean =>
  left.status === right.status &&
  left.consecutiveFailures === right.consecutiveFailures &&
  left.switchedOffAt === right.switchedOffAt &&
  left.proven === right.proven &&
  left.troubled === right.troubled
