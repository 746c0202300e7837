import { Context, Effect, Result } from "effect"
import { DeliveryQueue, type Walked, type WalkStep } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Bucket } from "./BucketMap.ts"
import { answersOf, type Database } from "./Databases.ts"
import type { Stores } from "./Stores.ts"

/** Buckets of a database that a step walks over, and how many of them at the same time. */
const bucketsOfStep = 64
const atOnce = 8

/** The place of the next step of a walk in a database: a bucket, and a place in it. */
type Place = readonly [bucket: number, after: string | null]

/** The places of a walk, by the database's name. A database without one is done. */
type Places = Readonly<Record<string, Place>>

/**
 * `DeliveryQueue.walk` over buckets: a step walks over some buckets of each database, and the next one goes on there.
 * It passes over databases that fail, and over buckets that have just moved away; a later walk finds their shops.
 */
export const walk = Effect.fnUntraced(function* (
  stores: Stores,
  step: WalkStep,
): Effect.fn.Return<Walked, StorageError> {
  yield* stores.map
  const places: Places | null = step.after === null ? null : JSON.parse(step.after)
  const results = yield* Effect.forEach(
    stores.databases,
    (database) => {
      const from = places === null ? ([0, null] as const) : places[database.name]
      return from === undefined ? Effect.succeed(Result.succeed(done)) : walkDatabase(stores, database, step, from)
    },
    { concurrency: "unbounded" },
  )
  const walked = yield* answersOf(results)
  const next = walked.flatMap(({ name, next }) => (next === null ? [] : [[name, next] as const]))
  const steps = walked.flatMap(({ steps }) => steps)
  const instants = steps.flatMap(({ nextDue }) => nextDue ?? [])
  return {
    shops: steps.flatMap(({ shops }) => shops),
    after: next.length === 0 ? null : JSON.stringify(Object.fromEntries(next)),
    nextDue: instants.length === 0 ? null : Math.min(...instants),
  }
})

/** The steps in a database's buckets, and the place at which the next one begins. */
interface DatabaseSteps {
  readonly name: string
  readonly steps: ReadonlyArray<Walked>
  readonly next: Place | null
}

const done: DatabaseSteps = { name: "", steps: [], next: null }

const walkDatabase = (stores: Stores, database: Database, { limit, now }: WalkStep, [first, after]: Place) => {
  const left = stores.bucketsOf(database).filter(({ number }) => number >= first)
  const some = left.slice(0, bucketsOfStep)
  const walkBucket = (bucket: Bucket) =>
    Effect.map(
      stores.atBucket(bucket, (ports) =>
        Context.get(ports, DeliveryQueue).walk({ now, limit, after: bucket.number === first ? after : null }),
      ),
      (walked) => ({ bucket, walked }),
    )
  return database.tried(
    Effect.map(Effect.forEach(some, walkBucket, { concurrency: atOnce }), (all): DatabaseSteps => {
      const open = all.find(({ walked }) => walked?.after != null)
      const following = left[bucketsOfStep]
      const next =
        open !== undefined
          ? ([open.bucket.number, open.walked?.after ?? null] as const)
          : following === undefined
            ? null
            : ([following.number, null] as const)
      return { name: database.name, steps: all.flatMap(({ walked }) => walked ?? []), next }
    }),
  )
}
