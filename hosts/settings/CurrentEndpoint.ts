import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { readEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { CurrentShop } from "./Visit.ts"

/** The webhook endpoint of the current store that the request's path names. */
export const currentEndpoint = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  return yield* readEndpoint(shop.id, id)
})
