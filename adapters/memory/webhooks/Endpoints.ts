import { Effect, Option } from "effect"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { changedBy, isConfigured } from "../../../core/model/webhooks/EndpointChange.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import * as EndpointState from "../../../core/rules/webhooks/EndpointState.ts"
import * as SecretRotation from "../../../core/rules/webhooks/SecretRotation.ts"
import { addChange } from "../audit/Audit.ts"
import { holdingsOf, type State } from "../State.ts"
import { dropDeselected, dropQueue, makeQueue, queueOfEndpoint, reorder } from "./EndpointQueue.ts"
import { wakeWorkers } from "./Signals.ts"

/** The endpoints of a shop, oldest first. */
export const endpointsOfShop = (state: State, shop: string): ReadonlyArray<EndpointRecord> =>
  [...(state.holdings.get(shop)?.endpoints.values() ?? [])].sort(
    (left, right) => left.createdAt - right.createdAt || compareIds(left.id, right.id),
  )

/** Webhook endpoints in memory. */
export const make = (state: State): EndpointStore["Service"] => {
  const endpointsOf = (shop: string) => state.holdings.get(shop)?.endpoints

  /** Updates an endpoint if it exists. */
  const changing = (
    shop: string,
    id: string,
    audited: Audited<EndpointRecord> | undefined,
    changed: (endpoint: EndpointRecord) => Partial<EndpointRecord>,
    seen?: EndpointRecord,
  ) =>
    Effect.sync(() => {
      const endpoints = endpointsOf(shop)
      const before = endpoints?.get(id)
      if (endpoints === undefined || before === undefined) return Option.none()
      if (seen !== undefined && !isConfigured(before, seen)) return Option.some(before)
      const after = { ...before, ...changed(before) }
      endpoints.set(id, after)
      addChange(state, audited, before, after)
      return Option.some(after)
    })

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

    find: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(endpointsOf(shop)?.get(id))),

    change: (shop, id, change, audited, seen) =>
      Effect.tap(
        changing(shop, id, audited, (endpoint) => changedBy(endpoint, change), seen),
        (changed) =>
          Effect.sync(() => {
            const queue = queueOfEndpoint(state, shop, id)
            if (Option.isNone(changed) || queue === undefined) return
            dropDeselected(state, queue, changed.value)
            if (change.options?.ordering === undefined) return
            reorder(state, queue)
            wakeWorkers(state, [shop])
          }),
      ),

    rotate: (shop, id, anew, audited) =>
      changing(shop, id, audited, (endpoint) => SecretRotation.rotate(endpoint, anew)),

    promote: (shop, id, now, audited) =>
      changing(shop, id, audited, (endpoint) => SecretRotation.promote(endpoint, now)),

    remove: (shop, id, audited) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, id)
        if (queue !== undefined) dropQueue(state, queue)
        addChange(state, audited, endpointsOf(shop)?.get(id), undefined)
        return endpointsOf(shop)?.delete(id) ?? false
      }),

    pause: (shop, id, at, audited) =>
      changing(shop, id, audited, (endpoint) => EndpointState.pause(endpoint, at) ?? {}),

    turnOn: (shop, id, audited) =>
      Effect.tap(
        changing(shop, id, audited, (endpoint) => EndpointState.turnOn(endpoint) ?? {}),
        (turnedOn) => Effect.sync(() => Option.isSome(turnedOn) && wakeWorkers(state, [shop])),
      ),
  })
}
