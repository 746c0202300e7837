import { Data, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { person } from "../../core/model/audit/Actor.ts"
import { CurrentActor } from "../../core/support/CurrentActor.ts"
import { getShop } from "../../core/usecases/ManageShops.ts"
import type { Failed } from "./Failure.tsx"
import { Form, noForm, readForm } from "./Form.ts"
import type { Ports, Route } from "./Routes.ts"
import { sharingReads } from "./SharedReads.ts"
import { CurrentShop, Visit } from "./Visit.ts"

type Guarded = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Effect.Services<Route["handler"]> | Ports | Visit | HttpServerRequest.HttpServerRequest
>

/** The person has access to another store. */
class Forbidden extends Data.TaggedError("Forbidden")<{ readonly message: string }> {}

/** The person may look at everything, and change nothing. */
class ReadOnly extends Data.TaggedError("ReadOnly")<{ readonly message: string }> {}

/** The page to sign in, which leads back to the current page. */
export const toSignIn = Effect.gen(function* () {
  const { appRoot, path, shopId } = yield* Visit
  const { method } = yield* HttpServerRequest.HttpServerRequest
  // The address of a form need not be a page's.
  const asked = method === "POST" ? `${shopId === null ? "" : `${shopId}/`}` : path.slice(1)
  const next = asked === "" ? "" : `?next=${encodeURIComponent(asked)}`
  return HttpServerResponse.empty({ status: 303, headers: { location: `${appRoot}sign-in${next}` } })
})

/** The handler of a route for those who may use it. Others are sent to the page to sign in. */
export const guarded = (route: Route): Guarded =>
  route.method === "GET" ? sharingReads(allowed(route)) : allowed(route)

const allowed = (route: Route): Guarded =>
  Effect.gen(function* () {
    const { shopId, site, visitor } = yield* Visit
    if (route.for !== "everyone" && visitor.actor === null) {
      if (site.isStandalone) return yield* toSignIn
      return yield* new Forbidden({ message: "You are not signed in." })
    }
    if (route.for === "store" && visitor.shop !== null && visitor.shop !== shopId) {
      return yield* new Forbidden({ message: `You have access to another store: not to ${JSON.stringify(shopId)}.` })
    }
    if (route.method === "POST" && visitor.isReadOnly && route.evenReadOnly !== true) {
      return yield* new ReadOnly({
        message: "Nothing was changed. The link that you came by lets you look at everything, and change nothing.",
      })
    }
    const form = route.method === "POST" ? yield* readForm(route.maximumForm) : noForm
    const handler = Effect.provideService(route.handler as Guarded, Form, form)
    if (route.for !== "store") return yield* handler
    const shop = yield* getShop(shopId ?? "")
    const actor = visitor.actor ?? ""
    return yield* handler.pipe(
      Effect.provideService(CurrentShop, { shop, actor }),
      Effect.provideService(CurrentActor, person(actor)),
    )
  })
