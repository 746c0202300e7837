import { Result } from "effect"
import { expect, it } from "vitest"
import { compareClocks } from "./DatabaseClock.ts"

const said = (before: number, database: number, after: number) =>
  Result.match(compareClocks(before, database, after), {
    onSuccess: (sentence) => sentence,
    onFailure: ({ message }) => message,
  })

it("MUST accept clocks up to two seconds apart, plus whatever the round trip may hide", () => {
  for (const [before, database, after] of [
    [10_000, 10_000, 10_000],
    [10_000, 8_000, 10_000],
    [10_000, 12_000, 10_000],
    [10_000, 20_000, 30_000],
    [10_000, 32_000, 30_000],
  ] as const) {
    expect(said(before, database, after)).toBe("as the database's")
  }
})

it("MUST say how far a clock is from the database's, and in which direction", () => {
  expect(said(10_000, 13_600_000, 10_050)).toBe("13590.0s behind the database's: let both be set by NTP")
  expect(said(10_000, 7_900, 10_050)).toBe("2.1s ahead of the database's: let both be set by NTP")
})
