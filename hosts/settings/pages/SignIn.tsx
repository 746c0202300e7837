import { Clock, Effect, Option, Redacted } from "effect"
import { Digest, Mac } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { nextPage } from "../../../core/model/access/SettingsLink.ts"
import { Form, noForm } from "../Form.ts"
import { formKeyOf } from "../FormKey.ts"
import { type Kept, openKept, sealKept } from "../forms/KeptForm.ts"
import type { KeyAccess } from "../Options.ts"
import { renderPage } from "../Page.tsx"
import { pagePathOf } from "../PagePath.ts"
import { Submit } from "../parts/Buttons.tsx"
import { type Begun, nameOfSession } from "../parts/ChangedFields.tsx"
import { Field } from "../parts/Field.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { currentQuery } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { beginSession, type KeepSession, type Session } from "../Session.ts"
import { Visit } from "../Visit.ts"

/** How long the link that signs in once is valid, in minutes. */
const linkLifetime = 5

const utf8 = new TextEncoder()

const sha256 = (text: string) => Digest.Digest.use((digest) => digest.digest(Digest.sha256, utf8.encode(text)))

/** The page to sign in. A form that was sent without a session is kept in it: as its content, or already sealed. */
export const signInPage = Effect.fnUntraced(function* ({
  kept,
  problem,
  status,
}: {
  readonly status: number
  readonly problem?: string
  readonly kept?: Kept | string
}) {
  const visit = yield* Visit
  const texts = visit.texts.signIn
  // The page may stand at the address of the form that is kept, and its own form belongs to no store.
  const formKey = yield* formKeyOf({ actor: null, shop: null }, visit.now)
  const sealed = kept === undefined || typeof kept === "string" ? kept : yield* sealKept(kept)
  const action = typeof kept === "object" ? `${visit.appRoot}sign-in?next=${encodeURIComponent(kept.path)}` : undefined
  return yield* renderPage(
    { title: texts.title, status },
    <section class="card pad stack signin">
      <div>
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
      </div>
      {sealed !== undefined && (
        <p class="notice" role="status">
          <Icon name="clock" />
          <span>{texts.kept}</span>
        </p>
      )}
      <PostForm visit={{ ...visit, formKey }} class="stack" evenReadOnly {...(action === undefined ? {} : { action })}>
        {sealed !== undefined && <input type="hidden" name="kept" value={sealed} />}
        <Field
          name="key"
          label={texts.key}
          hint={texts.keyHint(<code>DESIGNWIRE_MANAGE_KEY</code>, <code>manage-key</code>)}
          problems={problem === undefined ? [] : [{ path: "key", message: problem }]}
          control={(attributes) => <input type="password" autocomplete="current-password" required {...attributes} />}
        />
        <Submit look="main" text={texts.title} />
      </PostForm>
    </section>,
  )
})

/** Whose sessions end together: all who know the key. */
const owner = "the management key"

/**
 * Signs in a person with a new session, and leads to the page that they asked for. `how`: how
 * they proved that they may.
 */
const signIn = Effect.fnUntraced(function* (keep: KeepSession, how: Begun) {
  const { root } = yield* Visit
  const named = (id: string) => nameOfSession(how, id)
  const session = yield* beginSession({ owner, shop: null, readOnly: false, named })
  yield* Effect.log(`Settings: ${JSON.stringify(session.actor)} signed in`)
  const kept = yield* openKept((yield* Form).text("kept"))
  if (Option.isSome(kept)) return yield* keep(yield* toKept(kept.value, session), session)
  const location = root + nextPage((yield* currentQuery).get("next"))
  return yield* keep(HttpServerResponse.empty({ status: 303, headers: { location } }), session)
})

/** Leads from signing in back to a form with its content, automatically if scripts run. */
const toKept = Effect.fnUntraced(function* (kept: Kept, { actor }: Session) {
  const visit = yield* Visit
  const texts = visit.texts.signIn
  const { shopId } = pagePathOf(`/${kept.path.split("?")[0]}`)
  const formKey = yield* formKeyOf({ actor, shop: shopId }, visit.now)
  return yield* renderPage(
    { title: texts.signedIn },
    <section class="card pad stack signin">
      <h1>{texts.signedIn}</h1>
      <p class="lead">{texts.backLead}</p>
      <PostForm visit={{ ...visit, formKey }} action={visit.root + kept.path} evenReadOnly goesOn>
        <input type="hidden" name="kept" value={yield* sealKept(kept)} />
        <Submit look="main" text={texts.back} />
      </PostForm>
    </section>,
  )
})

/** Returns a function that begins a session for the text of the one-time link, once; `undefined` for another text. */
const makeOneTimeLink = Effect.fnUntraced(function* (oneTimeKey: KeyAccess["oneTimeKey"]) {
  const hash = oneTimeKey === undefined ? undefined : yield* sha256(Redacted.value(oneTimeKey))
  const until = (yield* Clock.currentTimeMillis) + linkLifetime * 60 * 1000
  let isUsed = false
  return Effect.fnUntraced(function* <A, E, R>(text: string, now: number, session: Effect.Effect<A, E, R>) {
    const given = yield* sha256(text)
    if (hash === undefined || isUsed || now >= until || !Mac.timingSafeEqual(given, hash)) return undefined
    isUsed = true
    // If no session could begin, the link is still good.
    return yield* Effect.onError(session, () => Effect.sync(() => (isUsed = false)))
  })
})

/** The pages to sign in, if the app is standalone. */
export const makeSignIn = Effect.fnUntraced(function* (access: KeyAccess, { keep }: { readonly keep: KeepSession }) {
  const acceptLink = yield* makeOneTimeLink(access.oneTimeKey)

  const open = Effect.gen(function* () {
    const { now, root, texts, visitor } = yield* Visit
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const text = (yield* currentQuery).get("once")
    // Those who came by a link to a store may still sign in to the others.
    const isSignedIn = visitor.actor !== null && visitor.shop === null
    // Programs that check links before a person opens them use HEAD, which must not use up the link.
    if (text !== null && method === "GET") {
      const begin = Effect.provideService(signIn(keep, "once"), Form, noForm)
      const answer = yield* acceptLink(text, now, begin)
      if (answer !== undefined) return answer
      if (!isSignedIn) {
        return yield* signInPage({ status: 403, problem: texts.signIn.usedLink(linkLifetime) })
      }
    }
    if (!isSignedIn) return yield* signInPage({ status: 200 })
    const location = root + nextPage((yield* currentQuery).get("next"))
    return HttpServerResponse.empty({ status: 303, headers: { location } })
  })

  const enterKey = Effect.gen(function* () {
    const form = yield* Form
    const texts = (yield* Visit).texts.signIn
    const result = yield* access.compare(Redacted.make(form.text("key")))
    if (result === "right") return yield* signIn(keep, "key")
    const kept = form.text("kept") === "" ? {} : { kept: form.text("kept") }
    if (result === "wrong") return yield* signInPage({ status: 403, problem: texts.wrongKey, ...kept })
    const page = yield* signInPage({ status: 429, problem: texts.tooMany, ...kept })
    return HttpServerResponse.setHeader(page, "retry-after", String(Math.ceil(result / 1000)))
  })

  const routes: ReadonlyArray<Route> = [
    { method: "GET", path: "/sign-in", for: "everyone", handler: open },
    { method: "POST", path: "/sign-in", for: "everyone", handler: enterKey },
  ]
  return routes
})
