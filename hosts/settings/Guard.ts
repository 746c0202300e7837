import { Data, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { person } from "../../core/model/audit/Actor.ts"
import { CurrentActor } from "../../core/support/Auditing.ts"
import { getShop } from "../../core/usecases/shops/ManageShops.ts"
import { Forbidden } from "./Access.ts"
import type { Failed } from "./Failure.tsx"
import { Form, formOf, noForm, readForm } from "./Form.ts"
import { keptOf, openKept } from "./forms/KeptForm.ts"
import { sender } from "./forms/Returning.ts"
import { signInPage } from "./pages/SignIn.tsx"
import type { Ports, Route } from "./Routes.ts"
import { sharingReads } from "./SharedReads.ts"
import { CurrentShop, Visit } from "./Visit.ts"

type Guarded = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Effect.Services<Route["handler"]> | Ports | Visit | HttpServerRequest.HttpServerRequest
>

/** The person may look at everything, and change nothing. */
class ReadOnly extends Data.TaggedError("ReadOnly")<{ readonly message: string }> {}

/** The form was made for another person or store, or too long ago. */
class WrongForm extends Data.TaggedError("WrongForm")<{ readonly message: string }> {}

/** The page to sign in, which leads back to a page of the app. */
export const toSignIn = Effect.fnUntraced(function* (page: string) {
  const { appRoot } = yield* Visit
  const next = page === "" ? "" : `?next=${encodeURIComponent(page)}`
  return HttpServerResponse.empty({ status: 303, headers: { location: `${appRoot}sign-in${next}` } })
})

/** The most KiB of a form that are read of somebody who is not signed in. */
const maximumKept = 32

/** The page to sign in, after a form was sent: it leads back to the form with its content, or to the form's page. */
const toSignInFrom = Effect.fnUntraced(function* (route: Route) {
  const { path, shopId } = yield* Visit
  const home = shopId === null ? "" : `${shopId}/`
  const sent = yield* Effect.option(Effect.sandbox(readForm(maximumKept)))
  if (Option.isNone(sent)) return yield* toSignIn(home)
  if ("again" in route) return yield* signInPage({ status: 403, kept: keptOf(path.slice(1), sent.value.fields) })
  const from = yield* Effect.provideService(sender, Form, sent.value.form)
  return yield* toSignIn(from.startsWith(home) ? from : home)
})

/** The handler of a route for those who may use it. Others are sent to the page to sign in. */
export const guarded = (route: Route): Guarded =>
  route.method === "GET" ? sharingReads(allowed(route)) : allowed(route)

const allowed = (route: Route): Guarded =>
  Effect.gen(function* () {
    const visit = yield* Visit
    const { shopId, site, texts, visitor } = visit
    if (route.for !== "everyone" && visitor.actor === null) {
      if (site.isStandalone) {
        return yield* route.method === "POST" ? toSignInFrom(route) : toSignIn(visit.path.slice(1))
      }
      return yield* new Forbidden({ message: "You are not signed in." })
    }
    if (route.for === "store" && visitor.shop !== null && visitor.shop !== shopId) {
      return yield* new Forbidden({ message: `You have access to another shop: not to ${JSON.stringify(shopId)}.` })
    }
    if (route.method === "POST" && visitor.isReadOnly && route.evenReadOnly !== true) {
      return yield* new ReadOnly({
        message: "Nothing was changed. The link that you came by lets you look at everything, and change nothing.",
      })
    }
    const sent = route.method === "POST" ? yield* readForm(route.maximumForm) : undefined
    const again = yield* againOf(route, sent)
    if (sent !== undefined && sent.key !== "right" && again === undefined) {
      return yield* new WrongForm({ message: texts.failures.forms[sent.key] })
    }
    const handler = again ?? Effect.provideService(route.handler as Guarded, Form, sent?.form ?? noForm)
    if (route.for !== "store") return yield* handler
    const shop = yield* getShop(shopId ?? "")
    const actor = visitor.actor ?? ""
    return yield* handler.pipe(
      Effect.provideService(CurrentShop, { shop, actor }),
      Effect.provideService(CurrentActor, person(actor)),
    )
  })

/**
 * The page of a form with its content, if the form was kept while its person signed in, or was made for another person
 * or too long ago. Says so, and that secrets must be entered again.
 */
const againOf = Effect.fnUntraced(function* (
  route: Route,
  sent: Effect.Success<ReturnType<typeof readForm>> | undefined,
) {
  if (sent === undefined || !("again" in route)) return undefined
  const visit = yield* Visit
  const opened = yield* openKept(sent.form.text("kept"))
  if (sent.key === "right" && Option.isNone(opened)) return undefined
  const kept = Option.getOrElse(opened, () => keptOf("", sent.fields))
  const { againSecrets, again, forms } = visit.texts.failures
  const { key } = sent
  const wrong = new WrongForm({ message: key === "right" ? again.ended : forms[key] })
  const why = again[Option.isSome(opened) || key === "right" ? "ended" : key]
  const flash = { tone: "bad", text: kept.hadSecret ? `${why} ${againSecrets}` : why } as const
  return (route.again as Guarded).pipe(
    Effect.map(HttpServerResponse.setStatus(403)),
    // A form of another store may be about what this one does not have.
    Effect.catchIf(
      ({ _tag }) => (_tag === "NotFound" || _tag === "Missing") && key !== "right",
      () => wrong,
    ),
    Effect.provideService(Form, formOf(kept.fields)),
    Effect.provideService(Visit, { ...visit, flash }),
  )
})
