import { Context, Effect, Result } from "effect"
import { type Claim, type ClaimRequest, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { BusyEndpoints } from "../../core/support/BusyEndpoints.ts"
import { answersOf, type Stores } from "./Stores.ts"

/** A store's turn ends when it has served this many shops, even if it has more. */
const longestTurn = 64

/** An endpoint that no shop has. Attempts under way to it count for the shop alone. */
const noEndpoint = ""

type Claiming = (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>

/**
 * Returns `DeliveryQueue.claim` over several stores, which take turns, separately for newcomers, for endpoints in
 * trouble and for proven ones.
 *
 * A store's turn lasts until each of its shops with due deliveries is served, so that all shops are served in turn,
 * whatever their store. Within its turn, shops that were served are passed to the store as shops whose share is under
 * way. A store that fails loses its turn.
 */
export const makeClaim = (stores: Stores, release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void>): Claiming => {
  const ofNewcomers = makeTurns(stores, { oneOfEachShop: true, release })
  const ofTroubled = makeTurns(stores, { oneOfEachShop: true, release })
  const ofProven = makeTurns(stores, { oneOfEachShop: false, release })
  return Effect.fnUntraced(function* (request) {
    const { limit, perEndpoint, probation } = request
    const underWay = new BusyEndpoints(request.busy)
    const claims: Array<Claim> = []
    const take = Effect.fnUntraced(function* (claiming: Claiming, some: Partial<ClaimRequest> & { limit: number }) {
      if (some.limit <= 0) return
      for (const claim of yield* claiming({ ...request, ...some, busy: underWay.list() })) {
        underWay.add(claim)
        claims.push(claim)
      }
    })
    const unproven = Math.min(limit, probation.limit)
    yield* take(ofNewcomers, { limit: unproven, perEndpoint: 0, probation: { ...probation, troubled: 0 } })
    yield* take(ofTroubled, { limit: Math.min(probation.troubled, unproven - claims.length), perEndpoint: 0 })
    yield* take(ofProven, { limit: limit - claims.length, perEndpoint, probation: { ...probation, limit: 0 } })
    return claims
  })
}

interface TurnOptions {
  /**
   * Whether a shop gets more than one claim only if other shops, also of other stores, leave room. Claims without room
   * are released.
   */
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
    const underWay = new BusyEndpoints(request.busy)
    const results: Array<Result.Result<ReadonlyArray<Claim>, StorageError>> = []
    // A store whose turn goes on is asked again, after all others, for shops that it has served already.
    const asks = stores.all.length + Math.min(served.size, 1)
    while (results.length < asks && claims.length < request.limit) {
      const store = stores.all[turn]
      if (store === undefined) break
      const limit = request.limit - claims.length
      const passedOver = Array.from(served, (shop) => ({ shop, endpointId: noEndpoint, attempts: request.perShop }))
      const busy = [...underWay.list(), ...passedOver]
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
        underWay.add(claim)
      }
      if (claims.length < request.limit || served.size >= longestTurn) passOn()
    }
    yield* answersOf(results)
    const room = request.limit - claims.length
    if (more.length > room) yield* release(more.slice(room))
    return [...claims, ...more.slice(0, room)]
  })
}
