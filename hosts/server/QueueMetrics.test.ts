/** The metrics of listed shops: each has its own, whichever place it has and however many they are. */
import { expect, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { readQueue } from "./QueueMetrics.ts"

const statistics = {
  ...{ pending: 1, pastDue: 1, oldestDue: null, endpoints: 1, endpointsSwitchedOff: 0, feedHeldSince: null },
}

it.effect("every listed shop MUST have its own figures, wherever it stands among the others", () =>
  Effect.gen(function* () {
    const shops = Array.from({ length: 11 }, (_, index) => `shop-${index}`)
    const upkeep = {
      statistics: () => Effect.succeed(statistics),
      backlog: (shop: string) => {
        const index = shops.indexOf(shop)
        // Others are read meanwhile.
        const delay = Effect.yieldNow
        return Effect.as(delay, { pending: 100 + index, pastDue: 200 + index, oldestDue: 10_000 - index * 1_000 })
      },
    } as unknown as Upkeep["Service"]
    yield* readQueue(upkeep, new Set(shops), 10_000)
    const found = yield* Metric.snapshot
    const of = (id: string, shop: string) =>
      found.find((metric) => metric.id === id && metric.attributes?.["shop"] === shop)?.state
    for (const [index, shop] of shops.entries()) {
      const figures = ["deliveries_pending", "deliveries_past_due", "oldest_pending_seconds"].map((name) =>
        of(`designwire_shop_${name}`, shop),
      )
      expect([shop, figures]).toEqual([shop, [{ value: 100 + index }, { value: 200 + index }, { value: index }]])
    }
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)
