import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { hostileIds } from "../../conformance/suites/storage/support/Fixtures.ts"
import { CustomizerId, compareIds, DesignId, LineItemId, OrderId, ShopId } from "./Ids.ts"
import { codePointLength } from "./Text.ts"

describe("Ids of the caller's own (D9)", () => {
  const controls = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, index) => 0x7f + index)]

  it.each([
    ["DesignId", DesignId],
    ["OrderId", OrderId],
    ["LineItemId", LineItemId],
  ])("MUST be any 1 to 255 characters without control characters: %s", (_, schema) => {
    const is = Schema.is(schema)
    for (const id of hostileIds) expect([id, is(id)]).toEqual([id, true])
    for (const code of controls) expect([code, is(`a${String.fromCharCode(code)}b`)]).toEqual([code, false])
    for (const not of [
      "",
      "a".repeat(256),
      "😀".repeat(256),
      "\ud800",
      "a\udc00",
      "\udc00\ud800",
      1,
      null,
      undefined,
      ["a"],
    ]) {
      expect([not, is(not)]).toEqual([not, false])
    }
  })
})

describe("ShopId (D9)", () => {
  it("MUST match [a-z0-9][a-z0-9-]{0,62}", () => {
    const is = Schema.is(ShopId)
    for (const id of ["a", "0", "a-", "a--b", "0".repeat(63)]) expect([id, is(id)]).toEqual([id, true])
    for (const id of ["", "-a", "A", "a_b", "a.b", "ä", "a ", "a\n", "0".repeat(64), 1, null]) {
      expect([id, is(id)]).toEqual([id, false])
    }
  })
})

describe("CustomizerId (D15)", () => {
  it("MUST be a positive safe integer", () => {
    const is = Schema.is(CustomizerId)
    for (const id of [1, 101, Number.MAX_SAFE_INTEGER]) expect([id, is(id)]).toEqual([id, true])
    for (const id of [
      0,
      -0,
      -1,
      1.5,
      Number.MAX_SAFE_INTEGER + 1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "1",
      1n,
      null,
    ]) {
      expect([id, is(id)]).toEqual([id, false])
    }
  })
})

describe("compareIds (D14)", () => {
  it("MUST order by code point, as UTF-8 bytes are ordered, whatever the ids", () => {
    for (const left of hostileIds) {
      for (const right of hostileIds) {
        expect([left, right, Math.sign(compareIds(left, right))]).toEqual([
          left,
          right,
          Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))),
        ])
      }
    }
  })
})

describe("codePointLength", () => {
  it("MUST count code points, not UTF-16 units", () => {
    expect([codePointLength(""), codePointLength("a"), codePointLength("😀"), codePointLength("e\u0301")]).toEqual([
      0, 1, 1, 2,
    ])
  })
})
