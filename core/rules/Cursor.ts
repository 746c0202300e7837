/**
 * The form of `nextCursor` (D14): opaque to callers, `2.<payload>.<mac>`. The payload is base64url of JSON: the end of
 * the page, and the page's filter. The MAC covers {@link signed}, which includes the shop, so that a cursor that was
 * altered or comes from another shop is recognized.
 */
import { Result } from "effect"
import { Base64Url } from "effect/encoding"
import { isInstant } from "../model/Instant.ts"
import type { Position } from "../model/Page.ts"

/** The content of a cursor. */
export interface Cursor {
  readonly after: Position
  /** The `orderedAfter` it was made with; `null` without one. */
  readonly orderedAfter: number | null
}

/** The version of this form, with which a cursor begins. */
const version = "2"

const shape = /^2\.([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/

/** The text that the MAC of a cursor covers. */
export const signed = (shop: string, payload: string): string => `designwire cursor ${version}\n${shop}\n${payload}`

/** The payload of a cursor. */
export const encode = (cursor: Cursor): string =>
  Base64Url.encode(JSON.stringify([cursor.after.orderedAt, cursor.after.id, cursor.orderedAfter]))

/** Puts a payload and its MAC (32 bytes) together. */
export const join = (payload: string, mac: Uint8Array): string => `${version}.${payload}.${Base64Url.encode(mac)}`

/** A cursor's parts. */
export interface Parts {
  readonly payload: string
  readonly mac: Uint8Array
}

/** Splits a cursor into its parts; `undefined` if the text can't be a cursor. */
export const split = (text: string): Parts | undefined => {
  const [, payload, end] = shape.exec(text) ?? []
  const mac = end === undefined ? undefined : Result.getOrUndefined(Base64Url.decode(end))
  // Base64 leaves bits unused: only the text that we would write is the cursor that we wrote.
  return mac === undefined || Base64Url.encode(mac) !== end ? undefined : { payload: payload as string, mac }
}

/** Reads a payload whose MAC is valid. */
export const decode = (payload: string): Cursor | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(payload))
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value) || value.length !== 3) return undefined
  const [orderedAt, id, orderedAfter] = value
  if (typeof orderedAt !== "number" || !isInstant(orderedAt) || typeof id !== "string") return undefined
  if (orderedAfter !== null && (typeof orderedAfter !== "number" || !isInstant(orderedAfter))) return undefined
  return { after: { orderedAt, id }, orderedAfter }
}
