/** Which deliveries a claim takes: of each shop the endpoint with the fewest attempts under way comes first. */
import { type Standing, standingOf } from "../../../core/model/Health.ts"
import type { Claim, ClaimRequest } from "../../../core/ports/DeliveryQueue.ts"
import * as Pace from "../../../core/rules/webhooks/Pace.ts"
import { BusyEndpoints } from "../../../core/support/BusyEndpoints.ts"
import type { EndpointQueue, State } from "../State.ts"
import { compareDue, endpointOf, firstOf, queuesOf } from "./EndpointQueue.ts"

/** Takes deliveries of newcomers first, then of endpoints in trouble, up to their limits, then of proven ones. */
export const claimDue = (state: State, request: ClaimRequest): ReadonlyArray<Claim> => {
  const { limit, probation } = request
  const busy = new BusyEndpoints(request.busy)
  const unproven = Math.min(limit, probation.limit)
  const newcomers = takeInTurn(state, request, busy, "newcomer", unproven)
  const forTroubled = Math.min(probation.troubled, unproven - newcomers.length)
  const first = [...newcomers, ...takeInTurn(state, request, busy, "troubled", forTroubled)]
  return [...first, ...takeInTurn(state, request, busy, "proven", limit - first.length)]
}

/** Takes one delivery of each named shop in each round, until a round finds nothing. */
const takeInTurn = (
  state: State,
  request: ClaimRequest,
  busy: BusyEndpoints,
  standing: Standing,
  limit: number,
): ReadonlyArray<Claim> => {
  const claims: Array<Claim> = []
  const rounds = standing === "proven" ? Number.POSITIVE_INFINITY : request.probation.perEndpoint
  for (let round = 0, before = -1; round < rounds && before < claims.length && claims.length < limit; round++) {
    before = claims.length
    for (const shop of request.shops[standing]) {
      const queue = claims.length === limit ? undefined : nextOf(state, shop, request, busy, standing)
      const claim = queue === undefined ? undefined : take(state, queue, request)
      if (claim === undefined) continue
      claims.push(claim)
      busy.add(claim)
    }
  }
  return claims
}

/** The next of a shop's queues: fewest attempts under way, then longest due. */
const nextOf = (
  state: State,
  shop: string,
  request: ClaimRequest,
  busy: BusyEndpoints,
  standing: Standing,
): EndpointQueue | undefined => {
  if (busy.ofShop(shop) >= request.perShop) return undefined
  const perEndpoint = standing === "proven" ? request.perEndpoint : request.probation.perEndpoint
  return queuesOf(state, shop)
    .filter((queue) => {
      const endpoint = endpointOf(state, queue)
      if (endpoint === undefined || standingOf(endpoint) !== standing) return false
      return Pace.hasRoom(endpoint.options, queue.planned, request.now) && busy.ofEndpoint(queue) < perEndpoint
    })
    .flatMap((queue) => {
      const first = firstOf(state, queue, request.now)
      return first === undefined ? [] : { queue, first }
    })
    .sort((one, two) => busy.ofEndpoint(one.queue) - busy.ofEndpoint(two.queue) || compareDue(one.first, two.first))[0]
    ?.queue
}

/** Takes the longest-due delivery of a queue, if one can be claimed. */
const take = (state: State, queue: EndpointQueue, { leaseUntil, now, token }: ClaimRequest): Claim | undefined => {
  const holdings = state.holdings.get(queue.shop)
  const delivery = firstOf(state, queue, now)
  const endpoint = holdings?.endpoints.get(queue.endpointId)
  const event = delivery === undefined ? undefined : holdings?.events.get(delivery.record.eventId)
  if (delivery === undefined || endpoint === undefined || event === undefined) return undefined
  Object.assign(delivery, { leasedUntil: leaseUntil, token })
  const planning = { deliveryId: delivery.record.id, leaseUntil, now }
  const { planned, startsAt } = Pace.plan(endpoint.options, queue.planned, planning)
  queue.planned = planned
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
    troubled: endpoint.troubled,
    body: event.body,
    trace: event.trace,
    url: endpoint.url,
    secret: endpoint.secret,
    rotation: endpoint.rotation,
    standardWebhooks: endpoint.standardWebhooks,
    options: endpoint.options,
    startsAt,
  }
}
