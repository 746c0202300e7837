import { expect, it } from "vitest"
import { leaving, leftShare, probationSlots, slotShare } from "./SlotShare.ts"

it("A share MUST be half of the slots, at least one, and an endpoint on probation has one (D45)", () => {
  expect([1, 2, 3, 7, 8, 64].map(slotShare)).toEqual([1, 1, 2, 4, 4, 32])
  expect(probationSlots).toBe(1)
})

it("Attempts MUST leave their slots no faster than those that left end, and every 50 ms if there are many slots (D45)", () => {
  expect([1, 8, 16, 64, 256].map((slots) => leaving(slots, 5_000))).toEqual([
    { atOnce: 1, pause: 625 },
    { atOnce: 1, pause: 79 },
    { atOnce: 1, pause: 50 },
    { atOnce: 5, pause: 50 },
    { atOnce: 20, pause: 50 },
  ])
  expect(leftShare(64)).toBe(512)
})
