/** Imports of records, which may be repeated, as a whole or in part, and change nothing then (D75). */
import { Effect, Equal, Option } from "effect"
import { DesignInput, type DesignRecord, fromWire } from "../../model/Design.ts"
import { DesignId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { parse } from "../../model/Instant.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { publishCheck } from "../../rules/PublishCheck.ts"
import { etagOf } from "../../support/Etag.ts"
import { publishCustomizer } from "../customizers/PublishCustomizer.ts"
import { putCustomizer } from "../customizers/PutCustomizer.ts"
import { saveDesign } from "../designs/SaveDesign.ts"

/** A customizer with its definition, if there is one. */
type CustomizerRecord = Parameters<typeof putCustomizer>[2] & {
  readonly definition?: Parameters<typeof publishCustomizer>[2]["definition"]
}

/** Puts a customizer, and publishes its definition, if it has one that is not the newest version already. */
export const importCustomizer = Effect.fnUntraced(function* (
  shop: string,
  id: number,
  { definition, ...description }: CustomizerRecord,
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

const readDesignId = reader(DesignId, "id")
const readDesign = reader(DesignInput)

/** Saves a design, unless it was saved with the same choices: then it may be ordered already. */
export const importDesign = Effect.fnUntraced(function* (shop: string, id: string, input: DesignInput) {
  const designId = yield* Effect.fromResult(readDesignId(id))
  yield* Effect.fromResult(readDesign(input))
  const [stored] = yield* OrderStore.use((orders) => orders.designs(shop, [designId]))
  if (stored === undefined || !isSame(stored, input)) yield* saveDesign(shop, designId, input)
})

const isSame = ({ createdAt, wire }: DesignRecord, input: DesignInput): boolean => {
  const { customizer, price, selection } = fromWire(wire)
  return (
    customizer.id === input.customizerId &&
    price.base === input.basePrice &&
    (input.createdAt === undefined || parse(input.createdAt) === createdAt) &&
    Equal.equals(selection, input.selection)
  )
}
