import { Context, Effect } from "effect"
import { DeliveryQueue, type Walked, type WalkStep } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Bucket } from "./BucketMap.ts"
import type { Database } from "./Databases.ts"
import { nextPages, type Page, type Place } from "./Pages.ts"
import type { Stores } from "./Stores.ts"

/** Buckets of a database that a step walks over, and how many of them at the same time. */
const bucketsOfStep = 64
const atOnce = 8

/**
 * `DeliveryQueue.walk` over buckets: a step walks over some buckets of each database, and the next one goes on there.
 * It passes over databases that fail, and over buckets that have just moved away; a later walk finds their shops.
 */
export const walk = Effect.fnUntraced(function* (
  stores: Stores,
  step: WalkStep,
): Effect.fn.Return<Walked, StorageError> {
  const { after, found } = yield* nextPages(stores, step.after, (database, place) =>
    walkDatabase(stores, database, step, place),
  )
  const steps = found.flat()
  const instants = steps.flatMap(({ nextDue }) => nextDue ?? [])
  return {
    shops: steps.flatMap(({ shops }) => shops),
    after,
    nextDue: instants.length === 0 ? null : Math.min(...instants),
  }
})

const walkDatabase = (stores: Stores, database: Database, { limit, now }: WalkStep, [first, after]: Place) => {
  const left = stores.bucketsOf(database).filter(({ number }) => number >= first)
  const walkBucket = (bucket: Bucket) =>
    Effect.map(
      stores.atBucket(bucket, (ports) =>
        Context.get(ports, DeliveryQueue).walk({ now, limit, after: bucket.number === first ? after : null }),
      ),
      (walked) => ({ bucket, walked }),
    )
  return Effect.map(
    Effect.forEach(left.slice(0, bucketsOfStep), walkBucket, { concurrency: atOnce }),
    (all): Page<ReadonlyArray<Walked>> => ({
      found: all.flatMap(({ walked }) => walked ?? []),
      next: following(all, left[bucketsOfStep]),
    }),
  )
}

/** The next step goes on in the first bucket that is not walked to its end, or begins the bucket after these. */
const following = (
  all: ReadonlyArray<{ readonly bucket: Bucket; readonly walked: Walked | undefined }>,
  after: Bucket | undefined,
): Place | null => {
  const open = all.find(({ walked }) => walked?.after != null)
  if (open !== undefined) return [open.bucket.number, open.walked?.after ?? null]
  return after === undefined ? null : [after.number, null]
}
