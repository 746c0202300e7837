import { Effect, Option } from "effect"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { publishCheck } from "../../rules/catalog/PublishCheck.ts"
import { etagOf } from "../../support/Etag.ts"
import { publishCustomizer } from "../catalog/PublishCustomizer.ts"
import { putCustomizer } from "../catalog/PutCustomizer.ts"
import { type ImportedRecord, outcomeOf } from "./ImportMany.ts"

/** A customizer with its definition, if there is one. */
type CustomizerInput = Parameters<typeof putCustomizer>[2] & {
  readonly definition?: Parameters<typeof publishCustomizer>[2]["definition"]
}

/**
 * Puts customizers one after the other, and publishes the definitions that are not the newest versions already. Returns
 * the outcome of each; fails if the store does.
 */
export const importCustomizers = (shop: string, records: ReadonlyArray<ImportedRecord>) =>
  Effect.forEach(records, ({ id, input }) => outcomeOf(importCustomizer(shop, id as number, input as CustomizerInput)))

const importCustomizer = Effect.fnUntraced(function* (
  shop: string,
  id: number,
  { definition, ...description }: CustomizerInput,
) {
  yield* putCustomizer(shop, id, description)
  if (definition === undefined || (yield* isNewest(shop, id, definition))) return
  yield* publishCustomizer(shop, id, { definition })
})

const isNewest = Effect.fnUntraced(function* (shop: string, id: number, definition: unknown) {
  const newest = yield* CustomizerStore.use((customizers) => customizers.summary(shop, id))
  const checked = publishCheck(definition)
  if (Option.isNone(newest) || checked._tag === "Failure" || newest.value.version === null) return false
  return newest.value.digest === (yield* etagOf(JSON.stringify(checked.success)))
})
