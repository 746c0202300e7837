import { describe, expect, it } from "@effect/vitest"
import { noSubject } from "../../model/events/Event.ts"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import { lineOf } from "./Ordering.ts"

const ordered = { options: { ...usualOptions, ordering: "object" } } as const

describe("the line of a delivery", () => {
  it("MUST be the order of the event, or else its design (D53)", () => {
    const of = (order: string | null, design: string | null) => lineOf({ test: false }, ordered, { order, design })
    expect(of("1", "a")).toBe(of("1", null))
    expect(of(null, "a")).not.toBe(of("a", null))
    expect(of(null, "a")).not.toBe(of(null, "b"))
    expect(lineOf({ test: false }, ordered, noSubject)).toBe(null)
  })

  it("MUST be none of a test, and none by default", () => {
    const subject = { order: "1", design: null }
    expect(lineOf({ test: true }, ordered, subject)).toBe(null)
    expect(lineOf({ test: false }, { options: usualOptions }, subject)).toBe(null)
  })
})
