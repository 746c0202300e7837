import { Context, Effect } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { Bucket, BucketMap } from "./BucketMap.ts"
import { byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Shops away from home that are asked for at the same time. */
const atOnce = 8

/**
 * Sealed secrets of all shops, listed by the bucket of the shop's hash, and not by the one that it is in: a shop that
 * moves between two pages keeps its place in the list.
 */
export const make = (stores: Stores): SealedSecrets["Service"] =>
  SealedSecrets.of({
    ...routed(stores)(SealedSecrets, { replace: byShop }),
    list: Effect.fnUntraced(function* (
      after: SealedSecret | null,
      limit: number,
    ): Effect.fn.Return<ReadonlyArray<SealedSecret>, StorageError> {
      const map = yield* stores.currentMap
      const first = after === null ? 0 : map.homeOf(after.shop)
      for (const home of map.all.slice(first)) {
        let last = home.number === first ? after : null
        do {
          const { end, found } = yield* pageOf(stores, map, home, last, limit)
          if (found.length > 0) return found
          last = end
        } while (last !== null)
      }
      return []
    }),
  })

/** Secrets in order, up to `end`; `null`: all that there are. */
interface Page {
  readonly found: ReadonlyArray<SealedSecret>
  readonly end: SealedSecret | null
}

/** The next secrets of the shops whose home is a bucket, also of those that are away. */
const pageOf = Effect.fnUntraced(function* (
  stores: Stores,
  map: BucketMap,
  home: Bucket,
  after: SealedSecret | null,
  limit: number,
): Effect.fn.Return<Page, StorageError> {
  const list = (bucket: Bucket | undefined, from: SealedSecret | null) =>
    stores.inBucket(bucket, (ports) => Context.get(ports, SealedSecrets).list(from, limit))
  // A shop that moves may for a moment have rows in two buckets.
  const isHere = ({ shop }: SealedSecret) => map.homeOf(shop) === home.number && map.of(shop)?.number === home.number
  const here = pageWithin(yield* list(home, after), limit, isHere)
  const away = map.awayFrom(home).filter((shop) => after === null || compareIds(shop, after.shop) >= 0)
  const ofAway = yield* Effect.forEach(
    away,
    (shop) =>
      Effect.map(list(map.of(shop), after?.shop === shop ? after : { shop, endpointId: "", sealed: "" }), (secrets) =>
        pageWithin(secrets, limit, (secret) => secret.shop === shop),
      ),
    { concurrency: atOnce },
  )
  return merged([here, ...ofAway], limit)
})

/** The secrets that are wanted among some endpoints, at most `limit` of which a list has. */
const pageWithin = (
  listed: ReadonlyArray<SealedSecret>,
  limit: number,
  isWanted: (secret: SealedSecret) => boolean,
): Page => ({
  found: listed.filter(isWanted),
  end: new Set(listed.map(endpointOf)).size < limit ? null : (listed.at(-1) ?? null),
})

/** The first endpoints of several pages, as far as all of the pages reach. */
const merged = (pages: ReadonlyArray<Page>, limit: number): Page => {
  const [end = null] = pages.flatMap((page) => page.end ?? []).toSorted(byEndpoint)
  const reached = pages
    .flatMap(({ found }) => found)
    .filter((secret) => end === null || byEndpoint(secret, end) <= 0)
    .toSorted(byEndpoint)
  const endpoints = [...Map.groupBy(reached, endpointOf).values()]
  return { found: endpoints.slice(0, limit).flat(), end }
}

const endpointOf = ({ endpointId, shop }: SealedSecret): string => JSON.stringify([shop, endpointId])

const byEndpoint = (one: SealedSecret, other: SealedSecret): number =>
  compareIds(one.shop, other.shop) || compareIds(one.endpointId, other.endpointId)
