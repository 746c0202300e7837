/** A message that the next page of a session shows once, such as the result of a form. */
import { Clock, Effect, Option, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import type { Visitor } from "./Access.ts"
import { dropCookie, keepCookie, readCookie, type SealedCookie } from "./SealedCookie.ts"
import { randomText } from "./Session.ts"

const Flash = Schema.Struct({
  tone: Schema.Literals(["good", "bad"]),
  text: Schema.String,
  /** A token or a signing secret, which is shown only here. */
  secret: Schema.optionalKey(Schema.Struct({ label: Schema.String, value: Schema.String })),
  /** The events that an endpoint missed while it was off. */
  missed: Schema.optionalKey(Schema.Struct({ count: Schema.Int, since: Schema.String })),
  /** The id of a test event's delivery. */
  tested: Schema.optionalKey(Schema.String),
})
export type Flash = typeof Flash.Type

/** A message as its cookie keeps it. */
const KeptFlash = Schema.Struct({
  /** Random. A message that was shown is remembered by it. */
  id: Schema.String,
  /** When the message ends, in milliseconds since 1970. */
  expires: Schema.Number,
  flash: Flash,
})

/** How long a message waits for the next page, in milliseconds. */
const maxAge = 60 * 1000

/** Whose message it is: a page shows only messages of its own person and store. */
interface Owner {
  readonly visitor: Pick<Visitor, "actor">
  readonly shopId: string | null
}

/** Stores have messages of their own, so that two tabs do not take each other's. */
const cookieOf = ({ shopId }: Owner): SealedCookie<typeof KeptFlash.Type> => ({
  name: `designwire_settings_notice${shopId === null ? "" : `_of_${shopId}`}`,
  schema: KeptFlash,
})

const sealedFor = ({ shopId, visitor }: Owner) => `settings notice ${JSON.stringify([visitor.actor, shopId])}`

/** The message that waits for the current page. It may have been shown already: see {@link takeFlash}. */
export const waitingFlash = Effect.fnUntraced(function* (owner: Owner) {
  const kept = Option.getOrUndefined(yield* readCookie(cookieOf(owner), sealedFor(owner)))
  return kept === undefined || kept.expires <= (yield* Clock.currentTimeMillis) ? undefined : kept
})

/**
 * Takes a message, once: a client that keeps the cookie does not get its message again, from any process. Returns
 * whether it was there.
 */
export const takeFlash = ({ expires, id }: typeof KeptFlash.Type, { shopId }: Owner) =>
  SettingsSessions.use((sessions) => sessions.spend({ shop: shopId ?? "", id: `notice ${id}`, until: expires }))

export const keepFlash = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  flash: Flash,
  owner: Owner,
) {
  const expires = (yield* Clock.currentTimeMillis) + maxAge
  const kept = { id: yield* randomText, expires, flash }
  return yield* keepCookie(response, cookieOf(owner), kept, { purpose: sealedFor(owner), maxAge })
})

export const dropFlash = (response: HttpServerResponse.HttpServerResponse, owner: Owner) =>
  dropCookie(response, cookieOf(owner))
