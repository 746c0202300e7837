import { Clock, Effect, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Conflict } from "../../model/Errors.ts"
import { defaultKinds } from "../../model/events/Event.ts"
import { newHealth } from "../../model/Health.ts"
import { reader } from "../../model/Input.ts"
import type { Instant } from "../../model/Instant.ts"
import {
  type Endpoint,
  EndpointInput,
  type EndpointRecord,
  EndpointUpdate,
  maximumEndpoints,
  RotationInput,
  view,
} from "../../model/webhooks/Endpoint.ts"
import { changedBy, type EndpointChange, isConfigured } from "../../model/webhooks/EndpointChange.ts"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { StaleRevision } from "../../ports/StorageError.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { pausing, promoting, rotating, turningOn, type Update } from "../../rules/webhooks/EndpointUpdates.ts"
import * as SecretRotation from "../../rules/webhooks/SecretRotation.ts"
import { secretFromBytes } from "../../rules/webhooks/Signature.ts"
import { auditing } from "../../support/Auditing.ts"
import { newId } from "../../support/NewId.ts"
import { raceWaits, tooManyChanges } from "../../support/RetryStale.ts"
import { approvedUrl, requireOneAuthorization, sealOptions } from "../../support/SealEndpoint.ts"
import { seal } from "../../support/SealedSecret.ts"
import { endpointOf, orNoEndpoint, requireWebhooks, shopOf } from "../../support/ShopRecords.ts"

const readInput = reader(EndpointInput)
const readChange = reader(EndpointUpdate)
const readRotation = reader(RotationInput)

/** The seconds for which the old secret still signs by default: a day (D40). */
const defaultOverlap = 86_400

/**
 * Creates a webhook endpoint (§6, D31, D34–D36). Its signing secret is returned this once: it is kept sealed. Fails
 * with `NotFound` for an unknown shop, `InvalidInput`, `Refused` for a URL that is not allowed, `Conflict` if the shop
 * has its five endpoints already, and `PlanRequired` if the shop's plan does not include webhooks.
 */
export const createEndpoint = Effect.fn("ManageEndpoints.create")(function* (shopId: string, input: EndpointInput) {
  const shop = yield* shopOf(shopId)
  const {
    description = "",
    events = defaultKinds,
    standardWebhooks = false,
    url,
    ...options
  } = yield* Effect.fromResult(readInput(input))
  yield* requireWebhooks(shop)
  yield* requireOneAuthorization(usualOptions, options)
  const href = yield* approvedUrl({ shop: shop.id, url })
  const secret = yield* newSecret
  const id = yield* newId("whe_")
  const endpoint: EndpointRecord = {
    shop: shop.id,
    id,
    url: href,
    description,
    kinds: events,
    ...newHealth,
    createdAt: yield* Clock.currentTimeMillis,
    standardWebhooks,
    options: { ...usualOptions, ...(yield* sealOptions(options, { shop: shop.id, endpointId: id })) },
    secret: yield* seal(secret, id),
    secretSince: null,
    rotation: null,
  }
  const added = yield* auditing(AuditRules.endpoint, (audited) =>
    EndpointStore.use((endpoints) => endpoints.add(endpoint, maximumEndpoints, audited)),
  )
  if (!added) {
    return yield* new Conflict({ message: `The shop has ${maximumEndpoints} endpoints already, the most there can be` })
  }
  return { endpoint: view(endpoint), secret }
})

/** Lists a shop's endpoints, oldest first. Fails with `NotFound` for an unknown shop. */
export const listEndpoints = Effect.fn("ManageEndpoints.list")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  const records = yield* EndpointStore.use((endpoints) => endpoints.list(shop.id))
  const now = yield* Clock.currentTimeMillis
  return records.map((record) => viewAt(record, now))
})

/** Reads an endpoint. Fails with `NotFound`. */
export const readEndpoint = Effect.fn("ManageEndpoints.read")(function* (shopId: string, id: string) {
  const { endpoint } = yield* endpointOf(shopId, id)
  return yield* viewNow(endpoint)
})

/**
 * Updates an endpoint's URL, kinds, description or options, and whether its deliveries have the headers of Standard
 * Webhooks (D41). A new URL is checked like the first (D36). Fails like {@link createEndpoint}.
 */
export const updateEndpoint = (shopId: string, id: string, input: EndpointUpdate) =>
  decideEndpoint(shopId, id, () => Effect.succeed(input))

/**
 * Updates an endpoint by what `decide` says of the endpoint as it is: nobody else has changed it between. If somebody
 * has, it is read and decided again. Fails like {@link updateEndpoint}, and as `decide` does.
 */
export const decideEndpoint = Effect.fn("ManageEndpoints.update")(function* <E, R>(
  shopId: string,
  id: string,
  decide: (endpoint: Endpoint) => Effect.Effect<EndpointUpdate, E, R>,
) {
  return yield* Effect.gen(function* () {
    const { endpoint, shop } = yield* endpointOf(shopId, id)
    const change = yield* changeFor(endpoint, yield* decide(yield* viewNow(endpoint)))
    const changed = yield* auditing(AuditRules.endpoint, (audited) =>
      EndpointStore.use((endpoints) => endpoints.update(shop.id, id, changingSeen(endpoint, change), audited)),
    )
    return yield* viewNow(yield* orNoEndpoint(changed))
  }).pipe(
    Effect.retry({ ...raceWaits, while: (error) => error instanceof StaleRevision }),
    Effect.catchIf(
      (error) => error instanceof StaleRevision,
      (stale) => Effect.fail(tooManyChanges(stale)),
    ),
  )
})

/** Changes an endpoint as the caller has read it; fails if it has been changed since. */
const changingSeen =
  (seen: EndpointRecord, change: EndpointChange): Update<StaleRevision> =>
  (stored) =>
    isConfigured(stored, seen)
      ? Result.succeed(changedBy(stored, change))
      : Result.fail(new StaleRevision({ canRetry: true }))

/** The change of an endpoint that an input asks for, checked and sealed. */
const changeFor = Effect.fnUntraced(function* ({ id, options: kept, shop }: EndpointRecord, input: EndpointUpdate) {
  const { description, events, standardWebhooks, url, ...given } = yield* Effect.fromResult(readChange(input))
  yield* requireOneAuthorization(kept, given)
  const options = yield* sealOptions(given, { shop, endpointId: id })
  return {
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { kinds: events }),
    ...(standardWebhooks === undefined ? {} : { standardWebhooks }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(url === undefined ? {} : { url: yield* approvedUrl({ shop, url }) }),
  }
})

/**
 * Creates a new signing secret for an endpoint (D40) and returns it this once. For `overlap` seconds, or until {@link
 * promoteSecret}, the old secret still signs deliveries; an overlap of 0 replaces it at once. A previous new secret
 * that does not sign yet is replaced. Fails with `NotFound` and `InvalidInput`.
 */
export const rotateSecret = Effect.fn("ManageEndpoints.rotate")(function* (
  shopId: string,
  id: string,
  input: RotationInput = {},
) {
  const { shop } = yield* endpointOf(shopId, id)
  const { overlap = defaultOverlap } = yield* Effect.fromResult(readRotation(input))
  const secret = yield* newSecret
  const now = yield* Clock.currentTimeMillis
  const anew = { secret: yield* seal(secret, id), until: now + overlap * 1000, now }
  const rotated = yield* auditing(AuditRules.rotation, (audited) =>
    EndpointStore.use((endpoints) => endpoints.update(shop.id, id, rotating(anew), audited)),
  )
  return { endpoint: viewAt(yield* orNoEndpoint(rotated), now), secret }
})

/**
 * Ends a rotation: the new signing secret signs from now on, and the old one is dropped (D40). Deliveries that a worker
 * has claimed already may carry the old signature for a few seconds. Without a rotation, nothing changes. Fails with
 * `NotFound`.
 */
export const promoteSecret = Effect.fn("ManageEndpoints.promote")(function* (shopId: string, id: string) {
  const { shop } = yield* endpointOf(shopId, id)
  const now = yield* Clock.currentTimeMillis
  const promoted = yield* auditing(AuditRules.promotion, (audited) =>
    EndpointStore.use((endpoints) => endpoints.update(shop.id, id, promoting(now), audited)),
  )
  return viewAt(yield* orNoEndpoint(promoted), now)
})

/** Deletes an endpoint with its pending deliveries (D31). Fails with `NotFound`. */
export const deleteEndpoint = Effect.fn("ManageEndpoints.delete")(function* (shopId: string, id: string) {
  const { shop } = yield* endpointOf(shopId, id)
  yield* auditing(AuditRules.endpoint, (audited) =>
    EndpointStore.use((endpoints) => endpoints.remove(shop.id, id, audited)),
  )
})

/**
 * Pauses an endpoint: nothing but tests is sent to it until it is enabled. Its pending deliveries are held, and new
 * events make none (D51). One that is paused or switched off stays as it is. Fails with `NotFound`.
 */
export const pauseEndpoint = Effect.fn("ManageEndpoints.pause")(function* (shopId: string, id: string) {
  const { shop } = yield* endpointOf(shopId, id)
  const now = yield* Clock.currentTimeMillis
  const paused = yield* auditing(AuditRules.pausing, (audited) =>
    EndpointStore.use((endpoints) => endpoints.update(shop.id, id, pausing(now), audited)),
  )
  return viewAt(yield* orNoEndpoint(paused), now)
})

/**
 * Enables an endpoint that was paused or switched off: its deliveries continue, overdue ones at once (§3, D28, D51).
 * Returns it with `missed`, the number of kept events that it has missed since it was off; 0 if it was on. `recover`
 * since its previous `switchedOffAt` delivers them. Fails with `NotFound`.
 */
export const enableEndpoint = Effect.fn("ManageEndpoints.enable")(function* (shopId: string, id: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, id)
  const since = endpoint.switchedOffAt
  const missing = since === null ? Effect.succeed(0) : DeliveryLog.use((log) => log.missed(shop.id, id, since))
  // If the store fails once the endpoint is on, nothing would name the number any more: the next call finds it on.
  const before = yield* missing
  const turnedOn = yield* auditing(AuditRules.enabling, (audited) =>
    EndpointStore.use((endpoints) => endpoints.update(shop.id, id, turningOn, audited)),
  )
  const enabled = yield* orNoEndpoint(turnedOn)
  // Counted once the endpoint is on: later events are delivered.
  const missed = yield* Effect.orElseSucceed(missing, () => before)
  return { ...(yield* viewNow(enabled)), missed }
})

const newSecret = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(32)),
  (bytes) => Redacted.make(secretFromBytes(bytes)),
)

/** An endpoint as its owner sees it at an instant: a rotation that is over is left out. */
const viewAt = (endpoint: EndpointRecord, now: Instant) => view({ ...endpoint, ...SecretRotation.at(endpoint, now) })

const viewNow = (endpoint: EndpointRecord) => Effect.map(Clock.currentTimeMillis, (now) => viewAt(endpoint, now))

/**
 * The refusal of a URL that an endpoint might get (D34–D37), `undefined` if it is allowed: for a form with other
 * invalid fields, so that it can show every problem at once. Fails with `NotFound` for an unknown shop.
 */
export const urlRefusal = Effect.fn("ManageEndpoints.urlRefusal")(function* (shopId: string, url: string) {
  const shop = yield* shopOf(shopId)
  return yield* approvedUrl({ shop: shop.id, url }).pipe(
    Effect.as(undefined),
    Effect.catchTag("Refused", (refused) => Effect.succeed(refused)),
  )
})
