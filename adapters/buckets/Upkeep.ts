import { Context, Effect, Result } from "effect"
import type { Instant } from "../../core/model/Instant.ts"
import { type PruneStep, type QueueStatistics, Upkeep } from "../../core/ports/Upkeep.ts"
import { answersOf, type Database } from "./Databases.ts"
import type { Stores } from "./Stores.ts"

/** The place of the next step of clearing in a database: a bucket, and a place in it. */
type Place = readonly [bucket: number, after: string | null]

/** The places of clearing, by the database's name. A database without one is done. */
type Places = Readonly<Record<string, Place>>

/** How many buckets are asked at the same time for what concerns all of them. */
const atOnce = 8

/** Clears all buckets, one after the other in each database, and adds up their counts. */
export const make = (stores: Stores): Upkeep["Service"] => {
  const pruneDatabase = (database: Database, step: PruneStep, [number, after]: Place) => {
    const [bucket, following] = stores.bucketsOf(database).filter((bucket) => bucket.number >= number)
    if (bucket === undefined) return Effect.succeed(Result.succeed([]))
    const place = bucket.number === number ? after : null
    return database.tried(
      Effect.map(
        stores.atBucket(bucket, (ports) => Context.get(ports, Upkeep).prune({ ...step, after: place })),
        (reached): ReadonlyArray<readonly [string, Place]> => {
          if (reached != null) return [[database.name, [bucket.number, reached]]]
          return following === undefined ? [] : [[database.name, [following.number, null]]]
        },
      ),
    )
  }

  return Upkeep.of({
    prune: (step) =>
      Effect.gen(function* () {
        yield* stores.map
        const places: Places | null = step.after === null ? null : JSON.parse(step.after)
        const results = yield* Effect.forEach(
          stores.databases,
          (database) => {
            const from = places === null ? ([0, null] as const) : places[database.name]
            return from === undefined ? Effect.succeed(Result.succeed([])) : pruneDatabase(database, step, from)
          },
          { concurrency: "unbounded" },
        )
        const next = (yield* answersOf(results)).flat()
        return next.length === 0 ? null : JSON.stringify(Object.fromEntries(next))
      }),

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
  })
}

const sum = (left: QueueStatistics, right: QueueStatistics): QueueStatistics => ({
  pending: left.pending + right.pending,
  oldestDue: earlier(left.oldestDue, right.oldestDue),
  endpointsSwitchedOff: left.endpointsSwitchedOff + right.endpointsSwitchedOff,
  feedHeldSince: earlier(left.feedHeldSince, right.feedHeldSince),
})

const earlier = (left: Instant | null, right: Instant | null): Instant | null =>
  left === null || right === null ? (left ?? right) : Math.min(left, right)
