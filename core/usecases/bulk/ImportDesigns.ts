import { Effect, Equal, Result } from "effect"
import { type DesignInput, type DesignRecord, fromWire } from "../../model/Design.ts"
import type { EventRecord } from "../../model/Event.ts"
import { DesignId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { format, parse } from "../../model/Instant.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { shopOf } from "../../support/ShopOf.ts"
import { designMade, publishedCustomizer } from "../designs/SaveDesign.ts"
import { orRefused } from "./Imported.ts"

const readId = reader(DesignId, "id")

/** A design to import: its own id, and the input of `saveDesign`. */
export interface ImportedDesign {
  readonly id: unknown
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Saves many designs as `saveDesign` does, those that are valid in one commit, and returns for each what that has done
 * or why it is refused. A design that was saved with the same input before, whatever has become of it since, is
 * unchanged (D75).
 *
 * Callers guarantee different ids. Fails with `NotFound` for an unknown shop.
 */
export const importDesigns = Effect.fn("ImportDesigns.import")(
  function* (shopId: string, lines: ReadonlyArray<ImportedDesign>) {
    const shop = yield* shopOf(shopId)
    const store = yield* OrderStore
    const ids = lines.map(({ id }) => readId(id))
    const stored = yield* store.designs(
      shop.id,
      ids.filter(Result.isSuccess).map(({ success }) => success),
    )
    const known = new Map(stored.map((design) => [design.id, design]))
    const customizers = new Map<number, ReturnType<typeof publishedCustomizer>>()
    const published = Effect.fnUntraced(function* (id: number) {
      const found = customizers.get(id) ?? (yield* Effect.cached(publishedCustomizer(shop, id)))
      customizers.set(id, found)
      return yield* found
    })
    const designs: Array<DesignRecord> = []
    const events: Array<EventRecord> = []
    const save = Effect.fnUntraced(function* ({ input }: ImportedDesign, index: number) {
      const id = yield* Effect.fromResult(ids[index] as (typeof ids)[number])
      const before = known.get(id)
      if (before !== undefined && isSaved(before, input)) return "unchanged" as const
      const made = yield* designMade(shop, id, input as unknown as DesignInput, {
        published,
        current: Effect.succeed(before),
      })
      designs.push(made.design)
      events.push(...made.events)
      return before === undefined ? ("created" as const) : ("changed" as const)
    })
    const imported = yield* Effect.forEach(lines, (line, index) => orRefused(save(line, index)))
    if (designs.length > 0) yield* store.commit({ shop: shop.id, designs, order: null, events })
    return imported
  },
  (effect) => retryStale(effect),
)

/** Whether a design was saved with this input. */
const isSaved = (design: DesignRecord, given: ImportedDesign["input"]): boolean => {
  const { createdAt, customizer, price, selection } = fromWire(design.wire)
  const at = typeof given["createdAt"] === "string" ? parse(given["createdAt"]) : undefined
  const saved = {
    customizerId: customizer.id,
    selection,
    basePrice: price.base,
    ...(given["createdAt"] === undefined ? {} : { createdAt }),
  }
  return Equal.equals(saved, at === undefined ? given : { ...given, createdAt: format(at) })
}
