import { describe, expect, it } from "vitest"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import { heeding } from "./RetryAfter.ts"

const minute = 60_000
const day = 86_400_000

/** An attempt that ended at this instant. */
const ended = Date.UTC(2026, 0, 31, 12)

const nextAfter = (retryAfter: string | null, statusCode = 503, heedRetryAfter = true, scheduled = ended + minute) =>
  heeding(
    { status: "pending", nextAttemptAt: scheduled },
    {
      attempt: { number: 1, at: ended - 250, durationMs: 250, statusCode, responseStart: "", error: null },
      options: { ...usualOptions, heedRetryAfter },
      retryAfter,
    },
  ).nextAttemptAt

describe("Retry-After (D71)", () => {
  it("MUST put off the retry of an endpoint that heeds it: seconds from the end of the attempt, or a date (D71)", () => {
    expect(nextAfter("3600")).toBe(ended + 60 * minute)
    expect(nextAfter(" 3600 ")).toBe(ended + 60 * minute)
    expect(nextAfter("3600", 429)).toBe(ended + 60 * minute)
    expect(nextAfter("Sat, 31 Jan 2026 13:30:00 GMT")).toBe(ended + 90 * minute)
  })

  it("MUST NOT make a retry earlier than the schedule", () => {
    for (const early of ["0", "59", "Sat, 31 Jan 2026 11:00:00 GMT"]) expect(nextAfter(early)).toBe(ended + minute)
  })

  it("MUST put it off by 24 hours at most, and not shorten a longer wait of the schedule (D71)", () => {
    for (const late of ["86401", "999999999999999", "Fri, 31 Jan 2036 12:00:00 GMT"]) {
      expect(nextAfter(late)).toBe(ended + day)
      expect(nextAfter(late, 503, true, ended + 2 * day)).toBe(ended + 2 * day)
    }
  })

  it("MUST be ignored unless the endpoint heeds it and the status is 429 or 503 (D71)", () => {
    expect(nextAfter("3600", 503, false)).toBe(ended + minute)
    for (const status of [400, 404, 500, 502, 504, 301]) expect(nextAfter("3600", status)).toBe(ended + minute)
  })

  it("MUST be ignored if it is missing or malformed", () => {
    const malformed = ["", "-1", "1.5", "1e3", "0x10", "soon", "2026-01-31T13:30:00Z", "9".repeat(16), "Nonsense GMT"]
    for (const text of [null, ...malformed]) expect(nextAfter(text)).toBe(ended + minute)
  })

  it("MUST NOT add an attempt to a finished delivery", () => {
    for (const status of ["succeeded", "failed"] as const) {
      const change = { status, nextAttemptAt: null }
      const attempt = { number: 7, at: ended, durationMs: 0, statusCode: 503, responseStart: "", error: null }
      const options = { ...usualOptions, heedRetryAfter: true }
      expect(heeding(change, { attempt, options, retryAfter: "60" })).toEqual(change)
    }
  })
})
