/** The content of a platform's event, in the same words for every platform. */
import { Result, Schema, SchemaIssue } from "effect"
import { ExternalId } from "../../model/Ids.ts"
import { DateTime, type Instant } from "../../model/Instant.ts"
import { isPlainObject, own } from "../../model/json/Json.ts"
import type { OrderInput } from "../../model/orders/Order.ts"

/** An order, as the use case of placing takes it, and what else is compared. */
export interface PlatformOrder extends OrderInput {
  readonly id: string
  readonly currency: string
  readonly modifiedAt: Instant
}

/**
 * - `Place`: an order with the lines that have a design, perhaps none;
 * - `Cancel`: an order was cancelled or deleted; `hasDesigns` is `null` if the event does not name its lines;
 * - `Redact`: the texts of a buyer of the shop with this domain must go, in some orders;
 * - `Disclose`: a buyer of that shop asks what is stored in some orders;
 * - `RemoveShop`: everything of the shop with this domain must go; `null` if the event does not name it;
 * - `Nothing`: it concerns no design;
 * - `Unreadable`: it does not have the form that its topic has.
 */
export type Reading =
  | { readonly _tag: "Place"; readonly order: PlatformOrder }
  | {
      readonly _tag: "Cancel"
      readonly orderId: string
      readonly modifiedAt: Instant | null
      readonly hasDesigns: boolean | null
    }
  | { readonly _tag: "Redact"; readonly domain: string; readonly orders: ReadonlyArray<string> }
  | { readonly _tag: "Disclose"; readonly domain: string; readonly orders: ReadonlyArray<string> }
  | { readonly _tag: "RemoveShop"; readonly domain: string | null }
  | { readonly _tag: "Nothing"; readonly reason: string }
  | { readonly _tag: "Unreadable"; readonly reason: string }

/** An id of a platform: a number, or a text (D9). A number above 2^53 − 1 was not read exactly. */
export const PlatformId = Schema.Union([ExternalId, Schema.Int])

/** A line of an order, with its id and the values of its properties. */
export const Line = { id: PlatformId, quantity: Schema.optional(Schema.Unknown) }

/** Text that is a date-time, or `null`. */
export const OptionalDateTime = Schema.optional(Schema.NullOr(DateTime))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The most elements of a list that is read: an order of Shopify has up to 500 lines. */
const mostElements = 100_000

/**
 * A reader of a payload, of which unknown fields are ignored, except those that payloads of this kind never have: they
 * show that it is one of another topic, which is in a header that nobody has signed. It fails with the first problem.
 */
export const shapeReader = <A, I>(
  schema: Schema.Codec<A, I>,
  isForeign: (key: string) => boolean = () => false,
): ((json: unknown) => Result.Result<A, string>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (json) => {
    const fields = isPlainObject(json) ? Object.entries(json) : []
    const foreign = fields.find(([key]) => isForeign(key))
    if (foreign !== undefined) return Result.fail(`${foreign[0]}: the body is not one of this topic`)
    const long = fields.find(([, value]) => Array.isArray(value) && value.length > mostElements)
    if (long !== undefined) return Result.fail(`${long[0]}: more than ${mostElements} elements`)
    return Result.mapError(decode(json), ({ issue }) => {
      const [first] = format(issue).issues
      const path = (first?.path ?? []).map((key) => (typeof key === "object" ? key.key : key))
      const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("")
      return `${place === "" ? "The body" : place.replace(/^\./, "")}: ${first?.message ?? "not readable"}`
    })
  }
}

/** Text for which a condition holds; otherwise the problem says what it is not. */
export const textThat = (holds: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter((text: string) => holds(text) || expected))

/**
 * The design of a line, by the name of the property: the value of the entry whose `key` field is that name. A value
 * names none unless it is a number or a text that is not empty.
 */
export const designOf = (entries: unknown, key: "name" | "key", property: string): string | undefined => {
  if (!Array.isArray(entries)) return undefined
  const entry: unknown = entries.find((each) => isPlainObject(each) && own(each, key) === property)
  const value = isPlainObject(entry) ? own(entry, "value") : undefined
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

/**
 * The lines with a design. Lines of no pieces were removed from the order. If several lines have one design, e.g.
 * because a discount split them, the first one counts.
 */
export const designLines = <L extends { readonly id: string | number }>(
  lines: ReadonlyArray<L>,
  of: (line: L) => { readonly designId: string | undefined; readonly quantity: unknown },
): OrderInput["lines"] => {
  const byDesign = new Map<string, { readonly designId: string; readonly lineItemId: string }>()
  for (const line of lines) {
    const { designId, quantity } = of(line)
    if (designId === undefined || quantity === 0 || byDesign.has(designId)) continue
    byDesign.set(designId, { designId, lineItemId: String(line.id) })
  }
  return [...byDesign.values()]
}

/** The reading of an order that is placed, or was cancelled. `hasDesigns`: on any line, removed ones included. */
export const orderReading = (
  order: PlatformOrder,
  { hasDesigns, isCancelled }: { readonly hasDesigns: boolean; readonly isCancelled: boolean },
): Reading =>
  isCancelled
    ? { _tag: "Cancel", orderId: order.id, modifiedAt: order.modifiedAt, hasDesigns }
    : { _tag: "Place", order }

/** The reading of a payload by a function of its shape. */
export const readingOf = <A>(shape: Result.Result<A, string>, of: (payload: A) => Reading): Reading =>
  Result.match(shape, { onFailure: (reason) => ({ _tag: "Unreadable", reason }), onSuccess: of })
