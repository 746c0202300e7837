import { Data, Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import type { AppOptions, Authorize, Authorized } from "./Options.ts"
import { type KeepSession, keepSession, readSession, type Session, storesOfSessions } from "./Session.ts"

const utf8 = new TextEncoder()

/**
 * The purpose that sessions and links are sealed for: another key or the other kind of access does not accept them.
 * `key`: the management key, of an app that it opens.
 */
export const purposeOf = (key: Redacted.Redacted<string> | undefined) =>
  key === undefined
    ? Effect.succeed("embedded")
    : Digest.Digest.use((digest) => digest.digestHex(Digest.sha256, utf8.encode(Redacted.value(key))))

/** The caller may not use the app. */
export class Forbidden extends Data.TaggedError("Forbidden")<{ readonly message: string }> {}

/** The person behind a request, and what they may do. */
export interface Visitor {
  /** The person, as the log names them; `null` if nobody has signed in. */
  readonly actor: string | null
  /** The id of the only store that they may see; `null`: every store. */
  readonly shop: string | null
  readonly isReadOnly: boolean
  /** Whether they may publish definitions of customizers. */
  readonly mayPublish: boolean
  /** Their session, unless the surrounding application has its own. */
  readonly session: Session | null
}

/** A visitor without a session. */
export const nobody: Visitor = { actor: null, shop: null, isReadOnly: false, mayPublish: false, session: null }

const visitorOf = (session: Session): Visitor => ({
  actor: session.actor,
  shop: session.shop,
  isReadOnly: session.readOnly,
  // A link to one store is for its owner, the key for the operator.
  mayPublish: session.shop === null && !session.readOnly,
  session,
})

const notAuthorized = new Forbidden({ message: "You are not signed in to an application that gives you access." })

const isAuthorized = (value: unknown): value is Authorized | null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === "object" &&
    "shop" in value &&
    "actor" in value &&
    typeof value.shop === "string" &&
    typeof value.actor === "string" &&
    (!("publish" in value) || value.publish === undefined || typeof value.publish === "boolean"))

/** Asks the surrounding application for the person behind the current request. */
const callAuthorize = Effect.fnUntraced(function* (authorize: Authorize) {
  const request = yield* Effect.orDie(HttpServerRequest.toWeb(yield* HttpServerRequest.HttpServerRequest))
  const authorized = yield* Effect.promise(async () => authorize(request))
  if (isAuthorized(authorized)) return authorized ?? undefined
  return yield* Effect.die(
    new Error(
      "authorize must answer { shop, actor }, two texts, and publish, true or false, if it likes; or undefined or null",
    ),
  )
})

/**
 * Finds the person behind a request for a page of a store (`null`: of no store), and keeps sessions. A session of the
 * store itself, which a link began, comes first; then people whom the application authorizes or the key has let in.
 * Fails if the application authorizes nobody, unless the page is for everyone.
 */
export const makeAccess = Effect.fnUntraced(function* (access: AppOptions["access"]) {
  const purpose = yield* purposeOf("key" in access ? access.key : undefined)

  const ofStore = (shop: string) => readSession(`link ${purpose}`, shop)

  /** The session of a store on pages of no store, unless there are others. */
  const ofOnlyStore = Effect.flatMap(storesOfSessions, ([shop, ...others]) =>
    shop === undefined || others.length > 0 ? Effect.undefined : ofStore(shop),
  )

  const anybody =
    "key" in access
      ? Effect.map(readSession(purpose, null), (session) => (session === undefined ? undefined : visitorOf(session)))
      : Effect.gen(function* () {
          const authorized = access.authorize === undefined ? undefined : yield* callAuthorize(access.authorize)
          if (authorized === undefined) return undefined
          const { actor, publish = false, shop } = authorized
          const visitor: Visitor = { actor, shop, isReadOnly: false, mayPublish: publish, session: null }
          return visitor
        })

  const find = Effect.fnUntraced(function* (shop: string | null, isForEveryone: boolean) {
    const linked = shop === null ? undefined : yield* ofStore(shop)
    if (linked !== undefined) return visitorOf(linked)
    // Those who come by a link need not be known to the application.
    if (isForEveryone && !("key" in access)) return nobody
    const visitor = yield* anybody
    if (visitor !== undefined) return visitor
    const only = shop === null ? yield* ofOnlyStore : undefined
    if (only !== undefined) return visitorOf(only)
    return "key" in access ? nobody : yield* notAuthorized
  })

  const keep: KeepSession = (response, session) =>
    keepSession(response, session, session.shop === null ? purpose : `link ${purpose}`)

  return { find, keep }
})
