import { Context, Effect } from "effect"
import { Inbox, type InboxStep } from "../../core/ports/Inbox.ts"
import type { Database } from "./Databases.ts"
import { nextPages, type Page, type Place } from "./Pages.ts"
import { byId, byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Events of platforms in all buckets. A change is part of a transaction in its shop's bucket. */
export const make = (stores: Stores): Inbox["Service"] => {
  const readyIn = (database: Database, limit: number, [number, after]: Place) => {
    const [bucket, following] = stores.bucketsOf(database).filter((bucket) => bucket.number >= number)
    if (bucket === undefined) return Effect.succeed<Page<InboxStep["found"]>>({ found: [], next: null })
    const place = bucket.number === number ? after : null
    return Effect.map(
      stores.atBucket(bucket, (ports) => Context.get(ports, Inbox).ready({ after: place, limit })),
      (step): Page<InboxStep["found"]> => ({
        // A shop that moves may for a moment have rows in two buckets.
        found: (step?.found ?? []).filter(({ shop }) => stores.isIn(bucket, shop)),
        next:
          step?.after != null ? [bucket.number, step.after] : following === undefined ? null : [following.number, null],
      }),
    )
  }
  return Inbox.of({
    ...routed(stores)(Inbox, { put: byShop, find: byId, list: byShop, erase: byId }),
    apply: (shop, id, change) => stores.atShop(shop, (ports) => Context.get(ports, Inbox).apply(shop, id, change)),
    ready: ({ after, limit }) =>
      Effect.map(
        nextPages(stores, after, (database, place) => readyIn(database, limit, place)),
        ({ after, found }) => ({ found: found.flat(), after }),
      ),
  })
}
