import { Effect, Option } from "effect"
import { NotFound } from "../model/Errors.ts"
import { isStorable } from "../model/Text.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { shopOf } from "./ShopOf.ts"

/** A webhook endpoint and its shop. Fails with `NotFound` if either does not exist. */
export const endpointOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const found = isStorable(id) ? yield* EndpointStore.use((endpoints) => endpoints.find(shop.id, id)) : Option.none()
  return { shop, endpoint: yield* orNoEndpoint(found) }
})

/** The endpoint that a store returned, or `NotFound`. */
export const orNoEndpoint = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Option.match(found, {
    onNone: () => Effect.fail(new NotFound({ message: "The shop has no such webhook endpoint" })),
    onSome: Effect.succeed,
  })
