import { Effect, Option } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import * as EndpointState from "../../core/rules/EndpointState.ts"
import { dropQueue, makeQueue, queueOfEndpoint } from "./EndpointQueue.ts"
import { wakeWorkers } from "./Signals.ts"
import { holdingsOf, type State } from "./State.ts"

/** Webhook endpoints in memory. */
export const make = (state: State): EndpointStore["Service"] => {
  const endpointsOf = (shop: string) => state.holdings.get(shop)?.endpoints

  return EndpointStore.of({
    add: (endpoint, maximum) =>
      Effect.sync(() => {
        const { endpoints, queues } = holdingsOf(state, endpoint.shop)
        if (endpoints.size >= maximum) return false
        endpoints.set(endpoint.id, endpoint)
        queues.set(endpoint.id, makeQueue(endpoint))
        return true
      }),

    list: (shop) =>
      Effect.sync(() =>
        [...(endpointsOf(shop)?.values() ?? [])].sort(
          (left, right) => left.createdAt - right.createdAt || compareIds(left.id, right.id),
        ),
      ),

    find: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(endpointsOf(shop)?.get(id))),

    change: (shop, id, change) =>
      Effect.sync(() => {
        const endpoints = endpointsOf(shop)
        const endpoint = endpoints?.get(id)
        if (endpoints === undefined || endpoint === undefined) return Option.none()
        const changed = { ...endpoint, ...change }
        endpoints.set(id, changed)
        return Option.some(changed)
      }),

    remove: (shop, id) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, id)
        if (queue !== undefined) dropQueue(state, queue)
        return endpointsOf(shop)?.delete(id) ?? false
      }),

    turnOn: (shop, id) =>
      Effect.sync(() => {
        const endpoints = endpointsOf(shop)
        const endpoint = endpoints?.get(id)
        if (endpoints === undefined || endpoint === undefined) return Option.none()
        const turnedOn = { ...endpoint, ...EndpointState.turnOn(endpoint) }
        endpoints.set(id, turnedOn)
        wakeWorkers(state)
        return Option.some(turnedOn)
      }),
  })
}
