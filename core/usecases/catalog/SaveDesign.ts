import { Clock, Context, Effect, Option } from "effect"
import {
  type Design,
  DesignInput,
  type DesignRecord,
  fromWire,
  type Selection,
  wire,
} from "../../model/catalog/Design.ts"
import { Conflict, DesignFrozen, NotFound, Refused, TooLarge } from "../../model/Errors.ts"
import { designData } from "../../model/events/Event.ts"
import { DesignId } from "../../model/Ids.ts"
import { reader, summary } from "../../model/Input.ts"
import { format, type Instant, parse } from "../../model/Instant.ts"
import { jsonSize, maximumDesign, maximumSelection } from "../../model/json/JsonSize.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { utf8Length } from "../../model/Text.ts"
import { WireForm } from "../../model/WireForm.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as DesignState from "../../rules/catalog/DesignState.ts"
import { evaluate } from "../../rules/catalog/Evaluation.ts"
import {
  type ImageUrlsOf,
  imageUrls,
  imageUrlsProblem,
  keepGiven,
  type ImageUrls as Urls,
} from "../../rules/catalog/ImageUrls.ts"
import { compiledDefinition, viewsOf } from "../../support/CompiledDefinition.ts"
import { etagOf } from "../../support/Etag.ts"
import { newId } from "../../support/NewId.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { newEvent } from "../../support/Tracing.ts"

/** The addresses of a design's pictures; an embedder may provide its own (D7). */
export const ImageUrls = Context.Reference<ImageUrlsOf>("designwire/ImageUrls", { defaultValue: () => imageUrls })

const read = reader(DesignInput)
const readId = reader(DesignId, "id")

/**
 * Saves a buyer's choices as a design, or saves a draft again (§3, D4). The id is the caller's, or a generated one if
 * it is `undefined`. The choices are evaluated with the customizer's published version, and the design keeps that
 * version (D5).
 *
 * Returns the stored design, and whether it is new. Fails with
 *
 * - `NotFound` for an unknown shop or customizer, and `InvalidInput`;
 * - `TooLarge` for a selection above 64 KiB (D38) or a design above 256 KiB of wire form (D46);
 * - `Refused` with the problems of the selection;
 * - `DesignFrozen` if the design is ordered or cancelled;
 * - `Conflict` if the customizer was never published, or if the caller's transaction lost a race with another change.
 */
export const saveDesign = Effect.fn("SaveDesign.save")(
  function* (shopId: string, id: string | undefined, input: DesignInput) {
    const shop = yield* shopOf(shopId)
    const designId = id === undefined ? yield* newId("dsn_") : yield* Effect.fromResult(readId(id))
    const chosen = yield* chosenDesign(shop, input, publishedCustomizer)
    const now = yield* Clock.currentTimeMillis

    const orders = yield* OrderStore
    const [existing] = yield* orders.designs(shop.id, [designId])
    const { design, events } = yield* designAfter(shop, designId, { chosen, existing, now })
    yield* orders.commit({ shop: shop.id, designs: [design], order: null, events })
    return { design: new WireForm<Design>(design.wire, design.etag), created: existing === undefined }
  },
  (effect) => retryStale(effect),
)

/** A buyer's choices after they were checked and priced, with a published version of a customizer. */
type Chosen = Effect.Success<ReturnType<typeof chosenDesign>>

/**
 * The choices of an input, with the version that `find` finds of its customizer. Needs no stored design. Fails as
 * {@link saveDesign} does.
 */
export const chosenDesign = Effect.fnUntraced(function* (
  shop: Shop,
  input: DesignInput,
  find: typeof publishedCustomizer,
) {
  const { basePrice, createdAt, customizerId, selection } = yield* Effect.fromResult(read(input))
  if (jsonSize(selection, maximumSelection) > maximumSelection) {
    return yield* new TooLarge({ message: "A selection may have at most 64 KiB of JSON" })
  }
  const published = yield* find(shop, customizerId)
  const customizer = { id: published.id, title: published.title, version: published.version }
  const definition = yield* compiledDefinition(shop.id, published)
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
  return { customizer, definition, selection: selection as Selection, createdAt, evaluated }
})

/**
 * A design after it was saved with these choices, and the events of the change. `existing` is the design before. Fails
 * as {@link saveDesign} does.
 */
export const designAfter = Effect.fnUntraced(function* (
  shop: Shop,
  designId: string,
  save: { readonly chosen: Chosen; readonly existing: DesignRecord | undefined; readonly now: Instant },
) {
  const { chosen, existing, now } = save
  const { createdAt, customizer, definition, evaluated, selection } = chosen
  const status = DesignState.next(existing?.status ?? null, "save")
  if (status === undefined) {
    return yield* new DesignFrozen({
      message: `The design ${JSON.stringify(designId)} is ${existing?.status} and can't be saved again`,
    })
  }
  const made = (yield* ImageUrls)(shop, designId, definition.views)
  const wrong = imageUrlsProblem(made, designId)
  if (wrong !== undefined) return yield* Effect.die(new Error(wrong))
  const urls = existing === undefined ? made : yield* givenUrls(existing, made, customizer, definition.views[0])
  // A draft that is saved again without a time keeps its time.
  const created: Instant = (createdAt === undefined ? existing?.createdAt : parse(createdAt)) ?? now
  const text = wire(
    {
      id: designId,
      status,
      customizer,
      order: null,
      selection,
      ...evaluated,
      ...urls,
      createdAt: format(created),
      orderedAt: null,
    },
    definition.views,
  )
  if (utf8Length(text) > maximumDesign) {
    return yield* new TooLarge({
      message: "A design may have at most 256 KiB of JSON, what its answers add included",
    })
  }
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
    ? [
        yield* newEvent(shop, {
          event: "design.created",
          data: designData(text),
          now,
          subject: { order: null, design: designId },
        }),
      ]
    : []
  return { design, events }
})

/** The addresses of a draft that is saved again with a version of a customizer whose first view is this one (D7). */
const givenUrls = Effect.fnUntraced(function* (
  existing: DesignRecord,
  made: Urls,
  customizer: { readonly id: number; readonly version: number },
  firstView: string | undefined,
) {
  const before = fromWire(existing.wire)
  const { id, version } = before.customizer
  const sameVersion = id === customizer.id && version === customizer.version
  const sameFirstView = sameVersion || (yield* viewsOf(existing.shop, id, version))[0] === firstView
  return keepGiven(made, before, { sameFirstView })
})

/** The published version of a customizer. Fails with `NotFound`, or with `Conflict` if it was never published. */
export const publishedCustomizer = Effect.fnUntraced(function* (shop: Shop, id: number) {
  const found = yield* CustomizerStore.use((customizers) => customizers.summary(shop.id, id))
  if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no customizer ${id}` })
  const { digest, title, version } = found.value
  if (version === null) return yield* new Conflict({ message: `The customizer ${id} was never published` })
  return { id, title, version, digest }
})
