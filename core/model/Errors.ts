/**
 * What can go wrong for a reason that the caller can do something about. Each is exactly `{message}` on the wire (§7),
 * those about input with `problems` alongside it.
 */
import { Effect, Schema } from "effect"

const message = { message: Schema.String }

const ProblemSchema = Schema.Struct({ path: Schema.String, message: Schema.String })

const withProblems = { message: Schema.String, problems: Schema.Array(ProblemSchema) }

/** The input does not have the form that is asked for. */
export class InvalidInput extends Schema.Error<InvalidInput>("designwire/InvalidInput")(withProblems) {
  readonly _tag = "InvalidInput"
}

/** The input is sound, but has fields that do not exist (D48). */
export class UnknownFields extends Schema.Error<UnknownFields>("designwire/UnknownFields")(withProblems) {
  readonly _tag = "UnknownFields"
}

/** Why a field is refused, for hosts that say it in words of their own. */
export interface RefusalReason {
  /** The field. */
  readonly path: string
  readonly code:
    | ("notAbsolute" | "notHttp" | "notHttps" | "tooLong" | "password" | "fragment" | "port" | "notPublic" | "notFound")
    | ("oneAuthorization" | "certificate" | "key" | "otherKey" | "ended" | "keyAndSecret")
  /** The value that the words name: the port. */
  readonly value?: string
}

/** The input is well-formed, but what it says is not allowed. */
export class Refused extends Schema.Error<Refused>("designwire/Refused")(withProblems) {
  readonly _tag = "Refused"
  /** Why, if the app has words for it. It is not on the wire. */
  declare readonly reason?: RefusalReason
}

/** The refusal of a field. */
export const refusedAt = (path: string, message: string, reason?: Omit<RefusalReason, "path">): Refused =>
  Object.assign(new Refused({ message, problems: [{ path, message }] }), reason && { reason: { path, ...reason } })

/** The input is larger than D38 allows. */
export class TooLarge extends Schema.Error<TooLarge>("designwire/TooLarge")(message) {
  readonly _tag = "TooLarge"
}

/** Nothing of that id in this shop (§7). */
export class NotFound extends Schema.Error<NotFound>("designwire/NotFound")(message) {
  readonly _tag = "NotFound"
}

/** It was there once: a position of the event feed behind which events were dropped (D39). */
export class Gone extends Schema.Error<Gone>("designwire/Gone")(message) {
  readonly _tag = "Gone"
}

/** The field of a stored object that a change would alter, and cannot (D6). */
export const Difference = Schema.Struct({
  field: Schema.Literals(["name", "orderedAt", "lineItemId", "orderId", "currency", "status"]),
  /** The design whose line, order or currency it is. */
  designId: Schema.optionalKey(Schema.String),
  held: Schema.String,
  given: Schema.String,
}).annotate({ identifier: "Difference", description: "The field that can't be changed, its value, and the one given" })
export type Difference = typeof Difference.Type

/**
 * The change does not fit the state that things are in. `retryable` says whether the same change may fit later (D89):
 * because another one came first, or is under way. `conflict`: the field of a placed order that it would alter (D6).
 */
export class Conflict extends Schema.Error<Conflict>("designwire/Conflict")({
  ...message,
  conflict: Schema.optionalKey(Difference),
  retryable: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
}) {
  readonly _tag = "Conflict"
}

/** The design is ordered or cancelled, and can be neither saved again nor deleted (§2.1, D4, D43). */
export class DesignFrozen extends Schema.Error<DesignFrozen>("designwire/DesignFrozen")(message) {
  readonly _tag = "DesignFrozen"
}

/** The token is missing, unknown, revoked or at its end; the answer does not say which (§5, D11). */
export class Unauthorized extends Schema.Error<Unauthorized>("designwire/Unauthorized")(message) {
  readonly _tag = "Unauthorized"
}

/** The shop's plan does not include the REST API and webhooks (§1, D8). */
export class PlanRequired extends Schema.Error<PlanRequired>("designwire/PlanRequired")(message) {
  readonly _tag = "PlanRequired"
}

/** The token lacks the scope of what it asks for (D77). */
export class ScopeRequired extends Schema.Error<ScopeRequired>("designwire/ScopeRequired")(message) {
  readonly _tag = "ScopeRequired"
}

/** More requests than the token may make (§8, D16). */
export class RateLimited extends Schema.Error<RateLimited>("designwire/RateLimited")(message) {
  readonly _tag = "RateLimited"
}
