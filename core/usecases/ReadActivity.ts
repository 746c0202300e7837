import { Clock, Effect } from "effect"
import { type DeliveryStatus, logLength } from "../model/Delivery.ts"
import { format } from "../model/Instant.ts"
import { DeliveryLog, type EndpointActivity } from "../ports/DeliveryLog.ts"
import { shopOf } from "../support/ShopOf.ts"

const hour = 60 * 60 * 1000

const hours = 24

/** Of an endpoint at most so many deliveries are counted: enough for the retries of a bad day, and quick. */
const counted = 1000

/** How many deliveries have each status. */
export type Outcomes = Readonly<Record<DeliveryStatus, number>>

/** What the last 24 hours of an endpoint were like. */
export interface EndpointDay {
  readonly endpointId: string
  /** When its newest delivery was created, whether in these hours or before; `null` if none is kept. */
  readonly latest: string | null
  /** The deliveries that were created in each hour, the oldest hour first. */
  readonly hours: ReadonlyArray<Outcomes>
  /** Those of all hours. */
  readonly sum: Outcomes
  /** Whether more may have been finished: finished deliveries behind the newest 50 may be cleared. */
  readonly atLeast: boolean
  /** Whether there are more than were counted, pending ones included. */
  readonly isCut: boolean
}

const none: Outcomes = { succeeded: 0, failed: 0, pending: 0 }

const added = (left: Outcomes, right: Outcomes): Outcomes => ({
  succeeded: left.succeeded + right.succeeded,
  failed: left.failed + right.failed,
  pending: left.pending + right.pending,
})

const dayOf = ({ counts, endpointId, latest }: EndpointActivity): EndpointDay => {
  const slots = Array.from({ length: hours }, () => none)
  for (const { deliveries, hour, status } of counts) {
    // Another host's clock may be ahead of ours.
    const slot = Math.min(hour, hours - 1)
    slots[slot] = added(slots[slot] ?? none, { ...none, [status]: deliveries })
  }
  const sum = slots.reduce(added, none)
  const deliveries = sum.succeeded + sum.failed + sum.pending
  return {
    endpointId,
    latest: latest === null ? null : format(latest),
    hours: slots,
    sum,
    atLeast: deliveries >= logLength,
    isCut: deliveries >= counted,
  }
}

/** What the last 24 hours of a shop's deliveries were like: by endpoint, all together, and the median time of an attempt. Fails with `NotFound`. */
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
