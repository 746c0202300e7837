import { Effect, Option } from "effect"
import { type Claim, type ClaimRequest, DeliveryStore, type Settlement } from "../../core/ports/DeliveryStore.ts"
import { firstOf, laneOf, update } from "./Lanes.ts"
import type { Lane, State } from "./State.ts"

/** The queue of deliveries in memory. */
export const make = (state: State): DeliveryStore["Service"] => {
  /** Takes the delivery of a lane that is available first, if there is one by now. */
  const take = (lane: Lane, { leaseUntil, now, token }: ClaimRequest): Claim | undefined => {
    const holdings = state.holdings.get(lane.shop)
    const delivery = firstOf(state, lane)
    const endpoint = holdings?.endpoints.get(lane.endpointId)
    const event = delivery === undefined ? undefined : holdings?.events.get(delivery.record.eventId)
    if (delivery === undefined || endpoint === undefined || event === undefined) return undefined
    if (delivery.availableAt > now) return undefined
    update(state, lane, delivery, { availableAt: leaseUntil, token })
    return {
      token,
      shop: lane.shop,
      deliveryId: delivery.record.id,
      endpointId: lane.endpointId,
      event: delivery.record.event,
      test: delivery.record.test,
      attempt: delivery.record.attempts.length + 1,
      body: event.body,
      url: endpoint.url,
      secret: endpoint.secret,
    }
  }

  /** The delivery that a claim holds, if it still does. */
  const holdOf = ({ deliveryId, endpointId, shop, token }: Claim) => {
    const lane = laneOf(state, shop, endpointId)
    const delivery = lane?.all.get(deliveryId)
    return lane !== undefined && delivery !== undefined && delivery.token === token ? { lane, delivery } : undefined
  }

  const settleOne = (settlement: Settlement): boolean => {
    const { attempt, claim, nextAttemptAt, status } = settlement
    const hold = holdOf(claim)
    if (hold === undefined) return false
    const { delivery, lane } = hold
    const attempts = [...delivery.record.attempts, attempt]
    const record = { ...delivery.record, status, nextAttemptAt, attempts }
    update(state, lane, delivery, { record, availableAt: nextAttemptAt ?? delivery.availableAt, token: null })
    return true
  }

  return DeliveryStore.of({
    claim: (request) =>
      Effect.sync(() => {
        const claims: Array<Claim> = []
        const under = new Map(request.busy)
        // One of each lane in turn, until a round gives nothing more.
        for (let before = -1; before < claims.length && claims.length < request.limit; ) {
          before = claims.length
          for (const lane of [...state.turns]) {
            const key = `${lane.shop}/${lane.endpointId}`
            const attempts = under.get(key) ?? 0
            if (claims.length === request.limit || attempts >= request.perEndpoint) continue
            const claim = take(lane, request)
            if (claim === undefined) continue
            claims.push(claim)
            under.set(key, attempts + 1)
            state.turns.delete(lane)
            state.turns.add(lane)
          }
        }
        return claims
      }),

    settle: (settlements, advance) =>
      Effect.sync(() =>
        settlements.map((settlement) => {
          if (!settleOne(settlement)) return false
          const { endpointId, shop } = settlement.claim
          const endpoints = state.holdings.get(shop)?.endpoints
          const endpoint = endpoints?.get(endpointId)
          if (endpoint !== undefined) endpoints?.set(endpointId, { ...endpoint, ...advance(endpoint, settlement) })
          return true
        }),
      ),

    release: (claims) =>
      Effect.sync(() => {
        for (const claim of claims) {
          const hold = holdOf(claim)
          if (hold === undefined) continue
          const availableAt = hold.delivery.record.nextAttemptAt ?? hold.delivery.availableAt
          update(state, hold.lane, hold.delivery, { availableAt, token: null })
        }
      }),

    nextDue: Effect.sync(() =>
      [...state.turns].reduce<Option.Option<number>>((earliest, lane) => {
        const first = firstOf(state, lane)
        if (first === undefined) return earliest
        return Option.some(
          Math.min(
            first.availableAt,
            Option.getOrElse(earliest, () => Number.POSITIVE_INFINITY),
          ),
        )
      }, Option.none()),
    ),
  })
}
