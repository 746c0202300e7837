import { Context, Effect } from "effect"
import type { Instant } from "../../core/model/Instant.ts"
import { type PruneStep, type QueueStatistics, Upkeep } from "../../core/ports/Upkeep.ts"
import { answersOf, type Database } from "./Databases.ts"
import { nextPages, type Page, type Place } from "./Pages.ts"
import { byId, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** How many buckets are asked at the same time for what concerns all of them. */
const atOnce = 8

/** Clears all buckets, one after the other in each database, and adds up their counts. */
export const make = (stores: Stores): Upkeep["Service"] => {
  const pruneDatabase = (database: Database, step: PruneStep, [number, after]: Place) => {
    const [bucket, following] = stores.bucketsOf(database).filter((bucket) => bucket.number >= number)
    if (bucket === undefined) return Effect.succeed<Page<undefined>>({ found: undefined, next: null })
    const place = bucket.number === number ? after : null
    return Effect.map(
      stores.atBucket(bucket, (ports) => Context.get(ports, Upkeep).prune({ ...step, after: place })),
      (reached): Page<undefined> => {
        if (reached != null) return { found: undefined, next: [bucket.number, reached] }
        return { found: undefined, next: following === undefined ? null : [following.number, null] }
      },
    )
  }

  return Upkeep.of({
    prune: (step) =>
      Effect.map(
        nextPages(stores, step.after, (database, place) => pruneDatabase(database, step, place)),
        ({ after }) => after,
      ),

    purgeRemoved: (step) =>
      Effect.gen(function* () {
        const results = yield* Effect.forEach(
          (yield* stores.map).all,
          (bucket) => stores.tried(bucket, (ports) => Context.get(ports, Upkeep).purgeRemoved(step)),
          { concurrency: atOnce },
        )
        return (yield* answersOf(results)).every((isDone) => isDone !== false)
      }),

    statistics: (now) =>
      Effect.map(
        Effect.flatMap(stores.map, ({ all }) =>
          Effect.forEach(
            all,
            (bucket) => stores.inBucket(bucket, (ports) => Context.get(ports, Upkeep).statistics(now)),
            { concurrency: atOnce },
          ),
        ),
        (all) => all.reduce(sum),
      ),

    ...routed(stores)(Upkeep, { backlog: byId }),
  })
}

const sum = (left: QueueStatistics, right: QueueStatistics): QueueStatistics => ({
  pending: left.pending + right.pending,
  pastDue: left.pastDue + right.pastDue,
  oldestDue: earlier(left.oldestDue, right.oldestDue),
  endpoints: left.endpoints + right.endpoints,
  endpointsSwitchedOff: left.endpointsSwitchedOff + right.endpointsSwitchedOff,
  feedHeldSince: earlier(left.feedHeldSince, right.feedHeldSince),
  logBytes: left.logBytes === undefined || right.logBytes === undefined ? undefined : left.logBytes + right.logBytes,
})

const earlier = (left: Instant | null, right: Instant | null): Instant | null =>
  left === null || right === null ? (left ?? right) : Math.min(left, right)
