import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { equal, show } from "./Assertion.ts"

describe("show", () => {
  it("MUST have the cause of an error, or the code of one without a message: `fetch` says nothing else", () => {
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:9")
    const several = Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" })
    expect(show(new TypeError("fetch failed"))).toBe("TypeError: fetch failed")
    expect(show(new TypeError("fetch failed", { cause: refused }))).toBe(`TypeError: fetch failed (${refused.message})`)
    expect(show(new TypeError("fetch failed", { cause: several }))).toBe("TypeError: fetch failed (ECONNREFUSED)")
  })
})

describe("equal", () => {
  const areEqual = <A>(one: A, other: NoInfer<A>) => Exit.isSuccess(Effect.runSyncExit(equal("they", one, other)))

  it("MUST compare what sets and maps hold, in any order", () => {
    expect(areEqual(new Set([1, 2]), new Set([2, 1]))).toBe(true)
    expect([areEqual(new Set([1]), new Set([1, 2])), areEqual(new Set([1, 2]), new Set([1]))]).toEqual([false, false])
    expect(areEqual(new Map([["a", { b: 1 }]]), new Map([["a", { b: 1 }]]))).toBe(true)
    expect(areEqual(new Map([["a", { b: 1 }]]), new Map([["a", { b: 2 }]]))).toBe(false)
  })
})
