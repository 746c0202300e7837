import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { takesOthers } from "../../../core/model/webhooks/EndpointChange.ts"
import { type EndpointPlace, EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { setUpMark } from "../../../core/ports/SettingsSessions.ts"
import { isSpent } from "../access/SettingsSessions.ts"
import { addChange } from "../audit/Audit.ts"
import { holdingsOf, type State } from "../State.ts"
import { dropDeselected, dropQueue, makeQueue, queueOfEndpoint, reorder } from "./EndpointQueue.ts"
import { wakeWorkers } from "./Signals.ts"

/** The endpoints of a shop, oldest first. */
export const endpointsOfShop = (state: State, shop: string): ReadonlyArray<EndpointRecord> =>
  [...(state.holdings.get(shop)?.endpoints.values() ?? [])].sort(
    (left, right) => left.createdAt - right.createdAt || compareIds(left.id, right.id),
  )

const compare = (left: EndpointPlace, right: EndpointPlace): number =>
  compareIds(left.shop, right.shop) || compareIds(left.id, right.id)

/** Webhook endpoints in memory. */
export const makeEndpoints = (state: State): EndpointStore["Service"] => {
  const endpointsOf = (shop: string) => state.holdings.get(shop)?.endpoints

  return EndpointStore.of({
    add: (endpoint, maximum, audited) =>
      Effect.sync(() => {
        const { endpoints, queues } = holdingsOf(state, endpoint.shop)
        if (endpoints.size >= maximum) return false
        endpoints.set(endpoint.id, endpoint)
        queues.set(endpoint.id, makeQueue(endpoint))
        addChange(state, audited, undefined, endpoint)
        return true
      }),

    list: (shop) => Effect.sync(() => endpointsOfShop(state, shop)),

    all: (after, limit) =>
      Effect.sync(() =>
        [...state.holdings.values()]
          .flatMap(({ endpoints }) => [...endpoints.values()])
          .filter((endpoint) => after === null || compare(endpoint, after) > 0)
          .sort(compare)
          .slice(0, limit),
      ),

    withShop: (id) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(state.shops.get(id)), (shop) => ({
          shop,
          endpoints: endpointsOfShop(state, id),
          isSetUp: isSpent(state, id, setUpMark),
        })),
      ),

    find: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(endpointsOf(shop)?.get(id))),

    update: (shop, id, change, audited) =>
      Effect.gen(function* () {
        const before = endpointsOf(shop)?.get(id)
        const queue = queueOfEndpoint(state, shop, id)
        if (before === undefined || queue === undefined) return Option.none()
        const after = yield* Effect.fromResult(change(before))
        endpointsOf(shop)?.set(id, after)
        addChange(state, audited, before, after)
        if (takesOthers(before, after)) dropDeselected(state, queue, after)
        const isReordered = after.options.ordering !== before.options.ordering
        if (isReordered) reorder(state, queue)
        if (isReordered || after.status !== before.status) wakeWorkers(state, [shop])
        return Option.some(after)
      }),

    remove: (shop, id, audited) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, id)
        if (queue !== undefined) dropQueue(state, queue)
        addChange(state, audited, endpointsOf(shop)?.get(id), undefined)
        return endpointsOf(shop)?.delete(id) ?? false
      }),
  })
}
