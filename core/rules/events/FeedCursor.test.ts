import { describe, expect, it } from "@effect/vitest"
import * as FeedCursor from "./FeedCursor.ts"

const hash = new Uint8Array(32).map((_, index) => 0xf8 + index)

const parts = { nonce: hash.subarray(0, 12), sealed: new Uint8Array(36).map((_, index) => index * 7) }

describe("FeedCursor (D39)", () => {
  it("MUST consist of a nonce and the encrypted position", () => {
    const cursor = FeedCursor.join(parts)
    expect(cursor).toMatch(/^e2\.-Pn6-_z9_v8AAQID[\w-]{48}$/)
    expect(FeedCursor.split(cursor)).toEqual(parts)
    expect(FeedCursor.nonceOf(hash)).toEqual(parts.nonce)
    const longest = { ...parts, sealed: new Uint8Array(80) }
    expect(FeedCursor.split(FeedCursor.join(longest))).toEqual(longest)
  })

  it("MUST be bound to the shop and the position, each on its own line", () => {
    expect(FeedCursor.boundTo("shop-1")).toBe("designwire feed 2\nshop-1")
    expect(FeedCursor.nonceInput("shop-1", "42")).toBe("designwire feed 2\nshop-1\n42")
  })

  it("MUST have one length for all numbers that a store counts, and keep longer positions whole", () => {
    for (const position of ["0", "42", String(2n ** 63n - 1n), "9".repeat(64), "aZ9"]) {
      expect(FeedCursor.padded(position)).toHaveLength(Math.max(20, position.length))
      expect(FeedCursor.unpadded(FeedCursor.padded(position))).toBe(position)
    }
  })

  const text = FeedCursor.join(parts)

  it.each([
    "",
    "42",
    "e2.",
    "e1.42.-Pn6-_z9_v8A",
    text.replace("e2", "e3"),
    text.slice(1),
    text.slice(0, -1),
    `e2.${"A".repeat(63)}`,
    `e2.${"A".repeat(124)}`,
    `${text}=`,
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    text.replace("-", "+"),
    // The last character of 66 holds 4 bits that count and 2 that don't.
    `e2.${"A".repeat(65)}B`,
  ])("MUST NOT be %j", (text) => {
    expect(FeedCursor.split(text)).toBe(undefined)
  })
})

describe("The earlier form of a feed's cursor (D39)", () => {
  const { checked, join, positionOf } = FeedCursor.earlier

  it("MUST consist of a position and the first nine bytes of the hash, and return the position", () => {
    expect(join("42", hash)).toBe("e1.42.-Pn6-_z9_v8A")
    expect(positionOf(join("42", hash))).toBe("42")
    expect(positionOf(join("0", hash))).toBe("0")
    expect(positionOf(join(String(2n ** 63n - 1n), hash))).toBe(String(2n ** 63n - 1n))
  })

  it("MUST be checked over the shop and the position, each on its own line", () => {
    expect(checked("shop-1", "42")).toBe("designwire feed 1\nshop-1\n42")
  })

  it.each([
    ...["", "42", "e1.42", "e2.42.-Pn6-_z9_v8A", "e1..-Pn6-_z9_v8A", `e1.${"9".repeat(20)}.-Pn6-_z9_v8A`],
    ...["e1.42.-Pn6-_z9_v8", "e1.42.-Pn6-_z9_v8AA", "e1.42.+Pn6+/z9/v8A", " e1.42.-Pn6-_z9_v8A"],
    ...["e1.42.-Pn6-_z9_v8A ", "e1.-1.-Pn6-_z9_v8A", "e1.042.-Pn6-_z9_v8A", "e1.abc.-Pn6-_z9_v8A"],
    ...["e1.1e3.-Pn6-_z9_v8A", "e1.NaN.-Pn6-_z9_v8A", "e1.0b1.-Pn6-_z9_v8A", "e1.0x1.-Pn6-_z9_v8A"],
  ])("MUST NOT be %j", (text) => {
    expect(positionOf(text)).toBe(undefined)
  })
})
