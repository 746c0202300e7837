/**
 * The form of a webhook's secret, timestamp and signatures (§5, D20, D41), and when a receiver accepts them. The HMAC-SHA256 itself is a service's
 * work: over the UTF-8 bytes of {@link signedText}, with {@link keyBytes} as its key; for Standard Webhooks over those of {@link standardSignedText}, with
 * {@link standardKeyBytes}.
 */
import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"
import type { Instant } from "../model/Instant.ts"

/** What every signing secret begins with (§5). */
const prefix = "whsec_"

/** A receiver rejects a timestamp that is further away than this, in seconds, in either direction (§8). */
const tolerance = 300

const utf8 = new TextEncoder()

/** Makes a signing secret from 32 random bytes (D20). */
export const secretFromBytes = (bytes: Uint8Array): string => prefix + Base64.encode(bytes)

/** The HMAC key of a secret: the bytes of the whole text, prefix included (D20). */
export const keyBytes = (secret: string): Uint8Array => utf8.encode(secret)

/** The HMAC key of a secret by Standard Webhooks: the bytes that it is the base64 of, without the prefix (D41). Throws for what {@link secretFromBytes} did not make. */
export const standardKeyBytes = (secret: string): Uint8Array =>
  Result.getOrThrow(Base64.decode(secret.slice(prefix.length)))

/** The text that a signature of Standard Webhooks is of: `{event id}.{timestamp}.{raw body}` (D41). */
export const standardSignedText = (eventId: string, timestamp: string, body: string): string =>
  `${eventId}.${signedText(timestamp, body)}`

/** One signature of `webhook-signature`, of a MAC (32 bytes): `v1,` and base64 (D41). The header has one for each secret, with a space between. */
export const standardSignatureOf = (mac: Uint8Array): string => `v1,${Base64.encode(mac)}`

/** The `X-Service-Timestamp` of an attempt: Unix time in whole seconds. */
export const timestampOf = (now: Instant): string => String(Math.floor(now / 1000))

/** The text that is signed: `{timestamp}.{raw body}` (§5). */
export const signedText = (timestamp: string, body: string): string => `${timestamp}.${body}`

/** The `X-Service-Signature` of a MAC (32 bytes): lower-case hex. */
export const signatureOf = (mac: Uint8Array): string => Hex.encode(mac)

const timestampShape = /^(0|[1-9][0-9]{0,14})$/

const signatureShape = /^[0-9a-f]{64}$/

/** Reads a timestamp as {@link timestampOf} writes it, in seconds; `undefined` for any other text. */
export const parseTimestamp = (text: string): number | undefined =>
  timestampShape.test(text) ? Number(text) : undefined

/** Whether a timestamp in seconds is at most 300 seconds away from now, before or after (§5). */
export const isFresh = (timestamp: number, now: Instant): boolean =>
  Math.abs(now - timestamp * 1000) <= tolerance * 1000

/**
 * Whether a receiver accepts these headers (§5): a fresh timestamp, and a signature that is `mac`, the MAC that it made itself over
 * that timestamp and the raw body. The comparison takes the same time wherever they differ.
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
