import { describe, expect, it } from "@effect/vitest"
import { Demand } from "./Demand.ts"

/** A worker with 4 slots that made 2 attempts in the 50 milliseconds before the instant 1050, and so claims 2 ahead. */
const demandAt1050 = () => {
  const slots = { count: 4, inUse: 0, waiting: 0 }
  const demand = new Demand(slots)
  demand.sizeAt(1000)
  for (let attempt = 0; attempt < 2; attempt++) demand.attemptEnded()
  return { demand, slots }
}

describe("Demand", () => {
  it("MUST be for the free slots at first, and for what the worker attempts meanwhile once that is measured", () => {
    const { demand, slots } = demandAt1050()
    expect(new Demand(slots).sizeAt(1000)).toBe(4)
    expect(demand.sizeAt(1050)).toBe(6)
    slots.inUse = 3
    slots.waiting = 1
    expect(demand.sizeAt(1050)).toBe(2)
  })

  it("MUST be low once few claims wait", () => {
    const { demand, slots } = demandAt1050()
    demand.sizeAt(1050)
    slots.waiting = 2
    expect(demand.isLow).toBe(false)
    slots.waiting = 1
    expect(demand.isLow).toBe(true)
  })
})
