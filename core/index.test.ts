/** What authors of adapters outside this repository can import. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Core from "./index.ts"

describe("The core", () => {
  it("MUST export each rule that adapters apply themselves, as the table of imports lists them", () => {
    const table = readFileSync(join(import.meta.dirname, "../.dependency-cruiser.js"), "utf8")
    const paths = /"\^core\/rules\/\(([\w|/]+)\)/.exec(table)?.[1]?.split("|") ?? []
    const rules = paths.map((path) => path.split("/").at(-1) ?? "")
    expect(rules).toContain("Ordering")
    expect(rules.filter((rule) => !(rule in Core))).toEqual([])
  })
})
