import { expect, it } from "vitest"
import { findRequirements } from "../requirements/index.ts"
import { senderCases } from "./cases.ts"

it("MUST give each case an id of its own, a requirement for a title and where it comes from", () => {
  const ids = senderCases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, title, spec } of senderCases) {
    expect(id).toMatch(/^[a-z]+(\.[a-z-]+)+$/)
    expect(title).toMatch(/^MUST /)
    const unknown = spec.split(", ").filter((cited) => findRequirements(cited).length === 0)
    expect(spec === "conformance" ? [] : unknown, id).toEqual([])
  }
})
