import { Effect } from "effect"
import { type Customizer, CustomizerInput, wire } from "../../model/catalog/Customizer.ts"
import { CustomizerId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { WireForm } from "../../model/WireForm.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { auditing } from "../../support/Auditing.ts"
import { etagOf } from "../../support/Etag.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const readDescription = reader(CustomizerInput)
const readId = reader(CustomizerId, "id")

/**
 * Creates a customizer or replaces its description; published versions stay (§2.3).
 * Fails with `NotFound` for an unknown shop, and with `InvalidInput`.
 */
export const putCustomizer = Effect.fn("PutCustomizer.put")(function* (
  shopId: string,
  id: number,
  input: CustomizerInput,
) {
  const shop = yield* shopOf(shopId)
  const customizerId = yield* Effect.fromResult(readId(id))
  const description = yield* Effect.fromResult(readDescription(input))
  const kept = yield* auditing(AuditRules.customizer, (audited) =>
    CustomizerStore.use((customizers) => customizers.put({ shop: shop.id, id: customizerId, ...description }, audited)),
  )
  const text = wire(kept)
  return new WireForm<Customizer>(text, yield* etagOf(text))
})
