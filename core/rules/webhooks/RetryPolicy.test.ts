import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { defaultSchedule, nextAttempt, parseSchedule } from "./RetryPolicy.ts"

const minute = 60_000
const hour = 60 * minute

describe("nextAttempt", () => {
  it("MUST be 1, 5 and 30 minutes, 2, 6 and 24 hours after each failed attempt, then never (§6, §8, D25, §6-20, §8-5)", () => {
    const endedAt = 1_791_211_680_123
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => nextAttempt(defaultSchedule, attempt, endedAt))
    expect(waits).toEqual([
      endedAt + minute,
      endedAt + 5 * minute,
      endedAt + 30 * minute,
      endedAt + 2 * hour,
      endedAt + 6 * hour,
      endedAt + 24 * hour,
      null,
    ])
  })

  it("MUST give the same time every time: no jitter (D25)", () => {
    const times = Array.from({ length: 100 }, () => nextAttempt(defaultSchedule, 1, 5))
    expect(new Set(times)).toEqual(new Set([5 + minute]))
  })
})

describe("parseSchedule", () => {
  it("MUST read the default as the table of the specification (§6)", () => {
    expect(Result.getOrThrow(parseSchedule("1m,5m,30m,2h,6h,24h"))).toEqual(defaultSchedule)
  })

  it("MUST read every unit, and spaces around commas", () => {
    expect(Result.getOrThrow(parseSchedule(" 250ms, 3s ,1m,2h,1d "))).toEqual([250, 3_000, minute, 2 * hour, 24 * hour])
    expect(Result.getOrThrow(parseSchedule("365d"))).toEqual([365 * 24 * hour])
  })

  it("MUST read a hundred waits, and refuse one more", () => {
    const waits = (count: number) => parseSchedule(Array.from({ length: count }, () => "1s").join(","))
    expect(Result.getOrThrow(waits(100))).toHaveLength(100)
    expect(Result.getOrThrow(Result.flip(waits(101)))).toBe("at most 100 waits")
  })

  it.each([
    "",
    ",",
    "1m,",
    ",1m",
    "1m,,5m",
    "0s",
    "00s",
    "01s",
    "-1m",
    "+1m",
    "1.5m",
    "1e3ms",
    "1",
    "m",
    "1M",
    "1w",
    "1 m",
    "1m;5m",
    "1m 5m",
    "Infinity",
    "366d",
    "99999999999ms",
    Array.from({ length: 101 }, () => "1s").join(","),
  ])("MUST refuse %j and state the accepted form", (text) => {
    expect(Result.getOrThrow(Result.flip(parseSchedule(text)))).toMatch(/waits/)
  })
})
