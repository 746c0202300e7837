import { Effect, Option } from "effect"
import { wire } from "../model/Customizer.ts"
import { NotFound } from "../model/Errors.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { etagOf } from "../support/Etag.ts"

/** A customizer of the shop with its published definition, in its wire form (§2.3, §4). Fails with `NotFound`. */
export const readCustomizer = Effect.fnUntraced(function* (shop: string, id: number) {
  const found = yield* (yield* CustomizerStore).find(shop, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such customizer" })
  const text = wire(found.value)
  return { wire: text, etag: yield* etagOf(text) }
})
