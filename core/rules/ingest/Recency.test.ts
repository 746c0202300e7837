import { describe, expect, it } from "vitest"
import { isOlder, type Moment } from "./Recency.ts"

const second = 1_000
const at = (modifiedAt: number, triggeredAt: number | null): Moment => ({ modifiedAt, triggeredAt })

/** Every moment with a second before, equal or after, and a trigger that is not known, before, equal or after. */
const moments = [0, second, 2 * second].flatMap((modifiedAt) =>
  [null, 10, 11, 12].map((triggeredAt) => at(modifiedAt, triggeredAt)),
)

describe("isOlder", () => {
  it("MUST decide by the second, and within it by the trigger if both are known (D57)", () => {
    for (const [state, other, expected] of [
      [at(0, null), at(second, null), true],
      [at(second, null), at(0, null), false],
      [at(0, 99), at(second, 1), true],
      [at(second, 1), at(0, 99), false],
      [at(0, 10), at(0, 11), true],
      [at(0, 11), at(0, 10), false],
      [at(0, 10), at(0, 10), false],
      [at(0, null), at(0, 11), false],
      [at(0, 10), at(0, null), false],
    ] as const) {
      expect([state, other, isOlder(state, other)]).toEqual([state, other, expected])
    }
  })

  it("MUST call no state older than itself, and of two at most one (D57)", () => {
    for (const one of moments) {
      expect(isOlder(one, one)).toBe(false)
      for (const other of moments) expect(isOlder(one, other) && isOlder(other, one)).toBe(false)
    }
  })
})
