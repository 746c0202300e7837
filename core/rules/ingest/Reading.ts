/** The content of a platform's event, in the same words for every platform. */
import { Result, Schema } from "effect"
import { DesignId, ExternalId } from "../../model/Ids.ts"
import { problemsIn } from "../../model/InputProblems.ts"
import { DateTime, type Instant } from "../../model/Instant.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { describe, isPlainObject, type Json, own, quote } from "../../model/json/Json.ts"

/** A line of an order that has the property, as its platform reports it. */
export interface ReportedLine {
  readonly lineItemId: string
  /** `null` if the property has a form that can't be read: see `problem`. */
  readonly designId: string | null
  /** The problem with the line, as a sentence; `null` if nothing is. */
  readonly problem: string | null
  /** The pieces to be made, those that were shipped included, also if they came back; 0: it is gone (D82). */
  readonly quantity: number
  /** All its pieces were shipped. */
  readonly isShipped: boolean
  /** Whether it is a thing that is shipped: an upcharge is none (D81). */
  readonly ships: boolean
}

/** The payment and the progress of an order, in the platform's own words. */
export type PlatformState =
  | {
      readonly platform: "shopify"
      readonly isTest: boolean
      readonly financial: string | null
      readonly gateways: ReadonlyArray<string>
      /** Payment terms were granted. */
      readonly hasTerms: boolean
      readonly isFulfilled: boolean
      readonly isArchived: boolean
    }
  | {
      readonly platform: "woocommerce"
      readonly status: string
      readonly isPaid: boolean
      readonly wasCompleted: boolean
    }

/** An order as its platform reports it. */
export interface PlatformOrder {
  readonly id: string
  readonly name: string
  /** RFC 3339. */
  readonly orderedAt: string
  readonly modifiedAt: Instant
  /** The order that it is a part of; `null` for a whole one. */
  readonly parentId: string | null
  readonly state: PlatformState
  /** The lines with the property. */
  readonly lines: ReadonlyArray<ReportedLine>
  /** The ids of all other lines; `null` if lines that are not there are not gone. */
  readonly otherLines: ReadonlyArray<string> | null
  /** What somebody has to look at, as a sentence; `null` if there is nothing. */
  readonly note: string | null
}

/**
 * - `Place`: an order with the lines that have a design, perhaps none; `isReopened` if the event says that it was
 *   deleted before;
 * - `Cancel`: an order was cancelled or deleted; `hasDesigns` is `null` if the event does not name its lines;
 * - `Redact`: the texts of a buyer of the shop with this domain must go, in some orders;
 * - `Disclose`: a buyer of that shop asks what is stored in some orders;
 * - `RemoveShop`: everything of the shop with this domain must go; `null` if the event does not name it;
 * - `Ended`: no more orders will come from the shop with one of these domains;
 * - `Missing`: the service itself has seen that the platform no longer has an order (D88);
 * - `Nothing`: it concerns no design;
 * - `Unreadable`: it does not have the form that its topic has.
 */
export type Reading =
  | { readonly _tag: "Place"; readonly order: PlatformOrder; readonly isReopened: boolean }
  | {
      readonly _tag: "Cancel"
      readonly orderId: string
      readonly modifiedAt: Instant | null
      readonly hasDesigns: boolean | null
    }
  | { readonly _tag: "Redact"; readonly domain: string; readonly orders: ReadonlyArray<string> }
  | { readonly _tag: "Disclose"; readonly domain: string; readonly orders: ReadonlyArray<string> }
  | { readonly _tag: "RemoveShop"; readonly domain: string | null }
  | { readonly _tag: "Ended"; readonly reason: string; readonly domains: ReadonlyArray<string> }
  | { readonly _tag: "Missing"; readonly orderId: string }
  | { readonly _tag: "Nothing"; readonly reason: string }
  | { readonly _tag: "Unreadable"; readonly reason: string }

/** An id of a platform: a number, or a text (D9). A number above 2^53 − 1 was not read exactly. */
export const PlatformId = Schema.Union([ExternalId, Schema.Int])

/** An id as text: `gid://shopify/Order/1027` and `1027` are one order. */
export const idText = (id: string | number): string => String(id).replace(/^gid:\/\/shopify\/[A-Za-z]+\//, "")

/** The topics of what the service itself has found at a platform: an order that it has, and one that is gone (D88). */
export const foundTopics: Readonly<Record<IngestSource, string>> = {
  shopify: "orders/found",
  woocommerce: "order.found",
}
export const missingTopics: Readonly<Record<IngestSource, string>> = {
  shopify: "orders/missing",
  woocommerce: "order.missing",
}

/** A line of an order, with its id and the values of its properties. */
export const Line = { id: PlatformId, quantity: Schema.optional(Schema.Unknown) }

/** Text that is a date-time, or `null`. */
export const OptionalDateTime = Schema.optional(Schema.NullOr(DateTime))

const missing = "missing: the platform must send webhooks with all their fields"

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
      // Its values may be texts of buyers, and the problem is kept.
      const [first] = problemsIn(issue, { schema, value: json, isPrivate: true })
      if (first === undefined) return "The body is not readable"
      return `${first.path === "" ? "The body" : first.path}: ${first.isMissing ? missing : first.message()}`
    })
  }
}

/** Text for which a condition holds; otherwise the problem says what it is not. */
export const textThat = (holds: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter(holds, { expected }))

/** The values of a line's property: of a list of entries, or of an object, of which PHP makes no difference. */
const valuesOf = (entries: unknown, key: "name" | "key", property: string): ReadonlyArray<unknown> => {
  const named = (entry: unknown): boolean => isPlainObject(entry) && own(entry, key) === property
  if (Array.isArray(entries)) return entries.filter(named).map((entry) => own(entry, "value"))
  if (!isPlainObject(entries)) return []
  return Object.entries(entries).flatMap(([name, value]) => {
    if (named(value)) return [own(value as Json, "value")]
    return name === property && !(isPlainObject(value) && Object.hasOwn(value, key)) ? [value] : []
  })
}

const isDesignId = Schema.is(DesignId)

/** The id of a design in a value of the property: a number, or a text, without the blanks around it. */
const designIn = (value: unknown): string | undefined => {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === "string" && isDesignId(text.trim()) ? text.trim() : undefined
}

/**
 * The design of a line, by the name of the property; `undefined` if the line does not have the property. A line has one
 * design: an empty value alongside it is none, another one is a problem (D81).
 */
export const designOf = (
  entries: unknown,
  key: "name" | "key",
  property: string,
): Pick<ReportedLine, "designId" | "problem"> | undefined => {
  const values = valuesOf(entries, key, property)
  if (values.length === 0) return undefined
  const designs = [...new Set(values.flatMap((value) => designIn(value) ?? []))]
  const [designId, other] = designs
  const name = quote(property)
  if (designId === undefined) return { designId: null, problem: `its property ${name} is ${describe(values[0])}` }
  return other === undefined
    ? { designId, problem: null }
    : { designId: null, problem: `its property ${name} names ${quote(designId)} and ${quote(other)}` }
}

/** A number of pieces; `undefined` if there is none, `NaN` if it is not a whole number. */
export const wholeOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const number = typeof value === "string" && /^\d{1,9}(\.0*)?$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : Number.NaN
}

/** A line with the property and its pieces. */
export const reportedLine = (
  design: Pick<ReportedLine, "designId" | "problem">,
  line: Pick<ReportedLine, "lineItemId" | "quantity" | "isShipped" | "ships">,
): ReportedLine =>
  Number.isNaN(line.quantity)
    ? { ...line, ...design, quantity: 1, problem: design.problem ?? "its quantity is not a whole number" }
    : { ...line, ...design }

const onlyId = shapeReader(Schema.Struct({ id: PlatformId }), (key) => key !== "id")

/** Reads that an order is gone. */
export const readMissing = (json: unknown): Reading =>
  readingOf(onlyId(json), ({ id }) => ({ _tag: "Missing", orderId: idText(id) }))

/** The reading of a payload by a function of its shape. */
export const readingOf = <A>(shape: Result.Result<A, string>, of: (payload: A) => Reading): Reading =>
  Result.match(shape, { onFailure: (reason) => ({ _tag: "Unreadable", reason }), onSuccess: of })
