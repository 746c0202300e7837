/** What owners do with an endpoint, as pure changes of its record (`EndpointStore.update`). */
import { Data, Result } from "effect"
import type { Instant } from "../../model/Instant.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { changedBy, type EndpointChange } from "../../model/webhooks/EndpointChange.ts"
import { resealed } from "../../model/webhooks/SealedTexts.ts"
import * as EndpointState from "./EndpointState.ts"
import * as SecretRotation from "./SecretRotation.ts"

/** An endpoint after a change of its record, or why it is not changed. */
export type Update<E = never> = (endpoint: EndpointRecord) => Result.Result<EndpointRecord, E>

/** Changes the given fields. */
export const changing =
  (change: EndpointChange): Update =>
  (endpoint) =>
    Result.succeed(changedBy(endpoint, change))

/** Adds a new sealed secret, which signs from `until` on (`SecretRotation.rotate`). */
export const rotating =
  (anew: SecretRotation.NewSecret): Update =>
  (endpoint) =>
    Result.succeed({ ...endpoint, ...SecretRotation.rotate(endpoint, anew) })

/** Makes the new secret of a rotation replace the old one (`SecretRotation.promote`). */
export const promoting =
  (now: Instant): Update =>
  (endpoint) =>
    Result.succeed({ ...endpoint, ...SecretRotation.promote(endpoint, now) })

/** Pauses the endpoint (D51); one that is paused or switched off stays as it is. */
export const pausing =
  (at: Instant): Update =>
  (endpoint) =>
    Result.succeed({ ...endpoint, ...EndpointState.pause(endpoint, at) })

/** Turns the endpoint on (D28); an active one stays as it is. */
export const turningOn: Update = (endpoint) => Result.succeed({ ...endpoint, ...EndpointState.turnOn(endpoint) })

/** The endpoint has a sealed text no longer: it was replaced or removed meanwhile. */
export class SealedTextGone extends Data.TaggedError("SealedTextGone") {}

/** Stores another sealed text in the place of one of the endpoint's (D20), wherever that stands now. */
export const resealing =
  (sealed: string, anew: string): Update<SealedTextGone> =>
  (endpoint) =>
    Result.fromNullishOr(resealed(endpoint, sealed, anew), () => new SealedTextGone())
