/** The sessions of the app: each is a sealed cookie, and the store knows which of them have ended. */
import { Clock, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { HttpServerResponse } from "effect/http"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import { cookieNames, dropCookie, keepCookie, readCookie, type SealedCookie } from "./SealedCookie.ts"

/** How long a session lasts, in milliseconds. */
const lifetime = 12 * 60 * 60 * 1000

/** A browser sends all its sessions of single stores with each request: it keeps the newest of them. */
const mostOfStores = 8

const Session = Schema.Struct({
  /** Random. */
  id: Schema.String,
  /** The person, as the log names them. */
  actor: Schema.String,
  /** Whose sessions end when this person signs out everywhere. */
  owner: Schema.String,
  /** The owner's epoch when the session began. */
  epoch: Schema.Number,
  /** The id of the only store that it opens; `null`: every store. */
  shop: Schema.NullOr(Schema.String),
  /** Whether it may change nothing. */
  readOnly: Schema.Boolean,
  /** When it began and when it ends, in milliseconds since 1970. */
  began: Schema.Number,
  expires: Schema.Number,
})
export type Session = typeof Session.Type

/** Sessions of a store have cookies of their own, so that one browser can have several. */
const cookieOf = (shop: string | null): SealedCookie<Session> => ({
  name: shop === null ? "designwire_settings" : `${ofStores}${shop}`,
  schema: Session,
})

const ofStores = "designwire_settings_of_"

const sealedFor = (purpose: string, shop: string | null) => `settings session ${purpose} ${shop}`

/** 24 random bytes as text. */
export const randomText = SecureRandom.SecureRandom.use((random) =>
  Effect.map(random.randomBytes(24), (bytes) => Base64Url.encode(bytes)),
)

/** The shop that the store knows a session by. */
const shopOf = ({ shop }: Pick<Session, "shop">): string => shop ?? ""

/** Begins a session. `named` makes the person's name from the session's id. */
export const beginSession = Effect.fnUntraced(function* ({
  named,
  ...identity
}: Pick<Session, "owner" | "shop" | "readOnly"> & { readonly named: (id: string) => string }) {
  const began = yield* Clock.currentTimeMillis
  const id = yield* randomText
  const sessions = yield* SettingsSessions
  const { epoch } = yield* sessions.standing({ shop: shopOf(identity), owner: identity.owner, session: id })
  const session: Session = { ...identity, id, epoch, actor: named(id), began, expires: began + lifetime }
  return session
})

/** The request's session of a store, or of every store (`null`), if it was kept for `purpose` and has not ended. */
export const readSession = Effect.fnUntraced(function* (purpose: string, shop: string | null) {
  const session = yield* readCookie(cookieOf(shop), sealedFor(purpose, shop))
  if (Option.isNone(session) || (yield* Clock.currentTimeMillis) >= session.value.expires) return undefined
  const { epoch, id, owner } = session.value
  const sessions = yield* SettingsSessions
  const standing = yield* sessions.standing({ shop: shopOf(session.value), owner, session: id })
  return standing.isEnded || standing.epoch > epoch ? undefined : session.value
})

/** The stores of which the request has sessions, valid or not, the oldest first. */
export const storesOfSessions = Effect.map(cookieNames, (names) =>
  names.filter((name) => name.startsWith(ofStores)).map((name) => name.slice(ofStores.length)),
)

/** Gives a session to the client. */
export const keepSession = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
  purpose: string,
) {
  const { shop } = session
  const maxAge = Math.max(0, session.expires - (yield* Clock.currentTimeMillis))
  const others = shop === null ? [] : (yield* storesOfSessions).filter((other) => other !== shop)
  const tooMany = others.slice(0, Math.max(0, others.length - mostOfStores + 1))
  const dropped = yield* Effect.reduce(
    tooMany,
    () => response,
    (kept, other) => dropCookie(kept, cookieOf(other)),
  )
  return yield* keepCookie(dropped, cookieOf(shop), session, { purpose: sealedFor(purpose, shop), maxAge })
})

/** {@link keepSession} with the purpose already given. */
export type KeepSession = (
  response: HttpServerResponse.HttpServerResponse,
  session: Session,
) => ReturnType<typeof keepSession>

/**
 * An owner of no sessions, in no store. Their epoch grows whenever sessions end: so every process learns of it by one
 * short read, and looks again who may still watch.
 */
const everybody = "everybody who watches"

/** A number that is another one after sessions have ended, in whichever process. */
export const endings = SettingsSessions.use((sessions) =>
  Effect.map(sessions.standing({ shop: "", owner: everybody, session: everybody }), ({ epoch }) => epoch),
)

/**
 * Carries out what follows the end of a session, again if it fails: its person has no session any more that could send
 * the request again.
 */
export const afterEnding = <A, E, R>(following: Effect.Effect<A, E, R>) => Effect.retry(following, { times: 2 })

const announceEnding = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const sessions = yield* SettingsSessions
  yield* sessions.endAll({ shop: "", owner: everybody, now, until: now + 2 * lifetime })
}).pipe(afterEnding)

const dropping = (session: Session) => (response: HttpServerResponse.HttpServerResponse) =>
  dropCookie(response, cookieOf(session.shop))

/** Ends a session in every process. Returns a function that takes it away from the client. */
export const endSession = Effect.fnUntraced(function* (session: Session) {
  const sessions = yield* SettingsSessions
  yield* sessions.spend({ shop: shopOf(session), id: session.id, until: session.expires })
  yield* announceEnding
  return dropping(session)
})

/** Ends all sessions of a session's owner in every process. Returns a function that takes this one from the client. */
export const endSessions = Effect.fnUntraced(function* (session: Session) {
  const now = yield* Clock.currentTimeMillis
  const sessions = yield* SettingsSessions
  yield* sessions.endAll({ shop: shopOf(session), owner: session.owner, now, until: now + 2 * lifetime })
  yield* announceEnding
  return dropping(session)
})
