import { crc32 } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { fromBytes, isWellFormed } from "./TokenFormat.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base62 = (number: bigint, width: number): string =>
  number === 0n ? "0".repeat(width) : base62(number / 62n, width - 1) + alphabet[Number(number % 62n)]

const samples = [
  new Uint8Array(32),
  new Uint8Array(32).fill(255),
  new Uint8Array(32).map((_, index) => index),
  new Uint8Array(32).map((_, index) => (index === 0 ? 0 : 255 - index)),
]

describe("TokenFormat (§5, D18)", () => {
  it("MUST be cmz_, the 32 bytes in base62, and the CRC-32 of all that in base62 (§5-1, D9)", () => {
    for (const bytes of samples) {
      const number = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
      const body = `cmz_${base62(number, 43)}`
      expect(fromBytes(bytes)).toBe(body + base62(BigInt(crc32(body)), 6))
      expect(fromBytes(bytes)).toHaveLength(53)
    }
  })

  it("MUST differ from text with any single character changed, or with two characters swapped", () => {
    for (const token of samples.slice(2).map(fromBytes)) {
      expect(isWellFormed(token)).toBe(true)
      for (let at = 0; at < token.length; at++) {
        for (const other of ["0", "1", "A", "z", "-", " "]) {
          if (token[at] === other) continue
          const typo = token.slice(0, at) + other + token.slice(at + 1)
          expect([typo, isWellFormed(typo)]).toEqual([typo, false])
        }
        const [left, right] = [token[at], token[at + 1]]
        if (right === undefined || left === right) continue
        const swapped = token.slice(0, at) + right + left + token.slice(at + 2)
        expect([swapped, isWellFormed(swapped)]).toEqual([swapped, false])
      }
      for (const not of [
        "",
        token.slice(4),
        token.slice(0, -1),
        `${token}0`,
        ` ${token}`,
        `${token}\n`,
        token.toUpperCase(),
        token.replace("cmz_", "CMZ_"),
      ]) {
        expect([not, isWellFormed(not)]).toEqual([not, false])
      }
    }
  })
})
