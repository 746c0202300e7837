import { Effect } from "effect"
import { standingOf } from "../../../../core/model/Health.ts"
import type {
  Busy,
  Claim,
  ClaimRequest,
  DeliveryQueue,
  NamedShops,
  Walked,
} from "../../../../core/ports/DeliveryQueue.ts"
import type { StorageError } from "../../../../core/ports/StorageError.ts"

type Queue = DeliveryQueue["Service"]

/** A claim of whatever shops have their turn. */
export type TurnRequest = Omit<ClaimRequest, "shops">

/** A queue whose claims walk over all shops, and name them in turn, as a worker does. */
export interface TurnQueue extends Omit<Queue, "claim"> {
  readonly claim: (request: TurnRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>
}

/** Shops of a step: few, so that most walks have several. */
const shopsOfStep = 3

/** Claims in turn from a queue. */
export const inTurn = (queue: Queue): TurnQueue => {
  let turns: NamedShops = { newcomer: [], troubled: [], proven: [] }

  const walk = Effect.fnUntraced(function* (now: number) {
    const shops = new Set<string>()
    let step: Walked = { shops: [], after: null, nextDue: null }
    do {
      step = yield* queue.walk({ now, after: step.after, limit: shopsOfStep })
      for (const shop of step.shops) shops.add(shop)
    } while (step.after !== null || (step.nextDue ?? Number.POSITIVE_INFINITY) <= now)
    return shops
  })

  const claim = Effect.fnUntraced(function* (request: TurnRequest) {
    const due = yield* walk(request.now)
    const claims: Array<Claim> = []
    turns = next(turns, due, [])
    while (claims.length < request.limit) {
      const found = yield* queue.claim({ ...without(request, claims), shops: turns })
      if (found.length === 0) break
      claims.push(...found)
      turns = next(turns, due, found)
    }
    return claims
  })

  return { ...queue, claim }
}

/** The turns of the shops with due deliveries: new ones behind the others, those that were served behind all. */
const next = (turns: NamedShops, due: ReadonlySet<string>, claims: ReadonlyArray<Claim>): NamedShops => {
  const of = (standing: keyof NamedShops) => {
    const served = new Set(claims.filter((claim) => standingOf(claim) === standing).map(({ shop }) => shop))
    const all = [...new Set([...turns[standing], ...due])].filter((shop) => due.has(shop))
    return [...all.filter((shop) => !served.has(shop)), ...all.filter((shop) => served.has(shop))]
  }
  return { newcomer: of("newcomer"), troubled: of("troubled"), proven: of("proven") }
}

/** What is left of a request: its claims are under way. */
const without = (request: TurnRequest, claims: ReadonlyArray<Claim>): TurnRequest => {
  const limit = request.probation.limit - claims.filter(({ proven }) => !proven).length
  const troubled = request.probation.troubled - claims.filter(({ troubled }) => troubled).length
  return {
    ...request,
    limit: request.limit - claims.length,
    probation: { ...request.probation, limit, troubled },
    busy: together([...request.busy, ...claims.map(({ endpointId, shop }) => ({ shop, endpointId, attempts: 1 }))]),
  }
}

/** The attempts of each endpoint, once. */
const together = (all: ReadonlyArray<Busy>): ReadonlyArray<Busy> => {
  const byEndpoint = new Map<string, Busy>()
  for (const one of all) {
    const key = JSON.stringify([one.shop, one.endpointId])
    byEndpoint.set(key, { ...one, attempts: one.attempts + (byEndpoint.get(key)?.attempts ?? 0) })
  }
  return [...byEndpoint.values()]
}
