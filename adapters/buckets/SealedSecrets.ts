import { Context, Effect } from "effect"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Sealed secrets of all buckets, listed one bucket after the other. A page comes from one bucket. */
export const make = (stores: Stores): SealedSecrets["Service"] =>
  SealedSecrets.of({
    ...routed(stores)(SealedSecrets, { replace: byShop }),
    list: Effect.fnUntraced(function* (
      after: SealedSecret | null,
      limit: number,
    ): Effect.fn.Return<ReadonlyArray<SealedSecret>, StorageError> {
      const map = yield* stores.map
      const first = after === null ? 0 : (map.of(after.shop)?.number ?? 0)
      for (const bucket of map.all.slice(first)) {
        for (let last = bucket.number === first ? after : null; ; ) {
          const page = yield* stores.inBucket(bucket, (ports) => Context.get(ports, SealedSecrets).list(last, limit))
          // A shop that moves may for a moment have rows in two buckets.
          const own = page.filter(({ shop }) => stores.isIn(bucket, shop))
          if (own.length > 0) return own
          last = page.at(-1) ?? null
          if (last === null) break
        }
      }
      return []
    }),
  })
