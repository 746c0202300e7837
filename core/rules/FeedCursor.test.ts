import { describe, expect, it } from "@effect/vitest"
import * as FeedCursor from "./FeedCursor.ts"

const hash = new Uint8Array(32).map((_, index) => 0xf8 + index)

describe("FeedCursor (D39)", () => {
  it("MUST consist of a position and the first nine bytes of the hash, and return the position", () => {
    const cursor = FeedCursor.join("7Zz0", hash)
    expect(cursor).toBe("e1.7Zz0.-Pn6-_z9_v8A")
    expect(FeedCursor.positionOf(cursor)).toBe("7Zz0")
    expect(FeedCursor.positionOf(FeedCursor.join("9".repeat(64), hash))).toBe("9".repeat(64))
  })

  it("MUST be checked over the shop and the position, each on its own line", () => {
    expect(FeedCursor.checked("shop-1", "42")).toBe("designwire feed 1\nshop-1\n42")
  })

  it.each([
    "",
    "42",
    "e1.42",
    "e2.42.-Pn6-_z9_v8A",
    "e1..-Pn6-_z9_v8A",
    `e1.${"9".repeat(65)}.-Pn6-_z9_v8A`,
    "e1.-1.-Pn6-_z9_v8A",
    "e1.42.-Pn6-_z9_v8",
    "e1.42.-Pn6-_z9_v8AA",
    "e1.42.+Pn6+/z9/v8A",
    " e1.42.-Pn6-_z9_v8A",
    "e1.42.-Pn6-_z9_v8A ",
  ])("MUST NOT be %j", (text) => {
    expect(FeedCursor.positionOf(text)).toBe(undefined)
  })
})
