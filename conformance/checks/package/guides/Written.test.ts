/** What `npm run guides` writes: nobody changes it by hand, and nobody forgets it. */
import { describe, expect, it } from "vitest"
import { readLedger } from "../../../bench/ledger/Ledger.ts"
import { withErrorTables } from "../../../testkit/ErrorTables.ts"
import { withLedger } from "../../../testkit/LedgerTable.ts"
import { readWritten, writtenGuides } from "../../../testkit/WrittenGuides.ts"

describe("The written parts of guides", () => {
  it.each(writtenGuides)("MUST be as their sources say (npm run guides): $path", (guide) => {
    const [is, must] = readWritten(guide)
    expect(is).toBe(must)
  })

  it("MUST be found: a figure or an advice that was changed by hand is written again", () => {
    const [page = "", words = ""] = ["README.md", "core/WORDS.md"].map((path) => {
      const guide = writtenGuides.find((one) => one.path === path)
      return guide === undefined ? "" : readWritten(guide)[0]
    })
    const line = readLedger().at(-1)
    expect(withLedger(page.replace(/(\| a page of 25 orders +\| )\d/, "$19"), line)).toBe(page)
    expect(withErrorTables(words.replace("within 5 seconds", "within 6 seconds"))).toBe(words)
    expect(withErrorTables(words.replace("another design", "a new design"))).toBe(words)
  })
})
