import { Clock, Effect } from "effect"
import * as AttemptCounts from "../model/activity/AttemptCounts.ts"
import type { Instant } from "../model/Instant.ts"
import type { HourCounts, Waiting } from "../ports/DeliveryLog.ts"
import { ShopViews } from "../ports/ShopViews.ts"
import { shopOf } from "../support/ShopOf.ts"

/** The times for which activity can be read, each with its steps. The last step is the one that is not over. */
export const ranges = {
  "1h": { steps: 2, hours: 1 },
  "24h": { steps: 24, hours: 1 },
  "7d": { steps: 28, hours: 6 },
  "30d": { steps: 30, hours: 24 },
} as const

export type Range = keyof typeof ranges

/** The attempts that began in a step of time. */
export interface ActivityStep extends AttemptCounts.AttemptCounts {
  /** Its beginning. */
  readonly at: Instant
}

/** An endpoint's attempts, and what it still has to get. */
export interface EndpointActivity extends Waiting {
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
  const width = hours * AttemptCounts.hour
  const until = (Math.floor((yield* Clock.currentTimeMillis) / width) + 1) * width
  const from = until - steps * width
  const views = yield* ShopViews.use((views) => views.activity(shop.id, { from, until }))
  const counts = views.flatMap(({ hours }) => hours)
  const stepsOf = (own: ReadonlyArray<HourCounts>) => {
    const byStep = Map.groupBy(own, ({ hour }) => Math.floor((hour - from) / width))
    return Array.from(
      { length: steps },
      (_, index): ActivityStep => ({ at: from + index * width, ...AttemptCounts.sum(byStep.get(index) ?? []) }),
    )
  }
  const activity: Activity = {
    range,
    endpoints: views.map(
      ({ hours, ...waiting }): EndpointActivity => ({
        ...waiting,
        steps: stepsOf(hours),
        sum: AttemptCounts.sum(hours),
      }),
    ),
    steps: stepsOf(counts),
    sum: AttemptCounts.sum(counts),
    pending: views.reduce((all, { pending }) => all + pending, 0),
  }
  return activity
})
