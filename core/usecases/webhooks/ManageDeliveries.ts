import { Clock, Effect, Option, type Redacted } from "effect"
import { fromWire } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import { designData, pingData } from "../../model/events/Event.ts"
import { reader } from "../../model/Input.ts"
import { type Instant, parse } from "../../model/Instant.ts"
import type { Page } from "../../model/Page.ts"
import type { LogInput } from "../../model/queries/Inputs.ts"
import { cursorOf, logQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { isStorable } from "../../model/Text.ts"
import { type Delivery, type DeliveryRecord, logLength, view } from "../../model/webhooks/Delivery.ts"
import { type EndpointRecord, RecoveryInput } from "../../model/webhooks/Endpoint.ts"
import type { DeliveryPlace } from "../../model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { Upkeep } from "../../ports/Upkeep.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { pendingDelivery } from "../../rules/webhooks/DeliveryState.ts"
import { bodyFor } from "../../rules/webhooks/Reference.ts"
import { signedWith, validSecrets } from "../../rules/webhooks/SecretRotation.ts"
import { standardKeyBytes } from "../../rules/webhooks/Signature.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { makeDeliveryHeaders } from "../../support/DeliveryHeaders.ts"
import { listPage } from "../../support/ListPage.ts"
import { newId } from "../../support/NewId.ts"
import { open } from "../../support/SealedSecret.ts"
import { endpointOf, orNoEndpoint, requireWebhooks } from "../../support/ShopRecords.ts"
import { keyFrom } from "../../support/SigningKeys.ts"
import { newEvent } from "../../support/Tracing.ts"

/**
 * Lists an endpoint's delivery log: its newest 50 deliveries with every attempt, newest first (§8, D32). Fails with
 * `NotFound`.
 */
export const listDeliveries = Effect.fn("ManageDeliveries.list")(function* (shopId: string, endpointId: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const records = yield* DeliveryLog.use((log) => log.list(shop.id, endpoint.id, logLength))
  return records.map(view)
})

/**
 * A page of an endpoint's delivery log, newest first, with every attempt (§8, D32). Fails with `NotFound` and
 * `InvalidInput`.
 */
export const pageOfDeliveries = Effect.fn("ManageDeliveries.page")(function* (
  shopId: string,
  endpointId: string,
  input: LogInput = {},
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const query = yield* Effect.fromResult(readLog(input))
  const { list } = yield* DeliveryLog
  const { entries, last } = yield* listPage(query.limit, ({ bytes, limit }, after: DeliveryRecord | undefined) =>
    list(shop.id, endpoint.id, limit, { bytes, after: after === undefined ? (query.after ?? null) : placeOf(after) }),
  )
  const page: Page<Delivery> = {
    data: entries.map(view),
    pagination: { limit: query.limit, nextCursor: last === undefined ? null : cursorOf(placeOf(last)) },
  }
  return page
})

const placeOf = ({ createdAt, id }: DeliveryRecord): DeliveryPlace => ({ at: createdAt, id })

/**
 * Reads a delivery of an endpoint with the `body` that is sent, as the endpoint asks for it now (D72). Fails with
 * `NotFound`.
 */
export const readDelivery = Effect.fn("ManageDeliveries.read")(function* (
  shopId: string,
  endpointId: string,
  id: string,
) {
  const { endpoint } = yield* endpointOf(shopId, endpointId)
  const { body, delivery } = yield* deliveryOf(endpoint, id)
  return { ...view(delivery), body }
})

const deliveryOf = Effect.fnUntraced(function* (endpoint: EndpointRecord, id: string) {
  const found = isStorable(id)
    ? yield* DeliveryLog.use((log) => log.find(endpoint.shop, endpoint.id, id))
    : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "The endpoint has no such delivery" })
  const { body, delivery } = found.value
  return { body: bodyFor(endpoint.options.payload, body), delivery }
})

/** Shown instead of the value of a header of the owner's, and of an access token. */
const hidden = "[hidden]"

/**
 * The headers of an attempt, by its number from 1, made again from the log. `undefined` if the signing secret at the
 * time was dropped (D40), or no key opens it any more. The headers of Standard Webhooks follow the endpoint's
 * present setting (D41), and so do the names of its owner's headers and of an access token's, without their values
 * (D55). Fails with `NotFound`.
 */
export const readRequestHeaders = Effect.fn("ManageDeliveries.headers")(function* (
  shopId: string,
  endpointId: string,
  id: string,
  attempt: number,
) {
  const { endpoint } = yield* endpointOf(shopId, endpointId)
  const { body, delivery } = yield* deliveryOf(endpoint, id)
  const made = delivery.attempts.find(({ number }) => number === attempt)
  if (made === undefined) return yield* new NotFound({ message: "The delivery has no such attempt" })
  const sealed = signedWith(endpoint, made.at)
  if (sealed === undefined) return undefined
  const valid = endpoint.standardWebhooks ? validSecrets(endpoint, made.at) : []
  const secrets = yield* Effect.option(Effect.forEach([sealed, ...valid], (one) => open(one, endpoint.id)))
  if (Option.isNone(secrets)) return undefined
  const [own, ...both] = secrets.value as [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]
  const keys = yield* Effect.forEach(both, (secret) => keyFrom(secret, standardKeyBytes))
  const headersOf = yield* makeDeliveryHeaders
  const shown = { id: delivery.id, event: delivery.event, body }
  const standard = endpoint.standardWebhooks ? { eventId: delivery.eventId, keys } : undefined
  const headers = yield* headersOf(shown, made.at, yield* keyFrom(own), standard)
  const { headers: owners, oauth } = endpoint.options
  const names = [...(owners?.names ?? []), ...(oauth === null ? [] : ["Authorization"])]
  return { ...Object.fromEntries(names.map((name) => [name, hidden])), ...headers }
})

/**
 * Sends a test event once: the latest ordered design as `design.ordered`, or a `ping` if there is none (§6, D30),
 * whatever kinds the endpoint takes, and even if it is switched off. Fails with `NotFound`, and with `PlanRequired` if
 * the shop's plan does not include webhooks.
 */
export const sendTestEvent = Effect.fn("ManageDeliveries.test")(function* (shopId: string, endpointId: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  yield* requireWebhooks(shop)
  const latest = yield* OrderStore.use((orders) => orders.latestOrderedDesign(shop.id))
  const now = yield* Clock.currentTimeMillis
  const event = yield* Option.match(latest, {
    onNone: () => newEvent(shop, { event: "ping", data: pingData("A test of this webhook endpoint"), now, test: true }),
    onSome: (wire) => {
      const design = fromWire(wire)
      const subject = { order: design.order?.id ?? null, design: design.id }
      return newEvent(shop, { event: "design.ordered", data: designData(wire), now, test: true, subject })
    },
  })
  const delivery = pendingDelivery(yield* newId("dlv_"), event, endpoint, now)
  const audit = AuditRules.done(yield* newOccasion, shop.id, "endpoint.tested", { type: "endpoint", id: endpoint.id })
  const added = yield* DeliveryQueue.use((queue) => queue.add(delivery, event, audit))
  if (added) yield* logEntry(audit)
  return added ? view(delivery) : yield* orNoEndpoint(Option.none())
})

/**
 * Sends a delivery's body again as a new delivery with the same event id (§6, D22, D29). Fails with `NotFound`, and
 * with `PlanRequired` if the shop's plan does not include webhooks (D8).
 */
export const redeliver = Effect.fn("ManageDeliveries.redeliver")(function* (
  shopId: string,
  endpointId: string,
  id: string,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const { delivery } = yield* deliveryOf(endpoint, id)
  yield* requireWebhooks(shop)
  const event = { id: delivery.eventId, event: delivery.event, test: delivery.test }
  const again = pendingDelivery(yield* newId("dlv_"), event, endpoint, yield* Clock.currentTimeMillis)
  const audit = AuditRules.done(yield* newOccasion, shop.id, "delivery.redelivered", { type: "delivery", id })
  const added = yield* DeliveryQueue.use((queue) => queue.add(again, null, audit))
  if (!added) {
    return yield* new NotFound({ message: "The delivery is no longer kept: it can't be sent again" })
  }
  yield* logEntry(audit)
  return view(again)
})

const readLog = queryReader(logQuery)
const readRecovery = reader(RecoveryInput)

/**
 * Adds deliveries of the kept events since a time (RFC 3339) that the endpoint takes and has not received, e.g. while
 * it was switched off (D28). Returns their number. Fails with `NotFound`, `InvalidInput`, and `PlanRequired` if the
 * shop's plan does not include webhooks (D8).
 */
export const recover = Effect.fn("ManageDeliveries.recover")(function* (
  shopId: string,
  endpointId: string,
  input: RecoveryInput,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const { since } = yield* Effect.fromResult(readRecovery(input))
  yield* requireWebhooks(shop)
  const now = yield* Clock.currentTimeMillis
  const run = (yield* newId("dlv_")).slice("dlv_".length)
  // The schema has validated it.
  const from = parse(since) as Instant
  const entryOf = AuditRules.recovery(yield* newOccasion, endpoint, from)
  const added = yield* DeliveryQueue.use((queue) =>
    queue.recover({ shop: shop.id, endpointId: endpoint.id, since: from, now, run, audited: entryOf }),
  )
  if (added > 0) yield* logEntry(entryOf(added))
  return added
})

/** The least time that events are kept (D33). */
const retention = 30 * 24 * 60 * 60 * 1000

/** The records that one step of pruning examines: a few milliseconds of a store's time. */
const pruneLimit = 1000

/**
 * Drops deliveries that the log no longer shows and events that can't be recovered any more (D32, D33), in short steps,
 * none of which begins at the instant `deadline` or later. `deliveryLog` keeps finished deliveries of as many
 * milliseconds alongside the newest. Run it now and then, on any host: the next run drops the rest.
 */
export const pruneDeliveries = Effect.fn("ManageDeliveries.prune")(function* (
  deadline: Instant = Number.POSITIVE_INFINITY,
  deliveryLog?: number,
) {
  const upkeep = yield* Upkeep
  // By the store's clock: with one that is ahead, everything would have ended.
  const now = yield* upkeep.time
  const step = {
    keep: logLength,
    keepSince: deliveryLog === undefined ? null : now - deliveryLog,
    eventsBefore: now - retention,
    now,
    limit: pruneLimit,
  }
  let after: string | null = null
  do {
    if ((yield* Clock.currentTimeMillis) >= deadline) return
    after = yield* upkeep.prune({ ...step, after })
  } while (after !== null)
})
