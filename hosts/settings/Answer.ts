import { ByteSize, Data, Effect } from "effect"
import { Mac } from "effect/crypto"
import { HttpIncomingMessage, HttpServerRequest, type HttpServerResponse, UrlParams } from "effect/http"
import { getShop } from "../../core/usecases/ManageShops.ts"
import type { Failed } from "./Failure.tsx"
import { goTo } from "./Page.tsx"
import type { Ports, Route } from "./Routes.ts"
import { CurrentShop, Form, Visit } from "./Visit.ts"

/** A form that this session was not given, or for another store. */
class WrongForm extends Data.TaggedError("WrongForm")<{ readonly message: string }> {}

const maximumForm = ByteSize.kibibytes(64)

const utf8 = new TextEncoder()

/** The form that a request brings, if it is one that was given to this session. */
const readForm = Effect.gen(function* () {
  const { formKey } = yield* Visit
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = yield* Effect.orDie(request.urlParamsBody)
  const all: Form["Service"]["all"] = (name) => UrlParams.getAll(fields, name)
  const text: Form["Service"]["text"] = (name) => all(name)[0] ?? ""
  if (!Mac.timingSafeEqual(utf8.encode(text("form")), utf8.encode(formKey))) {
    return yield* new WrongForm({
      message:
        "Nothing was changed. Your session has ended, or you chose another store meanwhile: open the page again.",
    })
  }
  return { text, all }
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, maximumForm))

const noForm: Form["Service"] = { text: () => "", all: () => [] }

type Answered = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Effect.Services<Route["answer"]> | Ports | Visit | HttpServerRequest.HttpServerRequest
>

/** What a route answers, to who may see it: others are sent to where they come in. */
export const answered = (route: Route): Answered =>
  Effect.gen(function* () {
    const { session, site } = yield* Visit
    if (route.for !== "everyone" && session.actor === null) return yield* goTo("sign-in")
    const form = route.method === "POST" ? yield* readForm : noForm
    const withForm = Effect.provideService(route.answer as Answered, Form, form)
    if (route.for !== "store") return yield* withForm
    if (session.shop === null) return yield* goTo("stores")
    const shop = yield* getShop(session.shop).pipe(
      Effect.catchTag("NotFound", (error) => (site.standsAlone ? Effect.succeed(undefined) : Effect.fail(error))),
    )
    if (shop === undefined) return yield* goTo("stores")
    return yield* Effect.provideService(withForm, CurrentShop, { shop, actor: session.actor ?? "" })
  })
