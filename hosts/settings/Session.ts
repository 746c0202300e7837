/** The identity of a client from page to page, in a sealed cookie. */
import { Clock, Effect, Option, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Cookies, type HttpServerResponse } from "effect/http"
import { dropCookie, keepCookie, readCookie, type SealedCookie } from "./SealedCookie.ts"

/** How long a session lasts, in milliseconds. */
const lifetime = 12 * 60 * 60 * 1000

const Session = Schema.Struct({
  /** Random. Forms are bound to it. */
  id: Schema.String,
  /** The person, as the log names them; `null` before they have signed in. */
  actor: Schema.NullOr(Schema.String),
  /** The id of the store whose pages are shown; `null` before one is chosen. */
  shop: Schema.NullOr(Schema.String),
  /** When the session began and when it ends, in milliseconds since 1970. */
  began: Schema.Number,
  expires: Schema.Number,
})
export type Session = typeof Session.Type

const cookie: SealedCookie<Session> = { name: "designwire_settings", schema: Session }

const sealedFor = (purpose: string) => `settings session ${purpose}`

/** 24 random bytes as text. */
export const randomText = SecureRandom.SecureRandom.use((random) =>
  Effect.map(random.randomBytes(24), (bytes) => Base64Url.encode(bytes)),
)

/** Begins a session. */
export const beginSession = Effect.fnUntraced(function* (identity: Pick<Session, "actor" | "shop">) {
  const began = yield* Clock.currentTimeMillis
  const session: Session = { ...identity, id: yield* randomText, began, expires: began + lifetime }
  return session
})

/** The session of the current request, if it was kept for the same `purpose` and has not expired. */
export const readSession = Effect.fnUntraced(function* (purpose: string) {
  const session = yield* readCookie(cookie, sealedFor(purpose))
  const now = yield* Clock.currentTimeMillis
  return Option.filter(session, ({ expires }) => now < expires)
})

/** Gives a session to the client. */
export const keepSession = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
  purpose: string,
) {
  const maxAge = Math.max(0, session.expires - (yield* Clock.currentTimeMillis))
  return yield* keepCookie(response, cookie, session, { purpose: sealedFor(purpose), maxAge })
})

/** {@link keepSession} with the purpose already given. */
export type KeepSession = (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
) => ReturnType<typeof keepSession>

/** Whether a response gives the client a session. */
export const hasSession = ({ cookies }: HttpServerResponse.HttpServerResponse): boolean =>
  Option.isSome(Cookies.get(cookies, cookie.name))

/** Takes the session away from the client. */
export const dropSession = (response: HttpServerResponse.HttpServerResponse) => dropCookie(response, cookie)

const utf8 = new TextEncoder()

/** A text that every form of a session must send: a hash of the session's secret id and its store. */
export const formKey = ({ id, shop }: Session) =>
  Digest.Digest.use((digest) =>
    Effect.map(digest.digest(Digest.sha256, utf8.encode(`settings form ${id} ${shop}`)), (hash) =>
      Base64Url.encode(hash),
    ),
  )
