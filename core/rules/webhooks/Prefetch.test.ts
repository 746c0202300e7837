import { describe, expect, it } from "@effect/vitest"
import { attemptEnded, claimSize, measure, type Pace, unmeasured } from "./Prefetch.ts"

const start = 1_791_211_680_123

/** A pace whose measurement began at {@link start}, after this many attempts. */
const paceOf = (attempts: number): Pace => {
  let pace = measure(unmeasured, 64, start)
  for (let ended = 0; ended < attempts; ended++) pace = attemptEnded(pace)
  return pace
}

describe("measure", () => {
  it("MUST hold nothing ahead before the first measurement ended", () => {
    expect(measure(unmeasured, 64, start)).toEqual({ since: start, ended: 0, ahead: 0 })
    expect(measure(paceOf(1000), 64, start + 19).ahead).toBe(0)
  })

  it("MUST keep counting if less than 20 ms have passed", () => {
    const pace = paceOf(7)
    expect(measure(pace, 64, start + 19)).toEqual(pace)
    expect(attemptEnded(measure(pace, 64, start + 19)).ended).toBe(8)
  })

  it.each([
    [1, 20, 3],
    [10, 20, 25],
    [10, 50, 10],
    [10, 500, 1],
    [10, 1001, 0],
    [100, 1000, 5],
  ])("MUST claim ahead what ends in 50 ms: %i attempts in %i ms give %i", (attempts, elapsed, ahead) => {
    expect(measure(paceOf(attempts), 64, start + elapsed)).toEqual({ since: start + elapsed, ended: 0, ahead })
  })

  it("MUST NOT hold more ahead than there are slots", () => {
    expect(measure(paceOf(1000), 64, start + 20).ahead).toBe(64)
    expect(measure(paceOf(1000), 3, start + 20).ahead).toBe(3)
  })

  it("MUST hold nothing ahead if no attempt ended, so that other workers can take it", () => {
    const quick = measure(paceOf(10), 64, start + 20)
    expect(quick.ahead).toBe(25)
    expect(measure(quick, 64, start + 40).ahead).toBe(0)
  })
})

describe("claimSize", () => {
  it("MUST claim only for the free slots if nothing is held ahead", () => {
    const idle = { slots: 64, slotsInUse: 0, waiting: 0, ahead: 0 }
    expect(claimSize(idle)).toBe(64)
    expect(claimSize({ ...idle, slotsInUse: 60 })).toBe(4)
    expect(claimSize({ ...idle, slotsInUse: 64 })).toBe(0)
  })

  it("MUST claim what is missing ahead, but only when at most half of it is waiting", () => {
    const full = { slots: 64, slotsInUse: 64, ahead: 10 }
    const sizes = [0, 4, 5, 6, 10, 11].map((waiting) => claimSize({ ...full, waiting }))
    expect(sizes).toEqual([10, 6, 5, 0, 0, 0])
  })

  it("MUST NOT hold more claims than slots plus claims ahead", () => {
    const slots = 8
    for (let slotsInUse = 0; slotsInUse <= slots; slotsInUse++) {
      for (let ahead = 0; ahead <= slots; ahead++) {
        for (let waiting = 0; waiting <= 2 * slots; waiting++) {
          const size = claimSize({ slots, slotsInUse, waiting, ahead })
          expect(size).toBeGreaterThanOrEqual(0)
          if (size > 0) expect(slotsInUse + waiting + size).toBe(slots + ahead)
        }
      }
    }
  })
})
