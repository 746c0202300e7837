/** A message that the next page of a session shows once, such as the result of a form. */
import { Clock, Effect, Option, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { dropCookie, keepCookie, readCookie, type SealedCookie } from "./SealedCookie.ts"
import { randomText, type Session } from "./Session.ts"

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

const cookie: SealedCookie<typeof KeptFlash.Type> = { name: "designwire_settings_notice", schema: KeptFlash }

const sealedFor = ({ id, shop }: Session) => `settings notice ${id} ${shop}`

/**
 * Returns a function that takes the message for the current page, once: a client that keeps the cookie does not get its
 * message again. Only this process knows which messages it has shown, and only until they end.
 */
export const makeTakeFlash = () => {
  const taken = new Map<string, number>()
  return Effect.fnUntraced(function* (session: Session) {
    const kept = yield* readCookie(cookie, sealedFor(session))
    const now = yield* Clock.currentTimeMillis
    for (const [id, until] of taken) if (until <= now) taken.delete(id)
    if (Option.isNone(kept) || kept.value.expires <= now || taken.has(kept.value.id)) return undefined
    taken.set(kept.value.id, kept.value.expires)
    return kept.value.flash
  })
}

export const keepFlash = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  flash: Flash,
  session: Session,
) {
  const expires = (yield* Clock.currentTimeMillis) + maxAge
  return yield* keepCookie(
    response,
    cookie,
    { id: yield* randomText, expires, flash },
    { purpose: sealedFor(session), maxAge },
  )
})

export const dropFlash = (response: HttpServerResponse.HttpServerResponse) => dropCookie(response, cookie)
