import { Effect, Option, Schema } from "effect"
import type { Definition } from "../../model/catalog/Definition.ts"
import { NotFound } from "../../model/Errors.ts"
import { CustomizerId } from "../../model/Ids.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"

const isCustomizerId = Schema.is(CustomizerId)

/** Above every number of a version. */
const noVersion = 2_147_483_647

/** At most `limit` of the shop's customizers, by id, after the one with the id `after` (D69). */
export const listCustomizers = (query: { readonly shop: string; readonly after: number; readonly limit: number }) =>
  CustomizerStore.use((customizers) => customizers.list(query))

/** A customizer of the shop without its definition. Fails with `NotFound`. */
export const readCustomizerSummary = Effect.fnUntraced(function* (shop: string, id: number) {
  const found = isCustomizerId(id)
    ? yield* CustomizerStore.use((customizers) => customizers.summary(shop, id))
    : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such customizer" })
  return found.value
})

/** At most `limit` of a customizer's versions, newest first, below `before` (D69). */
export const listVersions = ({
  before = noVersion,
  ...query
}: {
  readonly shop: string
  readonly id: number
  readonly before?: number | undefined
  readonly limit: number
}) => CustomizerStore.use((customizers) => customizers.versions({ ...query, before }))

/** The definition of a published version, as its text and parsed. Fails with `NotFound`. */
export const readVersion = Effect.fnUntraced(function* (shop: string, id: number, version: number) {
  const found =
    Number.isInteger(version) && version > 0 && version < noVersion
      ? yield* CustomizerStore.use((customizers) => customizers.definition(shop, id, version))
      : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "The customizer has no such version" })
  return { text: found.value, definition: JSON.parse(found.value) as Definition }
})
