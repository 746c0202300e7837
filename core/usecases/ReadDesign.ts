import { Effect, Option } from "effect"
import { NotFound } from "../model/Errors.ts"
import { ResourceStore } from "../ports/ResourceStore.ts"

/** A design of the shop in its wire form, drafts included (§4). Fails with `NotFound`. */
export const readDesign = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = yield* (yield* ResourceStore).readDesign(shop, id)
  return Option.isSome(found) ? found.value : yield* new NotFound({ message: "There is no such design" })
})
