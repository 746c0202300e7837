/**
 * The pace of an endpoint (D54): how many of its attempts begin in any second, and how many are under way, over all
 * workers. A claim plans the starts of the attempts that it takes, evenly spaced, and counts those under way by their
 * leases. A delivery is claimed shortly before its start: it takes no slot of a worker until then.
 */

import type { Instant } from "../../model/Instant.ts"
import type { EndpointOptions } from "../../model/webhooks/EndpointOptions.ts"

type Pace = Pick<EndpointOptions, "maxPerSecond" | "maxConcurrent">

/** What claims have planned for an endpoint. */
export interface Planned {
  /** No attempt begins before this instant; it has fractions of milliseconds. */
  readonly nextStart: Instant
  /**
   * The ends of the leases of claims that were neither settled nor released, by the ids of their deliveries: of those
   * that were made while the endpoint had `maxConcurrent`.
   */
  readonly underWay: Readonly<Record<string, Instant>>
}

/** Nothing is planned yet. */
export const unplanned: Planned = { nextStart: 0, underWay: {} }

/** Whether an endpoint has a pace. */
export const isPaced = ({ maxConcurrent, maxPerSecond }: Pace): boolean =>
  maxConcurrent !== null || maxPerSecond !== null

/** Milliseconds before its start that an attempt may be claimed, so that a worker begins it on time. */
export const claimedAhead = 50

/** Milliseconds from a claim to the start of its first attempt at the earliest: a claim takes some until it returns. */
export const lead = 15

/** Milliseconds by which an attempt may begin too late. One that is later begins after another claim. */
export const tolerance = 6

/**
 * Milliseconds in which as many starts are planned as may be in a second: longer by what a start may be late, and a
 * little for timers.
 */
export const period = 1000 + tolerance + 2

/** Milliseconds between the planned starts of two attempts. */
export const intervalOf = (maxPerSecond: number): number => period / maxPerSecond

/** Whether a delivery of an endpoint can be claimed at an instant by its pace. */
export const hasRoom = (
  { maxConcurrent, maxPerSecond }: Pace,
  { nextStart, underWay }: Planned,
  now: Instant,
): boolean =>
  (maxConcurrent === null || Object.keys(running(underWay, now)).length < maxConcurrent) &&
  (maxPerSecond === null || nextStart <= now + claimedAhead)

/** Whether the pace of an endpoint holds back its due deliveries: they are not past due then. */
export const isHeldBack = (
  { maxConcurrent, maxPerSecond }: Pace,
  { nextStart, underWay }: Planned,
  now: Instant,
): boolean =>
  (maxConcurrent !== null && Object.keys(running(underWay, now)).length >= maxConcurrent) ||
  (maxPerSecond !== null && nextStart > now)

const running = (underWay: Planned["underWay"], now: Instant): Planned["underWay"] =>
  Object.fromEntries(Object.entries(underWay).filter(([, until]) => until > now))

/** Plans the attempt of a delivery that is claimed: when it begins (`null` for at once), and what is planned then. */
export const plan = (
  pace: Pace,
  planned: Planned,
  { deliveryId, leaseUntil, now }: { readonly deliveryId: string; readonly leaseUntil: Instant; readonly now: Instant },
): { readonly startsAt: Instant | null; readonly planned: Planned } => {
  if (!isPaced(pace)) return { startsAt: null, planned }
  const underWay = pace.maxConcurrent === null ? {} : { ...running(planned.underWay, now), [deliveryId]: leaseUntil }
  if (pace.maxPerSecond === null) return { startsAt: null, planned: { ...planned, underWay } }
  const at = Math.max(planned.nextStart, now + lead)
  return { startsAt: Math.round(at), planned: { nextStart: at + intervalOf(pace.maxPerSecond), underWay } }
}

/** The plan once the claim of a delivery was settled or released. */
export const left = (planned: Planned, deliveryId: string): Planned => {
  const { [deliveryId]: until, ...underWay } = planned.underWay
  return until === undefined ? planned : { ...planned, underWay }
}

/**
 * When a worker may claim again, once it has claimed an attempt that begins at an instant: that instant was rounded, so
 * a millisecond later than planned.
 */
export const claimableAgain = (startsAt: Instant, maxPerSecond: number): Instant =>
  Math.ceil(startsAt + intervalOf(maxPerSecond)) - claimedAhead + 1
