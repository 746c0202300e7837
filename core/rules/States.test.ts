/** The tables of §3 for designs and orders: every state with every trigger. */
import { describe, expect, it } from "@effect/vitest"
import * as DesignState from "./catalog/DesignState.ts"
import * as OrderState from "./orders/OrderState.ts"

describe("DesignState (§3, D3, D4, §3-1)", () => {
  it.each([
    [null, "save", "draft"],
    [null, "order", undefined],
    [null, "cancel", undefined],
    ["draft", "save", "draft"],
    ["draft", "order", "ordered"],
    ["draft", "cancel", undefined],
    ["ordered", "save", undefined],
    ["ordered", "order", undefined],
    ["ordered", "cancel", "cancelled"],
    ["cancelled", "save", undefined],
    ["cancelled", "order", undefined],
    ["cancelled", "cancel", undefined],
  ] as const)("MUST go from %s by %s to %s (§3-1, §3-2)", (from, trigger, to) => {
    expect(DesignState.next(from, trigger)).toBe(to)
  })

  it.each([
    ["draft", true],
    ["ordered", false],
    ["cancelled", false],
  ] as const)("MUST say whether a design that is %s may be deleted (D43): %s", (status, expected) => {
    expect(DesignState.canDelete(status)).toBe(expected)
  })
})

describe("OrderState (§3, D3, D6, §3-2)", () => {
  it.each([
    [null, "place", "ordered"],
    [null, "cancel", undefined],
    ["ordered", "place", "ordered"],
    ["ordered", "cancel", "cancelled"],
    ["cancelled", "place", undefined],
    ["cancelled", "cancel", undefined],
  ] as const)("MUST go from %s by %s to %s", (from, trigger, to) => {
    expect(OrderState.next(from, trigger)).toBe(to)
  })
})
