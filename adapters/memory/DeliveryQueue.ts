import { Effect, Option } from "effect"
import { type Claim, type ClaimRequest, DeliveryQueue, type Settlement } from "../../core/ports/DeliveryQueue.ts"
import { pendingDelivery, recoveredId } from "../../core/rules/DeliveryState.ts"
import { noticesOf } from "../../core/rules/NoticeRules.ts"
import {
  addDelivery,
  claimableParts,
  compareDue,
  endpointOf,
  firstClaimableAt,
  firstOf,
  pendingQueues,
  queueOfEndpoint,
  queuesOf,
  settleDelivery,
} from "./EndpointQueue.ts"
import { keepEvent } from "./Feed.ts"
import { Held } from "./Held.ts"
import { missedEvents } from "./Missed.ts"
import { addNotices } from "./Notices.ts"
import { wakeWorkers } from "./Signals.ts"
import type { EndpointQueue, State } from "./State.ts"

/** The queue of deliveries in memory. */
export const make = (state: State): DeliveryQueue["Service"] => {
  /** Takes the longest-due delivery of a queue, if one can be claimed. */
  const take = (queue: EndpointQueue, { leaseUntil, now, token }: ClaimRequest): Claim | undefined => {
    const holdings = state.holdings.get(queue.shop)
    const delivery = firstOf(state, queue, now)
    const endpoint = holdings?.endpoints.get(queue.endpointId)
    const event = delivery === undefined ? undefined : holdings?.events.get(delivery.record.eventId)
    if (delivery === undefined || endpoint === undefined || event === undefined) return undefined
    Object.assign(delivery, { leasedUntil: leaseUntil, token })
    return {
      token,
      shop: queue.shop,
      deliveryId: delivery.record.id,
      endpointId: queue.endpointId,
      eventId: event.id,
      event: delivery.record.event,
      test: delivery.record.test,
      attempt: delivery.record.attempts.length + 1,
      proven: endpoint.proven,
      body: event.body,
      url: endpoint.url,
      secret: endpoint.secret,
      rotation: endpoint.rotation,
      standardWebhooks: endpoint.standardWebhooks,
    }
  }

  /** The next of a shop's queues: fewest attempts under way, then longest due. */
  const nextOf = (shop: string, request: ClaimRequest, held: Held, proven: boolean): EndpointQueue | undefined => {
    if (held.ofShop(shop) >= request.perShop) return undefined
    const perEndpoint = proven ? request.perEndpoint : request.probation.perEndpoint
    return queuesOf(state, shop)
      .filter((queue) => endpointOf(state, queue)?.proven === proven && held.ofEndpoint(queue) < perEndpoint)
      .flatMap((queue) => {
        const first = firstOf(state, queue, request.now)
        return first === undefined ? [] : { queue, first }
      })
      .sort(
        (one, two) => held.ofEndpoint(one.queue) - held.ofEndpoint(two.queue) || compareDue(one.first, two.first),
      )[0]?.queue
  }

  /** Takes one delivery of each shop in turn, until a round finds nothing. */
  const takeInTurn = (request: ClaimRequest, held: Held, proven: boolean, limit: number): ReadonlyArray<Claim> => {
    const claims: Array<Claim> = []
    const turns = proven ? state.turns.proven : state.turns.probation
    for (let before = -1; before < claims.length && claims.length < limit; ) {
      before = claims.length
      for (const shop of [...turns]) {
        const queue = claims.length === limit ? undefined : nextOf(shop, request, held, proven)
        const claim = queue === undefined ? undefined : take(queue, request)
        if (claim === undefined) continue
        claims.push(claim)
        held.add(claim)
        turns.delete(shop)
        turns.add(shop)
      }
    }
    return claims
  }

  /** The delivery of a claim, if the claim is current. */
  const holdOf = ({ deliveryId, endpointId, shop, token }: Claim) => {
    const queue = queueOfEndpoint(state, shop, endpointId)
    const delivery = queue?.all.get(deliveryId)
    return queue !== undefined && delivery !== undefined && delivery.token === token ? { queue, delivery } : undefined
  }

  const settleOne = (settlement: Settlement): boolean => {
    const { attempt, claim, nextAttemptAt, status } = settlement
    const hold = holdOf(claim)
    if (hold === undefined) return false
    const { delivery, queue } = hold
    const attempts = [...delivery.record.attempts, attempt]
    settleDelivery(state, queue, delivery, { ...delivery.record, status, nextAttemptAt, attempts })
    return true
  }

  return DeliveryQueue.of({
    add: (delivery, event) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, delivery.shop, delivery.endpointId)
        const holdings = state.holdings.get(delivery.shop)
        if (queue === undefined || holdings === undefined) return false
        if (event !== null) keepEvent(holdings, event)
        if (!holdings.events.has(delivery.eventId)) return false
        addDelivery(state, queue, delivery)
        wakeWorkers(state)
        return true
      }),

    recover: ({ shop, endpointId, since, now, run }) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        const endpoint = holdings?.endpoints.get(endpointId)
        const queue = holdings?.queues.get(endpointId)
        if (endpoint === undefined || queue === undefined) return 0
        const missed = missedEvents(state, shop, endpointId, since)
        for (const event of missed)
          addDelivery(state, queue, pendingDelivery(recoveredId(run, event.id), event, endpoint, now))
        if (missed.length > 0) wakeWorkers(state)
        return missed.length
      }),

    claim: (request) =>
      Effect.sync(() => {
        const held = new Held(request.busy)
        const probation = Math.min(request.limit, request.probation.limit)
        const first = takeInTurn(request, held, false, probation)
        return [...first, ...takeInTurn(request, held, true, request.limit - first.length)]
      }),

    settle: (settlements, advance) =>
      Effect.sync(() =>
        settlements.map((settlement) => {
          if (!settleOne(settlement)) return false
          const { endpointId, shop } = settlement.claim
          const holdings = state.holdings.get(shop)
          const endpoint = holdings?.endpoints.get(endpointId)
          if (holdings === undefined || endpoint === undefined) return true
          const after = advance(endpoint, settlement)
          holdings.endpoints.set(endpointId, { ...endpoint, ...after })
          addNotices(holdings, noticesOf(settlement, endpoint, after))
          return true
        }),
      ),

    release: (claims) =>
      Effect.sync(() => {
        for (const claim of claims) {
          const hold = holdOf(claim)
          if (hold === undefined) continue
          settleDelivery(state, hold.queue, hold.delivery, hold.delivery.record)
        }
      }),

    nextDue: (now) =>
      Effect.sync(() => {
        const queues = pendingQueues(state)
        const parts = queues.flatMap((queue) => claimableParts(state, queue))
        const first = parts
          .map(firstClaimableAt)
          .reduce((left, right) => Math.min(left, right), Number.POSITIVE_INFINITY)
        return first === Number.POSITIVE_INFINITY ? Option.none() : Option.some(Math.max(now, first))
      }),
  })
}
