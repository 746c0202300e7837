import { expect, it } from "vitest"
import { probationSlots, slotShare } from "./SlotShare.ts"

it("A share MUST be half of the slots, at least one, and an endpoint on probation has one (D45)", () => {
  expect([1, 2, 3, 7, 8, 64].map(slotShare)).toEqual([1, 1, 2, 4, 4, 32])
  expect(probationSlots).toBe(1)
})
