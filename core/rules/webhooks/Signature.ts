/**
 * Form of a webhook's secret, timestamp and signatures (§5, D20, D41), and when a receiver accepts them. A service
 * computes the HMAC-SHA256: of the UTF-8 bytes of {@link signedText} under {@link keyBytes}, or for Standard Webhooks
 * of {@link standardSignedText} under {@link standardKeyBytes}.
 */
import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"
import type { Instant } from "../../model/Instant.ts"

/** Prefix of every signing secret (§5). */
const prefix = "whsec_"

/** A receiver rejects timestamps that are more than this many seconds away, in either direction (§8). */
const tolerance = 300

const utf8 = new TextEncoder()

/** Makes a signing secret from 32 random bytes (D20). */
export const secretFromBytes = (bytes: Uint8Array): string => prefix + Base64.encode(bytes)

/** HMAC key of a secret: the bytes of the whole text, prefix included (D20). */
export const keyBytes = (secret: string): Uint8Array => utf8.encode(secret)

/**
 * HMAC key of a secret for Standard Webhooks: the decoded base64 after the prefix (D41). Throws for text that
 * {@link secretFromBytes} did not make.
 */
export const standardKeyBytes = (secret: string): Uint8Array =>
  Result.getOrThrow(Base64.decode(secret.slice(prefix.length)))

/** The text that Standard Webhooks signs: `{event id}.{timestamp}.{raw body}` (D41). */
export const standardSignedText = (eventId: string, timestamp: string, body: string): string =>
  `${eventId}.${signedText(timestamp, body)}`

/**
 * One signature of `webhook-signature` from a MAC (32 bytes): `v1,` and base64 (D41). The header has one signature per
 * secret, separated by spaces.
 */
export const standardSignatureOf = (mac: Uint8Array): string => `v1,${Base64.encode(mac)}`

/** The `X-Service-Timestamp` of an attempt: Unix time in whole seconds. */
export const timestampOf = (now: Instant): string => String(Math.floor(now / 1000))

/** The signed text: `{timestamp}.{raw body}` (§5). */
export const signedText = (timestamp: string, body: string): string => `${timestamp}.${body}`

/** The `X-Service-Signature` of a MAC (32 bytes): lower-case hex. */
export const signatureOf = (mac: Uint8Array): string => Hex.encode(mac)

const timestampShape = /^(0|[1-9][0-9]{0,14})$/

const signatureShape = /^[0-9a-f]{64}$/

/** Parses a timestamp as {@link timestampOf} formats it, in seconds; `undefined` for any other text. */
export const parseTimestamp = (text: string): number | undefined =>
  timestampShape.test(text) ? Number(text) : undefined

/** Whether a timestamp in seconds is at most 300 seconds away from now, in either direction (§5). */
export const isFresh = (timestamp: number, now: Instant): boolean =>
  Math.abs(now - timestamp * 1000) <= tolerance * 1000

/**
 * Whether a receiver accepts these headers (§5): a fresh timestamp, and a signature equal to `mac`, the MAC that the
 * receiver computed over that timestamp and the raw body. The comparison takes constant time.
 */
export const accepts = (
  headers: { readonly timestamp: string; readonly signature: string },
  mac: Uint8Array,
  now: Instant,
): boolean => {
  const timestamp = parseTimestamp(headers.timestamp)
  if (timestamp === undefined || !isFresh(timestamp, now) || !signatureShape.test(headers.signature)) return false
  const expected = signatureOf(mac)
  let difference = expected.length ^ headers.signature.length
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ headers.signature.charCodeAt(index)
  }
  return difference === 0
}
