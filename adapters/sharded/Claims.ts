import { Context, Effect, Result } from "effect"
import { type Claim, type ClaimRequest, DeliveryQueue, type NamedShops } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { BusyEndpoints } from "../../core/support/BusyEndpoints.ts"
import { answersOf, type Store, type Stores } from "./Stores.ts"

/**
 * `DeliveryQueue.claim` over several stores: each is asked for its own shops, newcomers of all of them first, then
 * endpoints in trouble, then proven ones, the store of the first shop first. The shops of a store that fails are passed
 * over, as are shops whose store can't be found.
 */
export const claim = Effect.fnUntraced(function* (
  stores: Stores,
  request: ClaimRequest,
): Effect.fn.Return<ReadonlyArray<Claim>, StorageError> {
  const { limit, probation, shops } = request
  const busy = new BusyEndpoints(request.busy)
  const claims: Array<Claim> = []
  const results: Array<Result.Result<ReadonlyArray<Claim>, StorageError>> = []

  /** The shops of each store, in the order in which the shops name them. */
  const byStore = Effect.fnUntraced(function* (named: ReadonlyArray<string>) {
    const places = new Map<Store, Array<string>>()
    for (const shop of named) {
      const found = yield* Effect.result(stores.find(shop))
      if (Result.isFailure(found)) results.push(Result.fail(found.failure))
      else places.set(found.success, [...(places.get(found.success) ?? []), shop])
    }
    return places
  })

  /** Asks for as many shops at a time as there is room for, so that no store's shops take the room of others. */
  const take = Effect.fnUntraced(function* (standing: keyof NamedShops, most: number) {
    const enough = claims.length + most
    let rest = shops[standing]
    while (rest.length > 0 && claims.length < enough) {
      const some = rest.slice(0, enough - claims.length)
      rest = rest.slice(some.length)
      for (const [store, own] of yield* byStore(some)) yield* takeFrom(store, standing, own, enough - claims.length)
    }
  })

  const takeFrom = Effect.fnUntraced(function* (
    store: Store,
    standing: keyof NamedShops,
    own: ReadonlyArray<string>,
    left: number,
  ) {
    if (left <= 0) return
    const asked = {
      ...request,
      limit: left,
      probation: { ...probation, limit: left, troubled: left },
      shops: { newcomer: [], troubled: [], proven: [], [standing]: own },
      busy: busy.list(),
    }
    const result = yield* stores.tried(store, Context.get(store.ports, DeliveryQueue).claim(asked))
    results.push(result)
    for (const claim of Result.isSuccess(result) ? result.success : []) {
      busy.add(claim)
      claims.push(claim)
    }
  })

  const unproven = Math.min(limit, probation.limit)
  yield* take("newcomer", unproven)
  yield* take("troubled", Math.min(probation.troubled, unproven - claims.length))
  yield* take("proven", limit - claims.length)
  yield* answersOf(results)
  return claims
})
