import { Clock, Effect, Redacted } from "effect"
import { Digest, Mac } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { listShops } from "../../../core/usecases/ManageShops.ts"
import type { KeyAccess } from "../Options.ts"
import { goTo, showAlone } from "../Page.tsx"
import { Field } from "../parts/Field.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import { begin, type KeepSession, type Session } from "../Session.ts"
import { Form, Visit } from "../Visit.ts"

/** How long the link that signs in once is good for, in milliseconds. */
const linkPatience = 5 * 60 * 1000

const utf8 = new TextEncoder()

const signInPage = Effect.fnUntraced(function* (status: number, problem?: string) {
  const visit = yield* Visit
  return yield* showAlone({
    title: "Sign in",
    status,
    content: (
      <section class="card pad stack signin">
        <div>
          <h1>Sign in</h1>
          <p class="lead">Manage API tokens and webhooks of your stores.</p>
        </div>
        <PostForm visit={visit} kind="stack">
          <Field
            name="key"
            label="Management key"
            hint={
              <>
                As <code>DESIGNWIRE_MANAGE_KEY</code> gives it, or the file <code>manage-key</code> in the data
                directory.
              </>
            }
            problems={problem === undefined ? [] : [{ path: "key", message: problem }]}
            control={(attributes) => <input type="password" autocomplete="current-password" required {...attributes} />}
          />
          <button class="button main" type="submit">
            Sign in
          </button>
        </PostForm>
      </section>
    ),
  })
})

/** Signs somebody in who has the management key: from here on it is another session. */
const letIn = Effect.fnUntraced(function* (keep: KeepSession, how: string) {
  const shops = yield* listShops
  const session = yield* begin({ actor: null, shop: shops.length === 1 ? (shops[0]?.id ?? null) : null })
  const known: Session = { ...session, actor: `${how}, session ${session.id.slice(0, 6)}` }
  yield* Effect.log(`Settings: ${JSON.stringify(known.actor)} signed in`)
  return yield* keep(yield* goTo(""), known)
})

/** The pages with which people come in and go out where the app stands alone. */
export const makeSignIn = Effect.fnUntraced(function* (
  access: KeyAccess,
  { end, keep }: { readonly keep: KeepSession; readonly end: KeepSession },
) {
  const sha256 = (text: string) => Digest.Digest.use((digest) => digest.digest(Digest.sha256, utf8.encode(text)))
  let once =
    access.oneTimeKey === undefined
      ? undefined
      : {
          hash: yield* sha256(Redacted.value(access.oneTimeKey)),
          until: (yield* Clock.currentTimeMillis) + linkPatience,
        }

  const get = Effect.gen(function* () {
    const { now, session } = yield* Visit
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const key = new URLSearchParams(url.split("?")[1]).get("once")
    // Programs that look at links before people do ask with HEAD.
    if (key !== null && method === "GET") {
      const hash = yield* sha256(key)
      if (once !== undefined && now < once.until && Mac.timingSafeEqual(hash, once.hash)) {
        once = undefined
        return yield* letIn(keep, "the one-time link")
      }
      if (session.actor === null) {
        return yield* signInPage(
          403,
          "This link was used before, or is older than five minutes: enter the key instead.",
        )
      }
    }
    return session.actor === null ? yield* signInPage(200) : yield* goTo("")
  })

  const post = Effect.gen(function* () {
    const form = yield* Form
    const result = yield* access.compare(Redacted.make(form.text("key")))
    if (result === "right") return yield* letIn(keep, "the management key")
    if (result === "wrong") return yield* signInPage(403, "This is not the management key.")
    const page = yield* signInPage(429, "Too many wrong keys came from your address. Wait a minute, then try again.")
    return HttpServerResponse.setHeader(page, "retry-after", String(Math.ceil(result / 1000)))
  })

  const leave = Effect.gen(function* () {
    const { session } = yield* Visit
    yield* Effect.log(`Settings: ${JSON.stringify(session.actor)} signed out`)
    return yield* end(HttpServerResponse.empty({ status: 303, headers: { location: "./sign-in" } }), session)
  })

  const routes: ReadonlyArray<Route> = [
    { method: "GET", path: "/sign-in", for: "everyone", answer: get },
    { method: "POST", path: "/sign-in", for: "everyone", answer: post },
    { method: "POST", path: "/sign-out", for: "key", answer: leave },
  ]
  return routes
})
