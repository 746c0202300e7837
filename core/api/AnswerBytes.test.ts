import { describe, expect, it } from "@effect/vitest"
import { AnswerBytes } from "./AnswerBytes.ts"

const kibibyte = 1024
const make = () => new AnswerBytes({ maximum: 1000 * kibibyte, page: 100 * kibibyte })

/** Holds pieces for a shop until one does not fit, and returns how many fitted. */
const fill = (bytes: AnswerBytes, shop: string): number => {
  for (let count = 0; ; count++) {
    if (!bytes.fits(shop, 100 * kibibyte)) return count
    bytes.hold(shop, 100 * kibibyte)
  }
}

describe("The bytes of a process's answers (D46, §8)", () => {
  it("MUST be held by one shop up to half, and there MUST be room for others (D46)", () => {
    const bytes = make()
    expect(fill(bytes, "greedy")).toBe(5)
    expect(fill(bytes, "second")).toBe(3)
    expect(fill(bytes, "third")).toBe(1)
    expect(bytes.fits("greedy", 100 * kibibyte)).toBe(false)
  })

  it("MUST be free again once they are sent, however often that is said", () => {
    const bytes = make()
    const release = bytes.hold("s", 400 * kibibyte)
    bytes.hold("s", 100 * kibibyte)
    expect(bytes.fits("s", 100 * kibibyte)).toBe(false)
    for (const _ of [1, 2]) release()
    expect(fill(bytes, "s")).toBe(4)
  })

  it("MUST leave small answers alone, and let one answer of any size pass if it is the only one", () => {
    const bytes = make()
    expect(bytes.fits("s", 5000 * kibibyte)).toBe(true)
    const release = bytes.hold("s", 5000 * kibibyte)
    expect([bytes.fits("s", 10 * kibibyte), bytes.fits("t", 20 * kibibyte)]).toEqual([true, false])
    release()
    expect(bytes.fits("t", 20 * kibibyte)).toBe(true)
  })
})
