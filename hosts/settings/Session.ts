/** Who someone is from page to page: a cookie that holds what is known of them, encrypted with the keys of the installation. */
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { open, seal } from "../../core/support/SealedSecret.ts"

/** How long a session lasts, in milliseconds. */
const lifetime = 12 * 60 * 60 * 1000

const Session = Schema.Struct({
  /** Random: forms are bound to it. */
  id: Schema.String,
  /** Who it is; `null` before they have signed in. */
  actor: Schema.NullOr(Schema.String),
  /** The store whose settings are shown. */
  shop: Schema.NullOr(Schema.String),
  /** When it began and when it ends, in milliseconds since 1970. */
  began: Schema.Number,
  expires: Schema.Number,
})
export type Session = typeof Session.Type

const sessionCookie = "designwire_settings"
const noticeCookie = "designwire_settings_notice"

const decode = <A>(schema: Schema.Codec<A, A>, text: string): Option.Option<A> =>
  Option.liftThrowable(() => Schema.decodeUnknownSync(schema)(JSON.parse(text)))()

const randomText = SecureRandom.SecureRandom.use((random) =>
  Effect.map(random.randomBytes(24), (bytes) => Base64Url.encode(bytes)),
)

/** A new session. */
export const begin = Effect.fnUntraced(function* (who: Pick<Session, "actor" | "shop">) {
  const began = yield* Clock.currentTimeMillis
  const session: Session = { ...who, id: yield* randomText, began, expires: began + lifetime }
  return session
})

/** What a cookie of the request at hand holds, where it was sealed for `purpose`. */
const readCookie = Effect.fnUntraced(function* <A>(name: string, schema: Schema.Codec<A, A>, purpose: string) {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const opened = yield* Effect.option(open(cookies[name] ?? "", purpose))
  return Option.flatMap(opened, (text) => decode(schema, Redacted.value(text)))
})

/** The session that a request belongs to, if it has not expired. `purpose` is the one that it was kept with. */
export const readSession = Effect.fnUntraced(function* (purpose: string) {
  const session = yield* readCookie(sessionCookie, Session, `settings session ${purpose}`)
  const now = yield* Clock.currentTimeMillis
  return Option.filter(session, ({ expires }) => now < expires)
})

/** Whether the client sees the page over https, as it or the proxy before us says. */
export const isSecure = HttpServerRequest.HttpServerRequest.use(({ headers, originalUrl }) =>
  Effect.succeed(originalUrl.startsWith("https:") || headers["x-forwarded-proto"]?.split(",")[0]?.trim() === "https"),
)

const setCookie = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  name: string,
  value: string,
  maxAge: number,
) {
  return yield* HttpServerResponse.setCookie(response, name, value, {
    // Behind a proxy that changes paths nobody here knows the app's own.
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: yield* isSecure,
    maxAge,
  })
}, Effect.orDie)

/** Lets the client keep a session. */
export const keepSession = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
  purpose: string,
) {
  const sealed = yield* seal(Redacted.make(JSON.stringify(session)), `settings session ${purpose}`)
  const left = session.expires - (yield* Clock.currentTimeMillis)
  return yield* setCookie(response, sessionCookie, sealed, Math.max(0, left))
})

/** {@link keepSession} for sessions of one way in. */
export type KeepSession = (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
) => ReturnType<typeof keepSession>

/** Whether an answer changes the client's session. */
export const holdsSession = ({ cookies }: HttpServerResponse.HttpServerResponse): boolean =>
  Option.isSome(Cookies.get(cookies, sessionCookie))

/** Lets the client forget the session. */
export const endSession = (response: HttpServerResponse.HttpServerResponse) => setCookie(response, sessionCookie, "", 0)

/** What the next page says, once. */
export const Notice = Schema.Struct({
  tone: Schema.Literals(["good", "bad"]),
  text: Schema.String,
  /** Shown this once: a token or a signing secret. */
  secret: Schema.optionalKey(Schema.Struct({ label: Schema.String, value: Schema.String })),
  /** Events that an endpoint missed while it was off. */
  missed: Schema.optionalKey(Schema.Struct({ count: Schema.Int, since: Schema.String })),
  /** The delivery of a test event. */
  tested: Schema.optionalKey(Schema.String),
})
export type Notice = typeof Notice.Type

/** How long a notice waits for the next page, in milliseconds. */
const noticePatience = 2 * 60 * 1000

const noticePurpose = ({ id, shop }: Session) => `settings notice ${id} ${shop}`

/** What this page should say. */
export const readNotice = (session: Session) => readCookie(noticeCookie, Notice, noticePurpose(session))

export const keepNotice = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  notice: Notice,
  session: Session,
) {
  const sealed = yield* seal(Redacted.make(JSON.stringify(notice)), noticePurpose(session))
  return yield* setCookie(response, noticeCookie, sealed, noticePatience)
})

/** Lets the client forget the notice. */
export const dropNotice = (response: HttpServerResponse.HttpServerResponse) => setCookie(response, noticeCookie, "", 0)

const utf8 = new TextEncoder()

/** What every form of a session brings back: made from its secret id and the store that it is about. */
export const formKey = ({ id, shop }: Session) =>
  Digest.Digest.use((digest) =>
    Effect.map(digest.digest(Digest.sha256, utf8.encode(`settings form ${id} ${shop}`)), (hash) =>
      Base64Url.encode(hash),
    ),
  )
