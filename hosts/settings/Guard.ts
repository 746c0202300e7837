import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { person } from "../../core/model/audit/Actor.ts"
import { CurrentActor } from "../../core/support/CurrentActor.ts"
import { getShop } from "../../core/usecases/ManageShops.ts"
import type { Failed } from "./Failure.tsx"
import { Form, noForm, readForm } from "./Form.ts"
import { redirect } from "./Page.tsx"
import type { Ports, Route } from "./Routes.ts"
import { sharingReads } from "./SharedReads.ts"
import { CurrentShop, Visit } from "./Visit.ts"

type Guarded = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Effect.Services<Route["handler"]> | Ports | Visit | HttpServerRequest.HttpServerRequest
>

/** The handler of a route for those who may use it. Others are sent to the page to sign in, or to choose a store. */
export const guarded = (route: Route): Guarded =>
  route.method === "GET" ? sharingReads(allowed(route)) : allowed(route)

const allowed = (route: Route): Guarded =>
  Effect.gen(function* () {
    const { session, site } = yield* Visit
    if (route.for !== "everyone" && session.actor === null) return yield* redirect("sign-in")
    const form = route.method === "POST" ? yield* readForm : noForm
    const handler = Effect.provideService(route.handler as Guarded, Form, form)
    if (route.for !== "store") return yield* handler
    if (session.shop === null) return yield* redirect("stores")
    const shop = yield* getShop(session.shop).pipe(
      Effect.catchTag("NotFound", (error) => (site.isStandalone ? Effect.succeed(undefined) : Effect.fail(error))),
    )
    if (shop === undefined) return yield* redirect("stores")
    const actor = session.actor ?? ""
    return yield* handler.pipe(
      Effect.provideService(CurrentShop, { shop, actor }),
      Effect.provideService(CurrentActor, person(actor)),
    )
  })
