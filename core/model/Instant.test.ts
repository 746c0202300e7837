import { describe, expect, it } from "@effect/vitest"
import { format, isInstant, parse, parseDateOrDateTime } from "./Instant.ts"

const utc = (text: string) => Date.parse(text)

describe("parse (D1)", () => {
  it.each([
    ["2026-10-05T14:48:00Z", "2026-10-05T14:48:00.000Z"],
    ["2026-10-05t14:48:00z", "2026-10-05T14:48:00.000Z"],
    ["2026-10-05T14:48:00.5Z", "2026-10-05T14:48:00.500Z"],
    ["2026-10-05T14:48:00.12Z", "2026-10-05T14:48:00.120Z"],
    ["2026-10-05T14:48:00.9999999999Z", "2026-10-05T14:48:00.999Z"],
    ["2026-10-05T14:48:00+02:00", "2026-10-05T12:48:00.000Z"],
    ["2026-10-05T14:48:00-00:00", "2026-10-05T14:48:00.000Z"],
    ["2026-10-05T14:48:00-05:30", "2026-10-05T20:18:00.000Z"],
    ["2026-10-05T14:48:00+23:59", "2026-10-04T14:49:00.000Z"],
    ["2024-02-29T23:59:59.999-23:59", "2024-03-01T23:58:59.999Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["0099-03-01T00:00:00Z", "0099-03-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    // A leap second is the second after it.
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2017-01-01T01:59:60.5+02:00", "2017-01-01T00:00:00.500Z"],
  ])("MUST read %s, cutting off decimals past the third", (text, expected) => {
    expect(parse(text)).toBe(utc(expected))
  })

  it.each([
    ...[
      "",
      "2026",
      "2026-10-05",
      "2026-10-05T14:48Z",
      "2026-10-05T14:48:00",
      "2026-10-05 14:48:00Z",
      "20261005T144800Z",
    ],
    ...[
      "2026-10-05T14:48:00.Z",
      "2026-10-05T14:48:00,1Z",
      "2026-10-05T14:48:00+0200",
      "2026-10-05T14:48:00+02",
      "2026-10-05T14:48:00 Z",
    ],
    ...[
      "2026-10-05T14:48:00+24:00",
      "2026-10-05T14:48:00+02:60",
      "2026-10-05T24:00:00Z",
      "2026-10-05T14:60:00Z",
      "2026-10-05T14:48:61Z",
    ],
    ...[
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z",
      "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-01-00T00:00:00Z",
    ],
    ...[
      "2026-10-05T14:48:60Z",
      "2026-10-05T23:59:60+01:00",
      "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01",
    ],
    ...[
      "+2026-10-05T14:48:00Z",
      "-2026-10-05T14:48:00Z",
      "12026-10-05T14:48:00Z",
      " 2026-10-05T14:48:00Z",
      "2026-10-05T14:48:00Z\n",
      "٢026-10-05T14:48:00Z",
    ],
  ])("MUST NOT read %j", (text) => {
    expect(parse(text)).toBeUndefined()
  })
})

describe("parseDateOrDateTime (D13)", () => {
  it("MUST read a date alone as 00:00 UTC, and everything that parse reads", () => {
    expect(parseDateOrDateTime("2026-10-05")).toBe(utc("2026-10-05T00:00:00Z"))
    expect(parseDateOrDateTime("2026-10-05T14:48:00+02:00")).toBe(utc("2026-10-05T12:48:00Z"))
    for (const text of ["2026-02-30", "2026-10", "2026-10-05T", "2026-10-05Z", "0000-01-01"]) {
      expect([text, parseDateOrDateTime(text)]).toEqual([text, undefined])
    }
  })
})

describe("format (D1)", () => {
  it("MUST always write three decimals and +00:00, and be read back as the same instant", () => {
    expect(format(utc("2026-10-05T14:48:00Z"))).toBe("2026-10-05T14:48:00.000+00:00")
    for (const instant of [utc("0001-01-01T00:00:00Z"), -1, 0, 1, 1_791_211_680_007, utc("9999-12-31T23:59:59.999Z")]) {
      expect(format(instant)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
      expect(parse(format(instant))).toBe(instant)
    }
  })
})

describe("isInstant", () => {
  it("MUST hold for whole milliseconds of the years 1 to 9999 alone", () => {
    const [first, last] = [utc("0001-01-01T00:00:00Z"), utc("9999-12-31T23:59:59.999Z")]
    for (const fine of [first, 0, last]) expect([fine, isInstant(fine)]).toEqual([fine, true])
    for (const not of [first - 1, last + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -Infinity]) {
      expect([not, isInstant(not)]).toEqual([not, false])
    }
  })
})
