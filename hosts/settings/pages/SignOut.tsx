import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { format } from "../../../core/model/Instant.ts"
import { renderPage } from "../Page.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { endSession, endSessions } from "../Session.ts"
import { Visit } from "../Visit.ts"

/** The page after signing out: the page to sign in, or for those who came by a link, a page that says what now. */
const signedOut = Effect.gen(function* () {
  const { appRoot, site, texts, visitor } = yield* Visit
  if (site.isStandalone && visitor.shop === null) {
    return HttpServerResponse.empty({ status: 303, headers: { location: `${appRoot}sign-in` } })
  }
  return yield* renderPage({
    title: texts.signOut.done,
    content: (
      <section class="card pad stack signin">
        <h1>{texts.signOut.done}</h1>
        <p class="lead">{texts.signOut.newLink}</p>
      </section>
    ),
  })
})

const signOut = (end: typeof endSession, what: string) =>
  Effect.gen(function* () {
    const { visitor } = yield* Visit
    const { session } = visitor
    const response = yield* signedOut
    if (session === null) return response
    yield* Effect.log(`Settings: ${JSON.stringify(session.actor)} ${what}`)
    return yield* end(response, session)
  })

/** The question how to sign out: here, or everywhere. */
const question = Effect.gen(function* () {
  const visit = yield* Visit
  const { session } = visit.visitor
  const { everywhere, everywhereHint, here, hereHint, title } = visit.texts.signOut
  return yield* renderPage({
    title,
    content: (
      <>
        <PageTitle>
          <h1>{title}</h1>
          {session !== null && (
            <p>
              <bdi>{visit.texts.signOut.signedInAs(session.actor)}</bdi>
              {" · "}
              <Time at={format(session.began)} now={visit.now} />
            </p>
          )}
        </PageTitle>
        <section class="card pad stack">
          <PostForm visit={visit} evenReadOnly class="stack">
            <p>{hereHint}</p>
            <p>
              <button class="button main" type="submit">
                {here}
              </button>
            </p>
          </PostForm>
          <PostForm visit={visit} evenReadOnly action="./sign-out-everywhere" class="stack">
            <p>{everywhereHint}</p>
            <p>
              <button class="button" type="submit">
                {everywhere}
              </button>
            </p>
          </PostForm>
        </section>
      </>
    ),
  })
})

/** Signing out, from every page. */
export const signOutRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/sign-out", for: "signed-in", handler: question },
  {
    method: "POST",
    path: "/sign-out",
    for: "signed-in",
    evenReadOnly: true,
    handler: signOut(endSession, "signed out"),
  },
  {
    method: "POST",
    path: "/sign-out-everywhere",
    for: "signed-in",
    evenReadOnly: true,
    handler: signOut(endSessions, "signed out everywhere"),
  },
]
