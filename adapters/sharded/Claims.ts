import { Context, Effect, Result } from "effect"
import { type Busy, type Claim, type ClaimRequest, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { answersOf, type Stores } from "./Stores.ts"

/** A store's turn ends when it has served so many shops, whatever else it has. */
const longestTurn = 64

/** An endpoint that no shop has. What is under way there counts for the shop alone. */
const noEndpoint = ""

type Claiming = (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>

/**
 * Makes the claims of a host (`DeliveryQueue.claim`) over several stores, which take turns, for each kind of endpoints by itself.
 *
 * A store's turn lasts until each of its shops that has something due is served, so that all shops are served in turn, wherever they are. A store is told
 * which shops it has served in its turn as shops that have their share under way. A store that fails loses its turn.
 */
export const makeClaim = (stores: Stores, release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void>): Claiming => {
  const ofUnproven = makeTurns(stores, { oneOfEachShop: true, release })
  const ofProven = makeTurns(stores, { oneOfEachShop: false, release })
  return Effect.fnUntraced(function* (request) {
    const { busy, unproven } = request
    const limit = Math.min(request.limit, unproven.limit)
    const first = limit === 0 ? [] : yield* ofUnproven({ ...request, limit, perEndpoint: 0 })
    if (first.length === request.limit) return first
    const rest = yield* ofProven({
      ...request,
      limit: request.limit - first.length,
      unproven: { ...unproven, limit: 0 },
      busy: withClaims(busy, first),
    })
    return [...first, ...rest]
  })
}

interface TurnOptions {
  /** Whether a shop gets more than one only where other shops leave room, those of other stores included. What they don't leave room for is released. */
  readonly oneOfEachShop: boolean
  readonly release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void>
}

const makeTurns = (stores: Stores, { oneOfEachShop, release }: TurnOptions): Claiming => {
  let turn = 0
  let served = new Set<string>()
  const passOn = () => {
    turn = (turn + 1) % stores.all.length
    served = new Set()
  }
  return Effect.fnUntraced(function* (request) {
    const claims: Array<Claim> = []
    const more: Array<Claim> = []
    const results: Array<Result.Result<ReadonlyArray<Claim>, StorageError>> = []
    // A store whose turn goes on is asked again, behind all others, for shops that it has served.
    const asks = stores.all.length + Math.min(served.size, 1)
    while (results.length < asks && claims.length < request.limit) {
      const store = stores.all[turn]
      if (store === undefined) break
      const limit = request.limit - claims.length
      const passedOver = Array.from(served, (shop) => ({ shop, endpointId: noEndpoint, attempts: request.perShop }))
      const busy = [...withClaims(request.busy, [...claims, ...more]), ...passedOver]
      const result = yield* stores.tried(
        store,
        Context.get(store.ports, DeliveryQueue).claim({ ...request, limit, busy }),
      )
      results.push(result)
      const found = Result.isSuccess(result) ? result.success : []
      for (const claim of found) {
        if (oneOfEachShop && served.has(claim.shop)) more.push(claim)
        else claims.push(claim)
        served.add(claim.shop)
      }
      if (claims.length < request.limit || served.size >= longestTurn) passOn()
    }
    yield* answersOf(results)
    const room = request.limit - claims.length
    if (more.length > room) yield* release(more.slice(room))
    return [...claims, ...more.slice(0, room)]
  })
}

/** What is under way, claims included. */
const withClaims = (busy: ReadonlyArray<Busy>, claims: ReadonlyArray<Claim>): ReadonlyArray<Busy> => {
  if (claims.length === 0) return busy
  const counts = new Map<string, Busy>()
  for (const { attempts, endpointId, shop } of [...busy, ...claims.map((claim) => ({ ...claim, attempts: 1 }))]) {
    const key = JSON.stringify([shop, endpointId])
    counts.set(key, { shop, endpointId, attempts: (counts.get(key)?.attempts ?? 0) + attempts })
  }
  return [...counts.values()]
}
