import { Context, Effect } from "effect"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Sealed secrets of several stores, listed one store after the other. A page comes from one store. */
export const make = (stores: Stores): SealedSecrets["Service"] =>
  SealedSecrets.of({
    ...routed(stores)(SealedSecrets, { replace: byShop }),

    list: Effect.fnUntraced(function* (
      after: SealedSecret | null,
      limit: number,
    ): Effect.fn.Return<ReadonlyArray<SealedSecret>, StorageError> {
      const first = after === null ? 0 : stores.all.indexOf(yield* stores.find(after.shop))
      for (const [index, { ports }] of stores.all.entries()) {
        if (index < first) continue
        const page = yield* Context.get(ports, SealedSecrets).list(index === first ? after : null, limit)
        if (page.length > 0) return page
      }
      return []
    }),
  })
