import { Schema } from "effect"
import { CustomizerId, DesignId, LineItemId, OrderId } from "../Ids.ts"
import { DateTime, type Instant, Timestamp } from "../Instant.ts"
import { replaceMembers } from "../json/JsonText.ts"
import { means, noted } from "../Means.ts"
import { NonNegativeCents } from "../Money.ts"
import { VariantId } from "./Definition.ts"

/** `draft` (saved, never ordered), `ordered` or `cancelled` (§3). */
export const DesignStatus = Schema.Literals(["draft", "ordered", "cancelled"])
export type DesignStatus = typeof DesignStatus.Type

const Selection = Schema.Record(Schema.String, Schema.Unknown)

/** A buyer's raw choices, keyed by question id (§2.1). */
export type Selection = typeof Selection.Type

const SummaryEntry = Schema.Struct({
  key: means("The question's title", Schema.String),
  value: means(
    "The answer as the shopper reads it; a list for several",
    Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  ),
}).annotate({ identifier: "SummaryEntry" })

/** An answered question in the shopper's words (§2.1). */
export type SummaryEntry = typeof SummaryEntry.Type

const ProductionEntry = Schema.Union([
  Schema.Struct({
    key: means("The question's code for production", Schema.String),
    value: means("The answer's code for production, or the text that the buyer entered", Schema.String),
    ref: means(
      "The place of the code in the definition; missing without an answer to choose",
      Schema.optionalKey(
        Schema.Struct({
          questionId: means("The question's id", Schema.String),
          answerId: means("The chosen answer's id", Schema.String),
        }),
      ),
    ),
  }),
  Schema.Struct({
    key: means("The question's code for production", Schema.String),
    values: means("The answers' codes for production, if there may be several", Schema.Array(Schema.String)),
    ref: means(
      "The place of the codes in the definition; missing without an answer to choose",
      Schema.optionalKey(
        Schema.Struct({
          questionId: means("The question's id", Schema.String),
          answerIds: means("The chosen answers' ids", Schema.Array(Schema.String)),
        }),
      ),
    ),
  }),
]).annotate({ identifier: "ProductionEntry" })

/** An answered question in production codes (§2.1). */
export type ProductionEntry = typeof ProductionEntry.Type

const PriceLine = Schema.Struct({
  q: means("The question's id", Schema.String),
  a: means("The answer's id", Schema.String),
  amount: means("What the answer adds, in minor units; it may be negative", Schema.Int),
  variantId: means("The variant of the platform that stands for the answer, if there is one", VariantId),
}).annotate({ identifier: "PriceLine" })

/** The price of one chosen answer, in cents (§2.1). */
export type PriceLine = typeof PriceLine.Type

const Price = Schema.Struct({
  base: means("The price of the product before the choices, in minor units", Schema.Int),
  lines: means("What each chosen answer adds", Schema.Array(PriceLine)),
  rounding: means("What keeps the total from being below 0, in minor units", Schema.Int),
  total: means("The price: base, lines and rounding, in minor units", Schema.Int),
  currency: means("The currency's code (ISO 4217)", Schema.String),
}).annotate({ identifier: "Price", description: "The price of the design and how it is made up" })

/** `total` = `base` + the lines + `rounding`, in cents, never below 0 (§2.1). */
export type Price = typeof Price.Type

const OrderReference = Schema.Struct({
  id: means("The order's id on the platform", OrderId),
  name: means("The order's name, e.g. #1027", Schema.String),
  lineItemId: means("The id of the order's line that holds the design", LineItemId),
}).annotate({ identifier: "OrderReference" })

/** A configuration of a product (§2.1). The fields stand in the order in which they are written. */
export const Design = Schema.Struct({
  id: means("The design's id", DesignId),
  status: means("Whether the design is saved only, ordered, or its order was cancelled", DesignStatus),
  customizer: means(
    "The product that was configured, as it was when the design was saved",
    Schema.Struct({
      id: means("The customizer's id", CustomizerId),
      title: means("The customizer's title", Schema.String),
      version: means("The published version that the design was made with", Schema.Int),
    }),
  ),
  order: means("The order that holds the design; null until it is ordered", Schema.NullOr(OrderReference)),
  selection: means("The buyer's raw choices by question id", Selection),
  summary: means("The answers in the shopper's words, in the order of the questions", Schema.Array(SummaryEntry)),
  productionData: means(
    "The answers in production codes, in the order of the questions",
    Schema.Array(ProductionEntry),
  ),
  price: Price,
  images: means("The URL of a picture of each view, by the view's name", Schema.Record(Schema.String, Schema.String)),
  thumbnail: means("The URL of a small picture", Schema.String),
  createdAt: means("When the buyer made the design", Timestamp),
  orderedAt: means("When the design was ordered; null until it is", Schema.NullOr(Timestamp)),
}).annotate({ identifier: "Design", description: "A product as a buyer configured it" })
export type Design = typeof Design.Type

/** The input of saving a design: raw choices, and the price of the product before them, in cents. */
export const DesignInput = Schema.Struct({
  customizerId: noted("A published customizer of the shop.", CustomizerId),
  /** Values by question id; judged by `rules/Evaluation`. */
  selection: Schema.Unknown.annotate({ expected: "an object of question ids" }),
  basePrice: noted("The product's price before the choices, in cents.", NonNegativeCents),
  /** When the buyer made it. Default: the time in the saved draft, otherwise now. */
  createdAt: noted(
    "When the buyer made it (RFC 3339). Default: now, or what the saved draft says already.",
    Schema.optionalKey(DateTime),
  ),
})
export type DesignInput = Omit<typeof DesignInput.Type, "selection"> & { readonly selection: Selection }

/**
 * A design as it is kept: its wire form (§2.1, D10) as text, made once when it is saved or changes state,
 * alongside what stores need to find it.
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
 * The wire form, fields in the order of §2.1 (D10), images in the order of the definition's views (D7). `images` only
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
