import { Clock, Effect } from "effect"
import { type DeliveryStatus, logLength } from "../model/Delivery.ts"
import { format } from "../model/Instant.ts"
import { DeliveryLog, type EndpointActivity } from "../ports/DeliveryLog.ts"
import { shopOf } from "../support/ShopOf.ts"

const hour = 60 * 60 * 1000

const hours = 24

/** The deliveries of an endpoint that are counted at most: enough for the retries of a bad day, and quick. */
const counted = 1000

/** The number of deliveries with each status. */
export type Outcomes = Readonly<Record<DeliveryStatus, number>>

/** An endpoint's deliveries in the last 24 hours. */
export interface EndpointDay {
  readonly endpointId: string
  /** When its newest delivery was created, in these hours or before; `null` if none is kept. */
  readonly latest: string | null
  /** The deliveries created in each hour, oldest hour first. */
  readonly hours: ReadonlyArray<Outcomes>
  /** The deliveries of all hours. */
  readonly sum: Outcomes
  /** Whether more may have finished: the log may drop finished deliveries beyond the newest 50. */
  readonly atLeast: boolean
  /** Whether there are more deliveries than were counted, including pending ones. */
  readonly isCut: boolean
}

const none: Outcomes = { succeeded: 0, failed: 0, pending: 0, dropped: 0 }

const added = (left: Outcomes, right: Outcomes): Outcomes => ({
  succeeded: left.succeeded + right.succeeded,
  failed: left.failed + right.failed,
  pending: left.pending + right.pending,
  dropped: left.dropped + right.dropped,
})

const dayOf = ({ counts, endpointId, latest }: EndpointActivity): EndpointDay => {
  const slots = Array.from({ length: hours }, () => none)
  for (const { deliveries, hour, status } of counts) {
    // Another host's clock may be ahead of ours.
    const slot = Math.min(hour, hours - 1)
    slots[slot] = added(slots[slot] ?? none, { ...none, [status]: deliveries })
  }
  const sum = slots.reduce(added, none)
  const deliveries = sum.succeeded + sum.failed + sum.pending + sum.dropped
  return {
    endpointId,
    latest: latest === null ? null : format(latest),
    hours: slots,
    sum,
    atLeast: deliveries >= logLength,
    isCut: deliveries >= counted,
  }
}

/**
 * A shop's deliveries in the last 24 hours, by endpoint and in all, and the median duration of an attempt. Fails with
 * `NotFound`.
 */
export const readActivity = Effect.fn("ReadActivity")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  const since = (yield* Clock.currentTimeMillis) - hours * hour
  const { endpoints, medianMs } = yield* DeliveryLog.use((log) => log.activity(shop.id, { since, limit: counted }))
  const days = endpoints.map(dayOf)
  return {
    endpoints: days,
    sum: days.map((day) => day.sum).reduce(added, none),
    atLeast: days.some((day) => day.atLeast),
    isCut: days.some((day) => day.isCut),
    medianMs,
  }
})
