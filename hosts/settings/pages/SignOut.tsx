import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { format } from "../../../core/model/Instant.ts"
import type { makeAccess } from "../Access.ts"
import { keepFlash } from "../Flash.ts"
import { renderPage } from "../Page.tsx"
import { Submit } from "../parts/Buttons.tsx"
import { shownActor } from "../parts/ChangedFields.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { afterEnding, endSession, endSessions, type Session, storesOfSessions } from "../Session.ts"
import { Visit } from "../Visit.ts"

/** Finds the person behind the current request, by the sessions that are left. */
type Find = Effect.Success<ReturnType<typeof makeAccess>>["find"]

/**
 * The page after signing out, which says what has ended and what has not: the page to sign in, or for those who came by
 * a link, a page that says what now.
 */
const signedOut = Effect.fnUntraced(function* (find: Find, session: Session, ended: "here" | "everywhere") {
  const visit = yield* Visit
  const { appRoot, shopId, site, texts } = visit
  const { byKey, byLink, stillByKey, stillByLink } = texts.signOut.ended
  if (site.isStandalone && session.shop === null) {
    const isLinked = (yield* storesOfSessions).length > 0
    const text = isLinked ? `${byKey[ended]} ${stillByLink}` : byKey[ended]
    const response = HttpServerResponse.empty({ status: 303, headers: { location: `${appRoot}sign-in` } })
    // With sessions of one store left, the next page is shown to their person.
    const visitor = yield* afterEnding(find(null, true))
    return yield* keepFlash(response, { tone: "good", text }, { visitor, shopId: null })
  }
  const left = yield* afterEnding(find(shopId, true))
  return yield* renderPage(
    { title: texts.signOut.done },
    <section class="card pad stack signin">
      <h1>{texts.signOut.done}</h1>
      <p>
        <bdi>{byLink[ended](session.actor)}</bdi>
      </p>
      {left.actor !== null && <p>{stillByKey}</p>}
      <p class="lead">{texts.signOut.newLink}</p>
    </section>,
  )
})

const signOut = (find: Find, ended: "here" | "everywhere") =>
  Effect.gen(function* () {
    const { root, visitor } = yield* Visit
    const { session } = visitor
    if (session === null) return HttpServerResponse.empty({ status: 303, headers: { location: root } })
    const dropped = yield* ended === "here" ? endSession(session) : endSessions(session)
    yield* Effect.log(`Settings: ${JSON.stringify(session.actor)} signed out${ended === "here" ? "" : " everywhere"}`)
    return yield* dropped(yield* signedOut(find, session, ended))
  })

/** The question how to sign out: here, or everywhere. */
const question = Effect.gen(function* () {
  const visit = yield* Visit
  const { session } = visit.visitor
  const { everywhere, everywhereHint, here, hereHint, title } = visit.texts.signOut
  const ofAll = session?.shop == null ? everywhereHint.byKey : everywhereHint.byLink(session.actor)
  return yield* renderPage(
    { title },
    <>
      <PageTitle>
        <h1>{title}</h1>
        {session !== null && (
          <p>
            <bdi>{visit.texts.signOut.signedInAs(shownActor(session.actor, visit.texts))}</bdi>
            {" · "}
            <Time at={format(session.began)} now={visit.now} />
          </p>
        )}
      </PageTitle>
      <section class="card pad stack">
        <PostForm visit={visit} evenReadOnly class="stack">
          <p>{hereHint}</p>
          <p>
            <Submit look="main" text={here} />
          </p>
        </PostForm>
        <PostForm visit={visit} evenReadOnly action="./sign-out-everywhere" class="stack">
          <p>
            <bdi>{ofAll}</bdi>
          </p>
          <p>
            <Submit text={everywhere} />
          </p>
        </PostForm>
      </section>
    </>,
  )
})

/** Signing out, from every page. */
export const signOutRoutes = (find: Find): ReadonlyArray<Route> => {
  const action = { method: "POST", for: "signed-in", evenReadOnly: true } as const
  return [
    { method: "GET", path: "/sign-out", for: "signed-in", handler: question },
    { ...action, path: "/sign-out", handler: signOut(find, "here") },
    { ...action, path: "/sign-out-everywhere", handler: signOut(find, "everywhere") },
  ]
}
