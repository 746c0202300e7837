import { expect, it } from "vitest"
import { storageCases } from "./cases.ts"

it("MUST give each case an id of its own, a requirement for a title and where it comes from", () => {
  const ids = storageCases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, title, spec } of storageCases) {
    expect(id).toMatch(/^[a-z]+(\.[a-z-]+)+$/)
    expect(title).toMatch(/^MUST /)
    expect(spec).toMatch(/^((§[1-9]|D[1-9])[0-9.]*(, )?)+$|^conformance$/)
  }
  expect(ids[0]).toBe("harness.hosts")
})
