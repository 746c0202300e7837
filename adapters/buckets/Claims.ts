import { Context, Effect, Result } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { type Busy, type Claim, type ClaimRequest, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { BusyEndpoints } from "../../core/support/BusyEndpoints.ts"
import { byBucket, inOrder, limitsFor, type Own, roomOf, split, withRoom } from "./ClaimRoom.ts"
import { answersOf } from "./Databases.ts"
import { byShop } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Buckets that a claim asks at the same time, if much is due and if little is. */
const [least, most] = [2, 8]

/**
 * `DeliveryQueue.claim` over buckets. Each bucket is asked once, some of them at the same time, for every standing that
 * there is room for, the bucket of the first shop first. Together they may find more than the limits allow: then
 * newcomers come first, then endpoints in trouble, then proven ones, and the rest is released. The shops of a database
 * that fails are passed over; the claim fails if all databases with buckets do.
 */
export const claim = Effect.fnUntraced(function* (
  stores: Stores,
  request: ClaimRequest,
): Effect.fn.Return<ReadonlyArray<Claim>, StorageError> {
  const results: Array<Result.Result<ReadonlyArray<Claim> | undefined, StorageError>> = []
  let claims: ReadonlyArray<Claim> = []

  /** Asks buckets within the room that is left. Returns whether they left most of it. */
  const ask = Effect.fnUntraced(function* (some: ReadonlyArray<Own>, busy: ReadonlyArray<Busy>) {
    const room = roomOf(request, inOrder(request.shops, claims))
    const ofShop = Map.groupBy(busy, ({ shop }) => shop)
    const answers = yield* Effect.forEach(
      some.flatMap((own) => withRoom(own, room)),
      ({ bucket, shops }) => {
        const named = new Set(Object.values(shops).flat())
        const asked = {
          ...request,
          ...limitsFor(request, shops, room),
          shops,
          busy: [...named].flatMap((shop) => ofShop.get(shop) ?? []),
        }
        return stores.tried(bucket, (ports) => Context.get(ports, DeliveryQueue).claim(asked))
      },
      { concurrency: "unbounded" },
    )
    results.push(...answers)
    const found = answers.filter(Result.isSuccess).flatMap(({ success }) => success ?? [])
    claims = [...claims, ...found]
    return found.length * 2 <= room.proven
  })

  const map = yield* stores.map
  const buckets = byBucket(map, request.shops)
  for (let [begin, size] = [0, least]; begin < buckets.length; ) {
    const isRoomLeft = yield* ask(buckets.slice(begin, begin + size), request.busy)
    begin += size
    size = isRoomLeft ? Math.min(most, 2 * size) : least
  }
  // The shops of other databases must not wait for one that fails, though nothing else was asked now.
  const asked = new Set(buckets.map(({ bucket }) => bucket.database))
  if (map.all.every(({ database }) => asked.has(database))) yield* answersOf(results)

  const { kept, surplus } = split(request, inOrder(request.shops, claims))
  if (surplus.length === 0) return kept
  yield* release(stores, surplus).pipe(
    Effect.catch((error) =>
      Effect.logWarning("Could not release deliveries; their leases run out", error).pipe(
        logged("deliveries.release_failed"),
      ),
    ),
  )
  if (kept.length === request.limit) return kept
  // Released claims of endpoints that are not proven may have taken the place of others of their shops.
  claims = kept
  const busy = new BusyEndpoints(request.busy)
  for (const claim of kept) busy.add(claim)
  const isShort = new Set(surplus.map(({ shop }) => shop))
  const proven = request.shops.proven.filter((shop) => isShort.has(shop))
  for (const own of byBucket(map, { newcomer: [], troubled: [], proven })) {
    yield* ask([own], busy.list())
  }
  return claims
})

/** `DeliveryQueue.release` over buckets. */
export const release = (stores: Stores, claims: ReadonlyArray<Claim>): Effect.Effect<void, StorageError> =>
  Effect.asVoid(
    stores.eachItsOwn(claims, byShop, (ports, own) => Effect.as(Context.get(ports, DeliveryQueue).release(own), own)),
  )
