import { Schema } from "effect"
import { VariantId } from "./Definition.ts"
import { CustomizerId, DesignId, LineItemId, OrderId } from "./Ids.ts"
import { DateTime, type Instant, Timestamp } from "./Instant.ts"
import { replaceMembers } from "./JsonText.ts"
import { NonNegativeCents } from "./Money.ts"

/** `draft` (saved, never ordered), `ordered` or `cancelled` (§3). */
export const DesignStatus = Schema.Literals(["draft", "ordered", "cancelled"])
export type DesignStatus = typeof DesignStatus.Type

const Selection = Schema.Record(Schema.String, Schema.Unknown)

/** A buyer's raw choices, keyed by question id (§2.1). */
export type Selection = typeof Selection.Type

const SummaryEntry = Schema.Struct({
  key: Schema.String,
  value: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
}).annotate({ identifier: "SummaryEntry" })

/** An answered question in the shopper's words (§2.1). */
export type SummaryEntry = typeof SummaryEntry.Type

const ProductionEntry = Schema.Union([
  Schema.Struct({
    key: Schema.String,
    value: Schema.String,
    ref: Schema.optionalKey(Schema.Struct({ questionId: Schema.String, answerId: Schema.String })),
  }),
  Schema.Struct({
    key: Schema.String,
    values: Schema.Array(Schema.String),
    ref: Schema.optionalKey(Schema.Struct({ questionId: Schema.String, answerIds: Schema.Array(Schema.String) })),
  }),
]).annotate({ identifier: "ProductionEntry" })

/** An answered question in production codes (§2.1). */
export type ProductionEntry = typeof ProductionEntry.Type

const PriceLine = Schema.Struct({
  q: Schema.String,
  a: Schema.String,
  amount: Schema.Int,
  variantId: VariantId,
}).annotate({ identifier: "PriceLine" })

/** The price of one chosen answer, in cents (§2.1). */
export type PriceLine = typeof PriceLine.Type

const Price = Schema.Struct({
  base: Schema.Int,
  lines: Schema.Array(PriceLine),
  rounding: Schema.Int,
  total: Schema.Int,
  currency: Schema.String,
}).annotate({ identifier: "Price" })

/** `total` = `base` + the lines + `rounding`, in cents, never below 0 (§2.1). */
export type Price = typeof Price.Type

const OrderReference = Schema.Struct({ id: OrderId, name: Schema.String, lineItemId: LineItemId }).annotate({
  identifier: "OrderReference",
})

/** A configuration of a product (§2.1). The fields stand in the order in which they are written. */
export const Design = Schema.Struct({
  id: DesignId,
  status: DesignStatus,
  customizer: Schema.Struct({ id: CustomizerId, title: Schema.String, version: Schema.Int }),
  order: Schema.NullOr(OrderReference),
  selection: Selection,
  summary: Schema.Array(SummaryEntry),
  productionData: Schema.Array(ProductionEntry),
  price: Price,
  images: Schema.Record(Schema.String, Schema.String),
  thumbnail: Schema.String,
  createdAt: Timestamp,
  orderedAt: Schema.NullOr(Timestamp),
}).annotate({ identifier: "Design" })
export type Design = typeof Design.Type

/** The input of saving a design: raw choices, and the price of the product before them, in cents. */
export const DesignInput = Schema.Struct({
  customizerId: CustomizerId,
  /** Values by question id; judged by `rules/Evaluation`. */
  selection: Schema.Unknown,
  basePrice: NonNegativeCents,
  /** When the buyer made it. Default: the time in the saved draft, otherwise now. */
  createdAt: Schema.optionalKey(DateTime),
})
export type DesignInput = Omit<typeof DesignInput.Type, "selection"> & { readonly selection: Selection }

/**
 * A design as it is kept: its wire form (§2.1, D10) as text, made once when it is saved or changes state,
 * beside what stores need to find it.
 */
export interface DesignRecord {
  readonly shop: string
  readonly id: string
  readonly status: DesignStatus
  /** The order that holds it, once there is one. */
  readonly orderId: string | null
  /** Its position in its order, from 0; 0 for a draft. */
  readonly position: number
  readonly createdAt: Instant
  readonly wire: string
  /** Names these bytes: equal tags mean equal `wire` (D17). */
  readonly etag: string
  /** Counts changes from 1; a commit names the revision that it replaces. */
  readonly revision: number
}

/**
 * The wire form, fields in the order of §2.1 (D10), images in the order of the definition's views (D7). `images` alone
 * does not keep that order: JavaScript puts a view named `"10"` before one named `"front"`.
 */
export const wire = (design: Design, views: ReadonlyArray<string>): string => {
  const { createdAt, customizer, id, images, order, orderedAt, price, productionData, selection } = design
  const { status, summary, thumbnail } = design
  const before = JSON.stringify({ id, status, customizer, order, selection, summary, productionData, price })
  const after = JSON.stringify({ thumbnail, createdAt, orderedAt })
  const names = new Set([...views.filter((view) => Object.hasOwn(images, view)), ...Object.keys(images)])
  const members = [...names].map((name) => `${JSON.stringify(name)}:${JSON.stringify(images[name])}`)
  return `${before.slice(0, -1)},"images":{${members.join(",")}},${after.slice(1)}`
}

/** A kept wire form with these fields changed. The others stay as they are, to the byte. */
export const changeWire = (text: string, fields: Partial<Design>): string =>
  replaceMembers(text, new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])))

/**
 * The design that a kept wire form stands for. Its `images` may be in another order: write changes with {@link
 * changeWire}.
 */
export const fromWire = (text: string): Design => JSON.parse(text) as Design
