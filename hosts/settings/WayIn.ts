import { Clock, Data, Effect, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import type { AppOptions, Authorize, Authorized } from "./Options.ts"
import { begin, endSession, type KeepSession, keepSession, readSession, type Session } from "./Session.ts"

/** Who asks has no business here. */
class Forbidden extends Data.TaggedError("Forbidden")<{ readonly message: string }> {}

/** The session of the request at hand, and whether its client has yet to keep it. */
interface Found {
  readonly session: Session
  readonly isNew: boolean
}

const found = (purpose: string, suits: (session: Session) => boolean, other: Pick<Session, "actor" | "shop">) =>
  Effect.flatMap(readSession(purpose), (session) =>
    Option.match(Option.filter(session, suits), {
      onNone: () => Effect.map(begin(other), (session): Found => ({ session, isNew: true })),
      onSome: (session) => Effect.succeed<Found>({ session, isNew: false }),
    }),
  )

const nobody = new Forbidden({ message: "You are not signed in to an application that lets you see these settings." })

const isAuthorized = (value: unknown): value is Authorized | undefined =>
  value === undefined ||
  (typeof value === "object" &&
    value !== null &&
    "shop" in value &&
    "actor" in value &&
    typeof value.shop === "string" &&
    typeof value.actor === "string")

const ask = (authorize: Authorize) =>
  Effect.gen(function* () {
    const request = yield* Effect.orDie(HttpServerRequest.toWeb(yield* HttpServerRequest.HttpServerRequest))
    const answer = yield* Effect.promise(async () => authorize(request))
    if (isAuthorized(answer)) return answer
    return yield* Effect.die(new Error("authorize must answer { shop, actor }, two texts, or undefined"))
  })

const utf8 = new TextEncoder()

/** What sessions are sealed for: those of another key, or of another way in, are none here. */
const purposeOf = (access: AppOptions["access"]) =>
  "key" in access
    ? Digest.Digest.use((digest) => digest.digestHex(Digest.sha256, utf8.encode(Redacted.value(access.key))))
    : Effect.succeed("embedded")

/**
 * Who has signed out. It is known in this process, for as long as their sessions would have lasted: a copy of such a cookie is refused. Sessions from before the
 * process began are over, as nobody knows any more which of them were ended.
 */
const makeSignedOut = Effect.map(Clock.currentTimeMillis, (start) => {
  const ended = new Map<string, Session["expires"]>()
  return {
    isOpen: ({ began, id }: Session): boolean => began >= start && !ended.has(id),
    add: ({ expires, id }: Session, now: number): void => {
      for (const [other, until] of ended) if (until <= now) ended.delete(other)
      ended.set(id, expires)
    },
  }
})

/** How a request becomes a session, and how its client keeps and ends that. */
export const makeWayIn = Effect.fnUntraced(function* (access: AppOptions["access"]) {
  const purpose = yield* purposeOf(access)
  const signedOut = yield* makeSignedOut
  const find =
    "key" in access
      ? found(purpose, signedOut.isOpen, { actor: null, shop: null })
      : Effect.gen(function* () {
          const who = access.authorize === undefined ? undefined : yield* ask(access.authorize)
          if (who === undefined) return yield* nobody
          const { actor, shop } = who
          return yield* found(purpose, (session) => session.actor === actor && session.shop === shop, { actor, shop })
        })
  const keep: KeepSession = (response, session) => keepSession(response, session, purpose)
  const end: KeepSession = Effect.fnUntraced(function* (response, session) {
    signedOut.add(session, yield* Clock.currentTimeMillis)
    return yield* endSession(response)
  })
  return { find, keep, end }
})
