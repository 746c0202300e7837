/**
 * The form of the feed's `nextCursor` (D39): opaque to callers, `e1.<position>.<check>`. The check covers {@link
 * checked}, which includes the shop, so that a cursor that was altered or comes from another shop is recognized. It
 * needs no key: a position reveals nothing that the shop's token does not, and a client may keep its cursor for longer
 * than keys are kept.
 */
import { Base64Url } from "effect/encoding"

const shape = /^e1\.([A-Za-z0-9]{1,64})\.[A-Za-z0-9_-]{12}$/

/** The text that the check covers: it is the beginning of the text's SHA-256. */
export const checked = (shop: string, position: string): string => `designwire feed 1\n${shop}\n${position}`

/** Puts a position and the SHA-256 of {@link checked} together. */
export const join = (position: string, hash: Uint8Array): string =>
  `e1.${position}.${Base64Url.encode(hash.subarray(0, 9))}`

/** The position in a cursor, or `undefined` if the text can't be a cursor. */
export const positionOf = (text: string): string | undefined => shape.exec(text)?.[1]
