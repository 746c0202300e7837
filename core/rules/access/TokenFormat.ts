/**
 * Format of an API token (D18): `cmz_`, 32 random bytes in base62 (43 characters), and a six-character checksum, so
 * that typos and secret scanners can be checked without asking the store.
 */

import { base62 } from "../../model/Base62.ts"

/** Prefix of every token (§5). */
const prefix = "cmz_"

const shape = /^cmz_[0-9A-Za-z]{49}$/

/** Makes a token from 32 random bytes. */
export const fromBytes = (bytes: Uint8Array): string => {
  const body = prefix + base62(bytes, 43)
  return body + checksum(body)
}

/** Whether a text has the form of a token, checksum included. */
export const isWellFormed = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)

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
