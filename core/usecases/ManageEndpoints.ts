import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  EndpointChange,
  EndpointInput,
  type EndpointRecord,
  maximumEndpoints,
  RotationInput,
  view,
} from "../model/Endpoint.ts"
import { Conflict, Refused } from "../model/Errors.ts"
import { defaultKinds } from "../model/Event.ts"
import { untried } from "../model/Health.ts"
import type { UrlOfShop } from "../model/HostPolicy.ts"
import { reader } from "../model/Input.ts"
import type { Instant } from "../model/Instant.ts"
import { DeliveryLog } from "../ports/DeliveryLog.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { HostLookup } from "../ports/HostLookup.ts"
import { WebhookPolicy } from "../ports/WebhookPolicy.ts"
import * as SecretRotation from "../rules/SecretRotation.ts"
import { secretFromBytes } from "../rules/Signature.ts"
import { makeApprove } from "../support/Approval.ts"
import { endpointOf, orNoEndpoint } from "../support/EndpointOf.ts"
import { newId } from "../support/NewId.ts"
import { requireWebhooks } from "../support/RequireWebhooks.ts"
import { seal } from "../support/SealedSecret.ts"
import { shopOf } from "../support/ShopOf.ts"

const readInput = reader(EndpointInput)
const readChange = reader(EndpointChange)
const readRotation = reader(RotationInput)

/** So many seconds the old secret still signs where the owner says nothing else: a day (D40). */
const defaultOverlap = 86_400

/** How long adding an endpoint waits for its name to be found. */
const lookupPatience = "5 seconds"

/**
 * Adds a webhook endpoint (§6, D31, D34–D36). The answer holds its signing secret, for the only time: it is kept sealed.
 * Fails with `NotFound` without the shop, `InvalidInput`, `Refused` for a URL that may not be sent to, `Conflict` at the fifth endpoint,
 * `PlanRequired` where the shop's plan has no webhooks.
 */
export const addEndpoint = Effect.fn("ManageEndpoints.add")(function* (shopId: string, input: EndpointInput) {
  const shop = yield* shopOf(shopId)
  const {
    description = "",
    events = defaultKinds,
    standardWebhooks = false,
    url,
  } = yield* Effect.fromResult(readInput(input))
  yield* requireWebhooks(shop)
  const href = yield* approvedUrl({ shop: shop.id, url })
  const secret = yield* newSecret
  const id = yield* newId("whe_")
  const endpoint: EndpointRecord = {
    shop: shop.id,
    id,
    url: href,
    description,
    kinds: events,
    ...untried,
    createdAt: yield* Clock.currentTimeMillis,
    standardWebhooks,
    secret: yield* seal(secret, id),
    secretSince: null,
    rotation: null,
  }
  const added = yield* EndpointStore.use((endpoints) => endpoints.add(endpoint, maximumEndpoints))
  if (!added) {
    return yield* new Conflict({ message: `The shop has ${maximumEndpoints} endpoints already, the most there can be` })
  }
  return { endpoint: view(endpoint), secret }
})

/** A shop's endpoints, oldest first. Fails with `NotFound` without the shop. */
export const listEndpoints = Effect.fn("ManageEndpoints.list")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  const records = yield* EndpointStore.use((endpoints) => endpoints.list(shop.id))
  const now = yield* Clock.currentTimeMillis
  return records.map((record) => viewAt(record, now))
})

/** An endpoint. Fails with `NotFound`. */
export const readEndpoint = Effect.fn("ManageEndpoints.read")(function* (shopId: string, id: string) {
  const { endpoint } = yield* endpointOf(shopId, id)
  return yield* viewNow(endpoint)
})

/** Changes an endpoint's URL, kinds, description or headers (D41); a new URL is judged like a first one (D36). Fails as {@link addEndpoint}. */
export const changeEndpoint = Effect.fn("ManageEndpoints.change")(function* (
  shopId: string,
  id: string,
  input: EndpointChange,
) {
  const { shop } = yield* endpointOf(shopId, id)
  const { description, events, standardWebhooks, url } = yield* Effect.fromResult(readChange(input))
  const change = {
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { kinds: events }),
    ...(standardWebhooks === undefined ? {} : { standardWebhooks }),
    ...(url === undefined ? {} : { url: yield* approvedUrl({ shop: shop.id, url }) }),
  }
  return yield* viewNow(
    yield* orNoEndpoint(yield* EndpointStore.use((endpoints) => endpoints.change(shop.id, id, change))),
  )
})

/**
 * Makes a new signing secret for an endpoint (D40). The answer holds it, for the only time. For `overlap` seconds, or until {@link promoteSecret}, deliveries are
 * signed with the old one still; an overlap of 0 replaces it at once. Where a new one of before does not sign yet, this one takes its place. Fails with `NotFound`, `InvalidInput`.
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
  const rotated = yield* orNoEndpoint(yield* EndpointStore.use((endpoints) => endpoints.rotate(shop.id, id, anew)))
  return { endpoint: viewAt(rotated, now), secret }
})

/**
 * Lets the new signing secret of a rotation sign at once, and drops the old one (D40). Deliveries that a worker holds already may be signed with the old one for a few
 * seconds still. Without a rotation that runs, nothing changes. Fails with `NotFound`.
 */
export const promoteSecret = Effect.fn("ManageEndpoints.promote")(function* (shopId: string, id: string) {
  const { shop } = yield* endpointOf(shopId, id)
  const now = yield* Clock.currentTimeMillis
  const promoted = yield* orNoEndpoint(yield* EndpointStore.use((endpoints) => endpoints.promote(shop.id, id, now)))
  return viewAt(promoted, now)
})

/** Removes an endpoint; what is still to be delivered to it is not (D31). Fails with `NotFound`. */
export const removeEndpoint = Effect.fn("ManageEndpoints.remove")(function* (shopId: string, id: string) {
  const { shop } = yield* endpointOf(shopId, id)
  yield* EndpointStore.use((endpoints) => endpoints.remove(shop.id, id))
})

/**
 * Turns an endpoint on again: its deliveries go on, those overdue at once (§3, D28). Answers it with `missed`: how many of the events that are kept it has
 * missed since it was switched off, 0 where it was on. `recover` since the `switchedOffAt` that it had delivers them. Fails with `NotFound`.
 */
export const turnOnEndpoint = Effect.fn("ManageEndpoints.turnOn")(function* (shopId: string, id: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, id)
  const turnedOn = yield* orNoEndpoint(yield* EndpointStore.use((endpoints) => endpoints.turnOn(shop.id, id)))
  const since = endpoint.switchedOffAt
  // Counted once it is on: what happens from now on is delivered.
  const missed = since === null ? 0 : yield* DeliveryLog.use((log) => log.missed(shop.id, id, since))
  return { ...(yield* viewNow(turnedOn)), missed }
})

const newSecret = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(32)),
  (bytes) => Redacted.make(secretFromBytes(bytes)),
)

/** What the owner sees of an endpoint at an instant: of a rotation that is over, nothing. */
const viewAt = (endpoint: EndpointRecord, now: Instant) => view({ ...endpoint, ...SecretRotation.at(endpoint, now) })

const viewNow = (endpoint: EndpointRecord) => Effect.map(Clock.currentTimeMillis, (now) => viewAt(endpoint, now))

/** The URL as it will be connected to, if that is allowed now. */
const approvedUrl = Effect.fnUntraced(function* (url: UrlOfShop) {
  const hosts = yield* HostLookup
  const policy = yield* WebhookPolicy
  const { destination } = yield* makeApprove(
    policy,
    hosts.lookup,
  )(url).pipe(
    Effect.timeoutOrElse({
      duration: lookupPatience,
      orElse: () => Effect.fail({ message: "The URL's host was not found in time" }),
    }),
    Effect.mapError(({ message }) => new Refused({ message, problems: [{ path: "url", message }] })),
  )
  return destination.href
})
