import { Context, Effect } from "effect"
import type { Instant } from "../../core/model/Instant.ts"
import { type QueueStatistics, Upkeep } from "../../core/ports/Upkeep.ts"
import type { Stores } from "./Stores.ts"

/** The position of the next clearing step in each store that is not done, by the store's name. */
type Positions = Readonly<Record<string, string>>

/** Clears several stores, each with a step of its own at the same time, and adds up their counts. */
export const make = (stores: Stores): Upkeep["Service"] =>
  Upkeep.of({
    prune: (step) =>
      Effect.suspend(() => {
        const positions: Positions | null = step.after === null ? null : JSON.parse(step.after)
        return Effect.map(
          stores.askEach(({ name, ports }) => {
            const after = positions === null ? null : positions[name]
            // This store is done.
            if (after === undefined) return Effect.succeed([])
            return Effect.map(Context.get(ports, Upkeep).prune({ ...step, after }), (next) =>
              next === null ? [] : [[name, next] as const],
            )
          }),
          (next) => (next.flat().length === 0 ? null : JSON.stringify(Object.fromEntries(next.flat()))),
        )
      }),

    purgeRemoved: (step) =>
      Effect.map(
        stores.askEach(({ ports }) => Context.get(ports, Upkeep).purgeRemoved(step)),
        (all) => all.every((isDone) => isDone),
      ),

    statistics: (now) =>
      Effect.map(
        stores.askAll(({ ports }) => Context.get(ports, Upkeep).statistics(now)),
        (all) => all.reduce(sum),
      ),
  })

const sum = (left: QueueStatistics, right: QueueStatistics): QueueStatistics => ({
  pending: left.pending + right.pending,
  oldestDue: earlier(left.oldestDue, right.oldestDue),
  endpointsSwitchedOff: left.endpointsSwitchedOff + right.endpointsSwitchedOff,
  feedHeldSince: earlier(left.feedHeldSince, right.feedHeldSince),
})

const earlier = (left: Instant | null, right: Instant | null): Instant | null =>
  left === null || right === null ? (left ?? right) : Math.min(left, right)
