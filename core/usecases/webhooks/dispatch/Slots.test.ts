import { describe, expect, it } from "@effect/vitest"
import { testClaim } from "../../../../conformance/testkit/workers/TestClaim.ts"
import { Slots, type SlotsOptions } from "./Slots.ts"

const claims = (...ids: ReadonlyArray<string>) => ids.map((deliveryId) => testClaim({ deliveryId }))

/** Two slots at the instant 1000, and the attempts that began in them. */
const slotsAt1000 = (options: Partial<SlotsOptions> = {}) => {
  const began: Array<string> = []
  const slots = new Slots({
    count: 2,
    now: () => 1000,
    deadline: Number.POSITIVE_INFINITY,
    leastLease: 100,
    begin: ({ deliveryId }) => began.push(deliveryId),
    ...options,
  })
  return { began, slots }
}

describe("Slots", () => {
  it("MUST begin the claims that have waited longest, one in each free slot", () => {
    const { began, slots } = slotsAt1000()
    slots.enqueue(claims("a"), 2000)
    slots.enqueue(claims("b", "c"), 2000)
    expect(slots.fill()).toEqual([])
    expect(began).toEqual(["a", "b"])
    expect([slots.inUse, slots.waiting, slots.isIdle]).toEqual([2, 1, false])
    slots.fill()
    expect(began).toEqual(["a", "b"])
  })

  it("MUST free the slot of an attempt that ended, before it is settled", () => {
    const { began, slots } = slotsAt1000()
    slots.enqueue(claims("a", "b", "c"), 2000)
    slots.fill()
    slots.free({ isSettled: false })
    slots.fill()
    expect(began).toEqual(["a", "b", "c"])
    expect(slots.inUse).toBe(2)
  })

  it("MUST keep a slot empty for each unsettled attempt beyond the number of slots, until it is settled (D23)", () => {
    const { began, slots } = slotsAt1000()
    slots.enqueue(claims("a", "b", "c", "d", "e"), 2000)
    slots.fill()
    for (let ended = 1; ended <= 4; ended++) {
      slots.free({ isSettled: false })
      slots.fill()
    }
    expect(began).toEqual(["a", "b", "c", "d"])
    expect(slots.inUse).toBe(2)
    slots.settle(1)
    slots.fill()
    expect(began).toEqual(["a", "b", "c", "d", "e"])
  })

  it("MUST be idle when nothing is under way or unsettled, though claims wait", () => {
    const { slots } = slotsAt1000({ count: 1 })
    slots.enqueue(claims("a", "b", "c"), 2000)
    expect(slots.isIdle).toBe(true)
    slots.fill()
    slots.free({ isSettled: false })
    expect(slots.isIdle).toBe(false)
    slots.settle(1)
    expect(slots.isIdle).toBe(true)
    slots.fill()
    slots.free({ isSettled: true })
    expect([slots.isIdle, slots.waiting]).toEqual([true, 1])
  })

  it("MUST free the slot of an attempt that leaves it, and be idle only once that has ended", () => {
    const { began, slots } = slotsAt1000({ count: 1 })
    slots.enqueue(claims("long", "b"), 2000)
    slots.fill()
    slots.leave(1)
    slots.fill()
    expect([began, slots.inUse]).toEqual([["long", "b"], 1])
    slots.free({ isSettled: true })
    expect([slots.inUse, slots.isIdle]).toEqual([0, false])
    slots.free({ isSettled: false, hadLeft: true })
    expect([slots.inUse, slots.isIdle]).toEqual([0, false])
    slots.settle(1)
    expect(slots.isIdle).toBe(true)
  })

  it("MUST drop and return claims with too little left of their leases, and begin the next", () => {
    const { began, slots } = slotsAt1000({ count: 1 })
    slots.enqueue(claims("late", "later"), 1099)
    slots.enqueue(claims("in time"), 1100)
    expect(slots.fill().map(({ deliveryId }) => deliveryId)).toEqual(["late", "later"])
    expect(began).toEqual(["in time"])
  })

  it("MUST begin nothing at the deadline, and keep what waits", () => {
    let now = 1000
    const { began, slots } = slotsAt1000({ deadline: 1001, now: () => now++ })
    slots.enqueue(claims("a", "b"), 2000)
    expect(slots.fill()).toEqual([])
    expect(began).toEqual(["a"])
    expect(slots.waiting).toBe(1)
  })

  it("MUST NOT begin more than there are slots when attempts end while they begin", () => {
    const began: Array<string> = []
    let atOnce = 0
    const { slots } = slotsAt1000({
      count: 1,
      begin: ({ deliveryId }) => {
        began.push(deliveryId)
        atOnce++
        slots.free({ isSettled: true })
        expect(slots.fill()).toEqual([])
        expect(atOnce).toBe(1)
        atOnce--
      },
    })
    slots.enqueue(claims("a", "b", "c"), 2000)
    slots.fill()
    expect(began).toEqual(["a", "b", "c"])
    expect(slots.isIdle).toBe(true)
  })

  it("MUST hand over what waits when it is cleared, and begin none of it", () => {
    const { began, slots } = slotsAt1000()
    slots.enqueue(claims("a", "b"), 2000)
    expect(slots.clear()).toEqual(claims("a", "b"))
    slots.fill()
    expect([slots.waiting, began]).toEqual([0, []])
  })
})
