import { describe, expect, it } from "vitest"
import { show } from "./Assertion.ts"

describe("show", () => {
  it("MUST have the cause of an error, or the code of one without a message: `fetch` says nothing else", () => {
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:9")
    const several = Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" })
    expect(show(new TypeError("fetch failed"))).toBe("TypeError: fetch failed")
    expect(show(new TypeError("fetch failed", { cause: refused }))).toBe(`TypeError: fetch failed (${refused.message})`)
    expect(show(new TypeError("fetch failed", { cause: several }))).toBe("TypeError: fetch failed (ECONNREFUSED)")
  })
})
