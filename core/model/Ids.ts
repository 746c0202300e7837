/**
 * Identifiers (D9). They are plain strings and numbers, so that an embedder passes its own without wrapping;
 * the schemas here are applied once, when input enters the core.
 */
import { Schema } from "effect"
import { codePointLength } from "./Text.ts"

const control = /\p{Cc}/u

const isExternalId = Schema.makeFilter(
  (text: string) => text.isWellFormed() && !control.test(text) && codePointLength(text) <= 255 && text.length > 0,
  {
    expected: "a string of 1 to 255 characters, none of them a control character",
    // Without its own part of the JSON Schema, the check would hide the descriptions of fields.
    toJsonSchema: () => ({}),
  },
)

/** An id that others have given: any 1 to 255 characters, none of them a control character. */
export const ExternalId = Schema.String.check(isExternalId)

/**
 * Orders ids by Unicode code point, as every store must (`COLLATE "C"` in Postgres).
 *
 * JavaScript's own `<` compares UTF-16 units and puts astral characters before U+E000.
 */
export const compareIds = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return unitRank(a) - unitRank(b)
  }
  return left.length - right.length
}

/** Moves surrogates above every other code unit. */
const unitRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** A shop's id: `[a-z0-9][a-z0-9-]{0,62}`. */
export const ShopId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/, {
    expected: "1 to 63 lower-case letters, digits and hyphens, not starting with a hyphen, e.g. acme",
  }),
)
export type ShopId = typeof ShopId.Type

/** A design's id: the caller's own, any 1 to 255 characters without control characters, or generated (`dsn_…`). */
export const DesignId = Schema.String.check(isExternalId)
export type DesignId = typeof DesignId.Type

/** The platform's id of an order: any 1 to 255 characters without control characters. */
export const OrderId = Schema.String.check(isExternalId)
export type OrderId = typeof OrderId.Type

/** The platform's id of a line of an order: as {@link OrderId}. */
export const LineItemId = Schema.String.check(isExternalId)

/** A customizer's id: a positive integer up to 2^53 − 1. */
export const CustomizerId = Schema.Finite.check(
  Schema.makeFilter((id) => Number.isSafeInteger(id) && id > 0, {
    expected: "a positive integer up to 2^53 − 1, e.g. 101",
    toJsonSchema: () => ({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
)
export type CustomizerId = typeof CustomizerId.Type

const decimal = /^[1-9][0-9]{0,15}$/

/**
 * The customizer's id that a text spells in plain decimal digits, as paths hold it (D15); `undefined` for any other
 * text.
 */
export const customizerIdOf = (text: string): CustomizerId | undefined => {
  const id = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

/** Whether every JSON text that has a design's id has it in these characters: none of them may be written otherwise. */
export const hasOneForm = (id: string): boolean => oneForm.test(id)
const oneForm = /^[A-Za-z0-9_.:-]+$/
