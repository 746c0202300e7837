/** A message that the next page of a session shows once, such as the result of a form. */
import { Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { dropCookie, keepCookie, readCookie, type SealedCookie } from "./SealedCookie.ts"
import type { Session } from "./Session.ts"

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

/** How long the client keeps the message for the next page, in milliseconds. */
const maxAge = 2 * 60 * 1000

const cookie: SealedCookie<Flash> = { name: "designwire_settings_notice", schema: Flash }

const sealedFor = ({ id, shop }: Session) => `settings notice ${id} ${shop}`

/** The message for the current page. */
export const readFlash = (session: Session) => readCookie(cookie, sealedFor(session))

export const keepFlash = (response: HttpServerResponse.HttpServerResponse, flash: Flash, session: Session) =>
  keepCookie(response, cookie, flash, { purpose: sealedFor(session), maxAge })

export const dropFlash = (response: HttpServerResponse.HttpServerResponse) => dropCookie(response, cookie)
