import { Clock, Effect, Option, Schema } from "effect"
import { type Customizer, wire } from "../../model/catalog/Customizer.ts"
import { Definition, type PublishInput } from "../../model/catalog/Definition.ts"
import { NotFound, Refused, TooLarge } from "../../model/Errors.ts"
import { CustomizerId } from "../../model/Ids.ts"
import { reader, summary } from "../../model/Input.ts"
import { formOf } from "../../model/InputProblems.ts"
import { jsonSize, maximumDefinition } from "../../model/json/JsonSize.ts"
import { WireForm } from "../../model/WireForm.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { publishCheck } from "../../rules/catalog/PublishCheck.ts"
import { auditing } from "../../support/Auditing.ts"
import { etagOf } from "../../support/Etag.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const isCustomizerId = Schema.is(CustomizerId)

const read = reader(Schema.Struct({ definition: Schema.Unknown.annotate({ expected: formOf(Definition.ast) }) }))

/**
 * Publishes a definition as the customizer's next version (§9). Every version is kept: designs stay bound to theirs
 * (D5). Fails with `NotFound`, `InvalidInput`, `TooLarge` above 512 KiB (D38), and `Refused` with the definition's
 * problems.
 */
export const publishCustomizer = Effect.fn("PublishCustomizer.publish")(function* (
  shopId: string,
  id: number,
  input: PublishInput,
) {
  const shop = yield* shopOf(shopId)
  const { definition } = yield* Effect.fromResult(read(input))
  if (jsonSize(definition, maximumDefinition) > maximumDefinition) {
    return yield* new TooLarge({ message: "A definition may have at most 512 KiB of JSON" })
  }
  const checked = yield* Effect.fromResult(publishCheck(definition)).pipe(
    Effect.mapError(
      (problems) =>
        new Refused({ message: summary("The definition can't be published", problems), problems: problems.listed }),
    ),
  )
  const kept = JSON.stringify(checked)
  const digest = yield* etagOf(kept)
  const now = yield* Clock.currentTimeMillis
  const published = isCustomizerId(id)
    ? yield* auditing(AuditRules.publication, (audited) =>
        CustomizerStore.use((customizers) =>
          customizers.publish(shop.id, id, { definition: kept, digest }, now, audited),
        ),
      )
    : Option.none()
  if (Option.isNone(published)) return yield* new NotFound({ message: `The shop has no customizer ${id}` })
  const text = wire(published.value)
  return new WireForm<Customizer>(text, yield* etagOf(text))
})
