import { Effect, Option, Schema } from "effect"
import { type Customizer, wire } from "../../model/catalog/Customizer.ts"
import { NotFound } from "../../model/Errors.ts"
import { CustomizerId } from "../../model/Ids.ts"
import { WireForm } from "../../model/WireForm.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { etagOf } from "../../support/Etag.ts"

const isCustomizerId = Schema.is(CustomizerId)

/** Reads a customizer of the shop with its published definition (§2.3, §4). Fails with `NotFound`. */
export const readCustomizer = Effect.fnUntraced(function* (shop: string, id: number) {
  const found = isCustomizerId(id)
    ? yield* CustomizerStore.use((customizers) => customizers.find(shop, id))
    : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such customizer" })
  const text = wire(found.value)
  return new WireForm<Customizer>(text, yield* etagOf(text))
})
