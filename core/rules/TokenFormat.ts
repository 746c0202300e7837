/**
 * The form of an API token (D18): `cmz_`, 32 random bytes in base62 (43 characters), and a checksum of six characters,
 * so that a typo, or a secret scanner, can tell a token from another text without asking the store.
 */

/** What every token begins with (§5). */
export const prefix = "cmz_"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const shape = /^cmz_[0-9A-Za-z]{49}$/

/** Makes a token from 32 random bytes. */
export const fromBytes = (bytes: Uint8Array): string => {
  const body = prefix + base62(bytes, 43)
  return body + checksum(body)
}

/** Whether a text has the form of a token, its checksum included. */
export const isWellFormed = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)

/** Bytes as a number in base62, padded to a width. */
export const base62 = (bytes: Uint8Array, width: number): string => {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  let text = ""
  while (number > 0n) {
    text = alphabet[Number(number % 62n)] + text
    number /= 62n
  }
  return text.padStart(width, "0")
}

const checksum = (text: string): string => {
  const sum = crc32(text)
  return base62(Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum), 6)
}

/** CRC-32 (IEEE 802.3) of ASCII text. */
const crc32 = (text: string): number => {
  let sum = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    sum ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}
