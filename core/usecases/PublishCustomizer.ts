import { Clock, Effect, Option } from "effect"
import { CustomizerInput } from "../model/Customizer.ts"
import { NotFound, Refused, TooLarge } from "../model/Errors.ts"
import { CustomizerId } from "../model/Ids.ts"
import { reader, summary } from "../model/Input.ts"
import { jsonSize, maximumDefinition } from "../model/JsonSize.ts"
import { ResourceStore } from "../ports/ResourceStore.ts"
import { shopOf } from "../ports/ShopStore.ts"
import { publishCheck } from "../rules/PublishCheck.ts"

const readDescription = reader(CustomizerInput)
const readId = reader(CustomizerId)

/**
 * Makes a customizer or replaces its description; versions that were published stay (§2.3).
 * Fails with `NotFound` without the shop, `InvalidInput`.
 */
export const describeCustomizer = Effect.fn("PublishCustomizer.describe")(function* (
  shopId: string,
  id: number,
  input: unknown,
) {
  const shop = yield* shopOf(shopId)
  const customizerId = yield* Effect.fromResult(readId(id))
  const description = yield* Effect.fromResult(readDescription(input))
  return yield* (yield* ResourceStore).describeCustomizer({ shop: shop.id, id: customizerId, ...description })
})

/**
 * Publishes a definition as the customizer's next version (§9, definition format). Every version is kept: designs stay bound
 * to theirs (D5). Fails with `NotFound`, `TooLarge` above 512 KiB (D38), `Refused` with the problems of the definition.
 */
export const publishCustomizer = Effect.fn("PublishCustomizer.publish")(function* (
  shopId: string,
  id: number,
  definition: unknown,
) {
  const shop = yield* shopOf(shopId)
  if (jsonSize(definition, maximumDefinition) > maximumDefinition) {
    return yield* new TooLarge({ message: "A definition may have at most 512 KiB of JSON" })
  }
  const checked = yield* Effect.fromResult(publishCheck(definition)).pipe(
    Effect.mapError(
      (problems) =>
        new Refused({ message: summary("The definition can't be published", problems), problems: problems.listed }),
    ),
  )
  const now = yield* Clock.currentTimeMillis
  const published = yield* (yield* ResourceStore).publish(shop.id, id, JSON.stringify(checked), now)
  return Option.isSome(published)
    ? published.value
    : yield* new NotFound({ message: `The shop has no customizer ${id}` })
})
