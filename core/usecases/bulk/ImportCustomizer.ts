import { Effect, Option, Schema } from "effect"
import { CustomizerInput } from "../../model/Customizer.ts"
import type { Definition } from "../../model/Definition.ts"
import { CustomizerId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { shopOf } from "../../support/ShopOf.ts"
import { definitionKept, publishCustomizer } from "../customizers/PublishCustomizer.ts"
import { putCustomizer } from "../customizers/PutCustomizer.ts"
import type { Imported } from "./Imported.ts"

const read = reader(Schema.Struct({ ...CustomizerInput.fields, definition: Schema.optionalKey(Schema.Unknown) }))
const readId = reader(CustomizerId, "id")

/**
 * Puts a customizer as `putCustomizer` does, and publishes its definition as `publishCustomizer` does if there is one
 * and it is not the published one already (D75). Nothing is stored unless all of it is valid. Fails as the two do.
 */
export const importCustomizer = Effect.fn("ImportCustomizer.import")(function* (
  shopId: string,
  id: unknown,
  input: unknown,
) {
  const shop = yield* shopOf(shopId)
  const customizer = yield* Effect.fromResult(readId(id))
  const { definition, ...description } = yield* Effect.fromResult(read(input))
  const published = definition === undefined ? undefined : yield* definitionKept(definition)
  const found = yield* CustomizerStore.use((customizers) => customizers.summary(shop.id, customizer))
  const before = Option.getOrUndefined(found)
  const isPut =
    before?.title === description.title &&
    before.platformProductId === description.platformProductId &&
    before.assetBase === description.assetBase
  const isPublished = published === undefined || before?.digest === published.digest
  if (!isPut) yield* putCustomizer(shop.id, customizer, description)
  if (!isPublished) yield* publishCustomizer(shop.id, customizer, { definition: definition as Definition })
  const done: Imported = before === undefined ? "created" : isPut && isPublished ? "unchanged" : "changed"
  return done
})
