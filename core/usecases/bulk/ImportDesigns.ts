import { Clock, Effect, Equal, Result } from "effect"
import { DesignInput, type DesignRecord, fromWire } from "../../model/catalog/Design.ts"
import type { EventRecord } from "../../model/events/Event.ts"
import { DesignId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { parse } from "../../model/Instant.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { chosenDesign, designAfter, publishedCustomizer, saveDesign } from "../catalog/SaveDesign.ts"
import { type ImportedRecord, importMany, isCurrent, outcomeOf } from "./ImportMany.ts"

const readId = reader(DesignId, "id")
const read = reader(DesignInput)

/**
 * Saves designs as `saveDesign` does, many in one commit. A design that was saved with the same choices stays as it is:
 * it may be ordered already. If one of them was changed at the same time, the designs of its commit are saved one by
 * one.
 *
 * Returns the outcome of each; fails with `NotFound` for an unknown shop, and if the store does.
 */
export const importDesigns = Effect.fn("ImportDesigns.importDesigns")(function* (
  shopId: string,
  records: ReadonlyArray<ImportedRecord>,
) {
  const shop = yield* shopOf(shopId)
  return yield* importMany(records, {
    namesOf: ({ id }) => [String(id)],
    together: (part) => saveTogether(shop, part),
    alone: ({ id, input }) => saveAlone(shop.id, id as string, input as DesignInput),
  })
})

const saveAlone = Effect.fnUntraced(function* (shop: string, id: string, input: DesignInput) {
  const designId = yield* Effect.fromResult(readId(id))
  const [existing] = yield* OrderStore.use((orders) => orders.designs(shop, [designId]))
  if (!(yield* isSaved(existing, input))) yield* saveDesign(shop, designId, input)
})

/** Saves those designs that are valid in one commit, or none if that is stale. */
const saveTogether = Effect.fnUntraced(function* (shop: Shop, records: ReadonlyArray<ImportedRecord>) {
  const store = yield* OrderStore
  const ids = records.map(({ id }) => readId(id as string))
  const stored = yield* store.designs(
    shop.id,
    ids.filter(Result.isSuccess).map(({ success }) => success),
  )
  const before = new Map(stored.map((design) => [design.id, design]))
  const find = rememberedCustomizers()
  const now = yield* Clock.currentTimeMillis
  const designs = new Map<number, DesignRecord>()
  const events: Array<EventRecord> = []
  const save = Effect.fnUntraced(function* (input: DesignInput, index: number) {
    const id = yield* Effect.fromResult(ids[index] as (typeof ids)[number])
    const existing = before.get(id)
    if (existing !== undefined && (yield* isSaved(existing, input))) return
    const chosen = yield* chosenDesign(shop, input, find)
    const made = yield* designAfter(shop, id, { chosen, existing, now })
    designs.set(index, made.design)
    events.push(...made.events)
  })
  const outcomes = yield* Effect.forEach(records, ({ input }, index) => outcomeOf(save(input as DesignInput, index)))
  if (designs.size === 0) return outcomes
  const isStored = yield* isCurrent(
    store.commit({ shop: shop.id, designs: [...designs.values()], order: null, events }),
  )
  return isStored ? outcomes : outcomes.map((outcome, index) => (designs.has(index) ? undefined : outcome))
})

/** Reads each customizer once. */
const rememberedCustomizers = (): typeof publishedCustomizer => {
  const known = new Map<number, Result.Result<Published, PublishedError>>()
  return Effect.fnUntraced(function* (shop: Shop, id: number) {
    const found = known.get(id) ?? (yield* Effect.result(publishedCustomizer(shop, id)))
    known.set(id, found)
    return yield* Effect.fromResult(found)
  })
}

type Published = Effect.Success<ReturnType<typeof publishedCustomizer>>
type PublishedError = Effect.Error<ReturnType<typeof publishedCustomizer>>

/** Whether a design was saved with this input, whatever has become of it since. */
const isSaved = Effect.fnUntraced(function* (existing: DesignRecord | undefined, input: DesignInput) {
  yield* Effect.fromResult(read(input))
  if (existing === undefined) return false
  const { customizer, price, selection } = fromWire(existing.wire)
  return (
    customizer.id === input.customizerId &&
    price.base === input.basePrice &&
    (input.createdAt === undefined || parse(input.createdAt) === existing.createdAt) &&
    Equal.equals(selection, input.selection)
  )
})
