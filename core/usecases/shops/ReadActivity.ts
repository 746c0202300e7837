import { Clock, Effect } from "effect"
import type { Instant } from "../../model/Instant.ts"
import * as AttemptCounts from "../../model/webhooks/AttemptCounts.ts"
import { type ActivityStep, DeliveryLog, type Waiting } from "../../ports/DeliveryLog.ts"
import { isSuccess } from "../../rules/webhooks/DeliveryState.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** The times for which activity can be read, each with its steps. The last step is the one that is not over. */
export const ranges = {
  "1h": { steps: 2, hours: 1 },
  "24h": { steps: 24, hours: 1 },
  "7d": { steps: 28, hours: 6 },
  "30d": { steps: 30, hours: 24 },
} as const

export type Range = keyof typeof ranges

/** An endpoint's attempts, and what it still has to get. */
export interface EndpointActivity extends Waiting {
  /** The last success among its newest attempts; `null` without one. */
  readonly lastSuccess: Instant | null
  /** Oldest first, without gaps. */
  readonly steps: ReadonlyArray<ActivityStep>
  /** The attempts of all steps. */
  readonly sum: AttemptCounts.AttemptCounts
}

/** A shop's attempts by endpoint and in all. */
export interface Activity {
  readonly range: Range
  readonly endpoints: ReadonlyArray<EndpointActivity>
  readonly steps: ReadonlyArray<ActivityStep>
  readonly sum: AttemptCounts.AttemptCounts
  /** Pending deliveries of all endpoints, whenever they were created. */
  readonly pending: number
}

/**
 * A shop's attempts in a range of time that ends now, by endpoint and in all. The counts are exact: they don't depend
 * on what the log keeps (D60). Fails with `NotFound`.
 */
export const readActivity = Effect.fn("ReadActivity")(function* (shopId: string, range: Range) {
  const shop = yield* shopOf(shopId)
  const { hours, steps } = ranges[range]
  const step = hours * AttemptCounts.hour
  const until = (Math.floor((yield* Clock.currentTimeMillis) / step) + 1) * step
  const from = until - steps * step
  const views = yield* DeliveryLog.use((log) => log.activity(shop.id, { from, until, step }))
  const counts = views.flatMap(({ steps }) => steps)
  const withoutGaps = (own: ReadonlyArray<ActivityStep>) => {
    const byStep = Map.groupBy(own, ({ at }) => at)
    return Array.from({ length: steps }, (_, index): ActivityStep => {
      const at = from + index * step
      return { at, ...AttemptCounts.sum(byStep.get(at) ?? []) }
    })
  }
  const activity: Activity = {
    range,
    endpoints: views.map(
      ({ steps, ...waiting }): EndpointActivity => ({
        ...waiting,
        lastSuccess: waiting.recent.find(isSuccess)?.at ?? null,
        steps: withoutGaps(steps),
        sum: AttemptCounts.sum(steps),
      }),
    ),
    steps: withoutGaps(counts),
    sum: AttemptCounts.sum(counts),
    pending: views.reduce((all, { pending }) => all + pending, 0),
  }
  return activity
})
