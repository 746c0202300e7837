import { describe, expect, it } from "@effect/vitest"
import { durationBounds, durationClass, none, ofAttempt, quantile, quantileRange, sum } from "./AttemptCounts.ts"

const of = (...durations: ReadonlyArray<number>) => sum(durations.map((each) => ofAttempt(each, "succeeded")))

describe("Counts of attempts", () => {
  it("MUST put a duration into the first class whose bound it does not exceed (D60)", () => {
    expect([0, 5, 6, 10, 11, 4999, 5000, 5001, 60_000].map(durationClass)).toEqual([0, 0, 1, 1, 2, 14, 14, 15, 15])
    expect(none.durations).toHaveLength(durationBounds.length + 1)
  })

  it("MUST count a success, a failed attempt with a retry, and one that gives a delivery up (D60)", () => {
    const counts = (status: Parameters<typeof ofAttempt>[1]) => {
      const { failedAttempts, givenUp, succeeded } = ofAttempt(1, status)
      return [succeeded, failedAttempts, givenUp]
    }
    expect([counts("succeeded"), counts("pending"), counts("dropped"), counts("failed")]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 1, 1],
    ])
  })

  it("MUST say of a quantile no more than its class (D60)", () => {
    expect(quantile(none, 0.5)).toBe(null)
    expect(quantile(of(1), 0.5)).toBe(5)
    expect(quantile(of(60, 60, 60, 60), 0.5)).toBe(75)
    expect(quantile(of(60, 60, 60, 300), 0.95)).toBe(350)
    expect(quantile(of(1, 1, 9000), 0.95)).toBe(5000)
    expect(quantile(of(8, 9000), 0.5)).toBe(10)
    expect(quantileRange(none, 0.5)).toBe(null)
    expect(quantileRange(of(2500, 9000), 0.5)).toEqual({ above: 2000, most: 5000 })
    expect(quantileRange(of(2500, 9000), 0.95)).toEqual({ above: 5000, most: null })
  })
})
