import { Clock, Data, Effect, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import type { AppOptions, Authorize, Authorized } from "./Options.ts"
import { beginSession, dropSession, type KeepSession, keepSession, readSession, type Session } from "./Session.ts"

/** The caller may not use the app. */
class Forbidden extends Data.TaggedError("Forbidden")<{ readonly message: string }> {}

/** The session of the current request. A new one must still be given to the client. */
interface FoundSession {
  readonly session: Session
  readonly isNew: boolean
}

/** The request's session if it is `valid`, otherwise a new one for `identity`. */
const sessionFor = (purpose: string, identity: Pick<Session, "actor" | "shop">, valid: (session: Session) => boolean) =>
  Effect.flatMap(readSession(purpose), (session) =>
    Option.match(Option.filter(session, valid), {
      onNone: () => Effect.map(beginSession(identity), (session): FoundSession => ({ session, isNew: true })),
      onSome: (session) => Effect.succeed<FoundSession>({ session, isNew: false }),
    }),
  )

const notAuthorized = new Forbidden({ message: "You are not signed in to an application that gives you access." })

const isAuthorized = (value: unknown): value is Authorized | null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === "object" &&
    "shop" in value &&
    "actor" in value &&
    typeof value.shop === "string" &&
    typeof value.actor === "string")

/** Asks the surrounding application for the person behind the current request. */
const callAuthorize = Effect.fnUntraced(function* (authorize: Authorize) {
  const request = yield* Effect.orDie(HttpServerRequest.toWeb(yield* HttpServerRequest.HttpServerRequest))
  const authorized = yield* Effect.promise(async () => authorize(request))
  if (isAuthorized(authorized)) return authorized ?? undefined
  return yield* Effect.die(new Error("authorize must answer { shop, actor }, two texts, or undefined or null"))
})

const utf8 = new TextEncoder()

/** The purpose that sessions are sealed for, so that another key or the other kind of access does not accept them. */
const purposeOf = (access: AppOptions["access"]) =>
  "key" in access
    ? Digest.Digest.use((digest) => digest.digestHex(Digest.sha256, utf8.encode(Redacted.value(access.key))))
    : Effect.succeed("embedded")

/**
 * The sessions that have been signed out, so that a copy of their cookie is refused. Only this process knows them, and
 * only until they would have expired. Sessions from before the process started are refused, because it does not know
 * which of them were signed out.
 */
const makeSignedOut = Effect.map(Clock.currentTimeMillis, (start) => {
  const signedOut = new Map<string, Session["expires"]>()
  return {
    isOpen: ({ began, id }: Session): boolean => began >= start && !signedOut.has(id),
    add: ({ expires, id }: Session, now: number): void => {
      for (const [other, until] of signedOut) if (until <= now) signedOut.delete(other)
      signedOut.set(id, expires)
    },
  }
})

/** Finds the session of a request, gives sessions to clients, and ends them. */
export const makeAccess = Effect.fnUntraced(function* (access: AppOptions["access"]) {
  const purpose = yield* purposeOf(access)
  const signedOut = yield* makeSignedOut
  const find =
    "key" in access
      ? sessionFor(purpose, { actor: null, shop: null }, signedOut.isOpen)
      : Effect.gen(function* () {
          const authorized = access.authorize === undefined ? undefined : yield* callAuthorize(access.authorize)
          if (authorized === undefined) return yield* notAuthorized
          const { actor, shop } = authorized
          return yield* sessionFor(
            purpose,
            { actor, shop },
            (session) => session.actor === actor && session.shop === shop,
          )
        })
  const keep: KeepSession = (response, session) => keepSession(response, session, purpose)
  const end: KeepSession = Effect.fnUntraced(function* (response, session) {
    signedOut.add(session, yield* Clock.currentTimeMillis)
    return yield* dropSession(response)
  })
  return { find, keep, end }
})
