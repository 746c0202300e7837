/**
 * The form of the feed's `nextCursor` (D39): opaque to callers, `e2.` and the base64url of a nonce and the encrypted
 * position. AES-256-GCM encrypts it, bound to {@link boundTo}, so that a cursor that was altered or comes from another
 * shop is recognized. A position counts the events of all shops of a store: encrypted, it reveals nothing about them.
 *
 * The nonce is the beginning of the MAC of {@link nonceInput}: equal positions have equal cursors, and so equal pages
 * have equal tags (D17).
 */
import { Result } from "effect"
import { Base64Url } from "effect/encoding"

const nonceLength = 12

/** Between 20 and 64 characters of text, and 28 bytes of nonce and authentication tag. */
const shape = /^e2\.([A-Za-z0-9_-]{64,123})$/

/** Positions of up to this length have cursors of one length, which thus does not reveal how large the number is. */
const usualLength = 20

/** The text that a cursor is bound to. */
export const boundTo = (shop: string): string => `designwire feed 2\n${shop}`

/** The text whose MAC begins with the nonce. */
export const nonceInput = (shop: string, position: string): string => `${boundTo(shop)}\n${position}`

/** The nonce that a MAC begins with. */
export const nonceOf = (mac: Uint8Array): Uint8Array => mac.subarray(0, nonceLength)

/** The text to encrypt. */
export const padded = (position: string): string => position.padStart(usualLength)

/** The position in a decrypted text. */
export const unpadded = (text: string): string => text.trimStart()

/** A cursor's parts. */
export interface Parts {
  readonly nonce: Uint8Array
  /** The encrypted position and the authentication tag. */
  readonly sealed: Uint8Array
}

/** Puts the parts of a cursor together. */
export const join = ({ nonce, sealed }: Parts): string =>
  `e2.${Base64Url.encode(Uint8Array.from([...nonce, ...sealed]))}`

/** Splits a cursor into its parts; `undefined` if the text can't be a cursor. */
export const split = (text: string): Parts | undefined => {
  const bytes = decoded(shape.exec(text)?.[1])
  return bytes && { nonce: bytes.subarray(0, nonceLength), sealed: bytes.subarray(nonceLength) }
}

/** Bytes of base64url. Base64 leaves bits unused: only the text that we would write counts. */
const decoded = (text: string | undefined): Uint8Array | undefined => {
  const bytes = text === undefined ? undefined : Result.getOrUndefined(Base64Url.decode(text))
  return bytes !== undefined && Base64Url.encode(bytes) === text ? bytes : undefined
}

const earlierShape = /^e1\.(0|[1-9][0-9]{0,18})\.[A-Za-z0-9_-]{12}$/

/**
 * The form of cursors before they were encrypted, `e1.<position>.<check>`. Clients may still keep one, so it is read,
 * but no longer made. Its check, the beginning of the SHA-256 of {@link checked}, has no key, so anybody can make one:
 * only numbers that a store can have returned are accepted.
 */
export const earlier = {
  /** The text that the check covers. */
  checked: (shop: string, position: string): string => `designwire feed 1\n${shop}\n${position}`,

  /** Puts a position and the SHA-256 of the checked text together. */
  join: (position: string, hash: Uint8Array): string => `e1.${position}.${Base64Url.encode(hash.subarray(0, 9))}`,

  /** The position in a cursor, or `undefined` if the text can't be a cursor. */
  positionOf: (text: string): string | undefined => earlierShape.exec(text)?.[1],
}
