import { Cache, Clock, Context, Effect, Layer, Option } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { CustomizerRecord } from "../model/Customizer.ts"
import type { Definition } from "../model/Definition.ts"
import { DesignInput, type DesignRecord, wire } from "../model/Design.ts"
import { Conflict, DesignFrozen, type InvalidInput, NotFound, Refused, TooLarge } from "../model/Errors.ts"
import { designData, eventOf } from "../model/Event.ts"
import { DesignId } from "../model/Ids.ts"
import { reader, summary } from "../model/Input.ts"
import { format, type Instant, parse } from "../model/Instant.ts"
import { jsonSize, maximumSelection } from "../model/JsonSize.ts"
import type { Shop } from "../model/Shop.ts"
import { etagOf } from "../ports/Etag.ts"
import { newId } from "../ports/NewId.ts"
import { ResourceStore } from "../ports/ResourceStore.ts"
import { type ShopStore, shopOf } from "../ports/ShopStore.ts"
import { retryStale, type StorageError } from "../ports/StorageError.ts"
import { type CompiledDefinition, compile } from "../rules/Compile.ts"
import * as DesignState from "../rules/DesignState.ts"
import { evaluate } from "../rules/Evaluation.ts"
import { type ImageUrlsOf, imageUrls } from "../rules/ImageUrls.ts"

/** Where a design's pictures are found; an embedder may provide its own (D7). */
export const ImageUrls = Context.Reference<ImageUrlsOf>("designwire/ImageUrls", { defaultValue: () => imageUrls })

const read = reader(DesignInput)
const readId = reader(DesignId)

/** What saving answers: the design as it is kept now, and whether it is new. */
export interface SavedDesign {
  readonly design: DesignRecord
  readonly created: boolean
}

/**
 * Saves a buyer's choices as a design, or saves a draft again (§3, D4): they are evaluated on the version of the customizer that
 * is published now, and the design keeps that version (D5).
 *
 * Definitions are compiled once per version and host.
 */
export class SaveDesign extends Context.Service<
  SaveDesign,
  {
    /**
     * Saves under an id of the caller's, or under a generated one where it is `undefined`.
     *
     * Fails with `NotFound` without the shop or the customizer, `InvalidInput`, `TooLarge` for a selection above 64 KiB (D38),
     * `Conflict` where the customizer was never published, `Refused` with the problems of the selection,
     * `DesignFrozen` where the design is ordered or cancelled.
     */
    readonly save: (
      shopId: string,
      id: string | undefined,
      input: unknown,
    ) => Effect.Effect<SavedDesign, SaveDesignError>
  }
>()("designwire/SaveDesign") {
  static readonly layer: Layer.Layer<
    SaveDesign,
    never,
    ShopStore | ResourceStore | Digest.Digest | SecureRandom.SecureRandom
  > = Layer.effect(
    SaveDesign,
    Effect.gen(function* () {
      const services = yield* Effect.context<ShopStore | ResourceStore | Digest.Digest | SecureRandom.SecureRandom>()
      const store = yield* ResourceStore

      const compiled = yield* Cache.make({
        capacity: 1000,
        lookup: (key: string) =>
          Effect.suspend(() => {
            const [shop, id, version] = JSON.parse(key) as [string, number, number]
            return Effect.map(store.customizer(shop, id, version), compileVersion)
          }),
      })

      const save = Effect.fn("SaveDesign.save")(function* (shopId: string, id: string | undefined, input: unknown) {
        const shop = yield* shopOf(shopId)
        const designId = id === undefined ? yield* newId("dsn_") : yield* Effect.fromResult(readId(id))
        const { basePrice, createdAt, customizerId, selection } = yield* Effect.fromResult(read(input))
        if (jsonSize(selection, maximumSelection) > maximumSelection) {
          return yield* new TooLarge({ message: "A selection may have at most 64 KiB of JSON" })
        }
        const customizer = yield* publishedCustomizer(shop, customizerId)
        const definition = yield* Cache.get(compiled, JSON.stringify([shop.id, customizer.id, customizer.version]))
        const evaluated = yield* Effect.fromResult(
          evaluate(definition, {
            selection,
            basePrice,
            currency: shop.currency,
            roundingStep: shop.roundingStep,
          }),
        ).pipe(
          Effect.mapError(
            (problems) =>
              new Refused({ message: summary("The selection is not allowed", problems), problems: problems.listed }),
          ),
        )
        const urls = (yield* ImageUrls)(shop, designId, definition.views)
        const now = yield* Clock.currentTimeMillis

        const [existing] = yield* store.designs(shop.id, [designId])
        const status = DesignState.next(existing?.status ?? null, "save")
        if (status === undefined) {
          return yield* new DesignFrozen({
            message: `The design ${JSON.stringify(designId)} is ${existing?.status} and can't be saved again`,
          })
        }
        // A draft that is saved again without a time keeps the one it has.
        const created: Instant = (createdAt === undefined ? existing?.createdAt : parse(createdAt)) ?? now
        const text = wire({
          id: designId,
          status,
          customizer: { id: customizer.id, title: customizer.title, version: customizer.version },
          order: null,
          selection: selection as Readonly<Record<string, unknown>>,
          ...evaluated,
          ...urls,
          createdAt: format(created),
          orderedAt: null,
        })
        const design: DesignRecord = {
          shop: shop.id,
          id: designId,
          status,
          orderId: null,
          position: 0,
          createdAt: created,
          wire: text,
          etag: yield* etagOf(text),
          revision: (existing?.revision ?? 0) + 1,
        }
        const isNew = existing === undefined
        const events = isNew
          ? [eventOf(shop, { id: yield* newId("evt_"), event: "design.created", data: designData(text), now })]
          : []
        yield* store.commit({ shop: shop.id, designs: [design], order: null, events })
        return { design, created: isNew }
      })

      return {
        save: (shopId, id, input) => retryStale(save(shopId, id, input)).pipe(Effect.provideContext(services)),
      }
    }),
  )
}

/** Why a design was not saved. */
export type SaveDesignError = NotFound | InvalidInput | TooLarge | Conflict | Refused | DesignFrozen | StorageError

const publishedCustomizer = Effect.fnUntraced(function* (shop: Shop, id: number) {
  const found = yield* (yield* ResourceStore).customizer(shop.id, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no customizer ${id}` })
  const { title, version } = found.value
  if (version === null) return yield* new Conflict({ message: `The customizer ${id} was never published` })
  return { id, title, version }
})

/** A version that a customizer names is kept for ever: without it the store is broken. */
const compileVersion = (customizer: Option.Option<CustomizerRecord>): CompiledDefinition => {
  const text = Option.getOrThrow(customizer).definition
  if (text === null) throw new Error("A published customizer has no definition")
  return compile(JSON.parse(text) as Definition)
}
