import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { citationsIn } from "../../testkit/processes/Citations.ts"
import { citingTests } from "../../testkit/processes/CitingTests.ts"
import { sourcesIn } from "../../testkit/processes/Sources.ts"
import { allCases } from "../cases.ts"
import { findRequirements, requirements } from "./index.ts"
import { page } from "./page.ts"
import { sections } from "./sections.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const files = sourcesIn(root, ["{core,adapters,hosts,conformance}/**/*.{ts,tsx,md}", "README.md", "CONTRIBUTING.md"])

const tests = citingTests(root)

const cited = files.flatMap((path) =>
  citationsIn(readFileSync(root + path, "utf8")).map((found) => ({ ...found, path })),
)

describe("A citation", () => {
  it("MUST be found by its form: a section, a statement, a decision, the format", () => {
    expect(citationsIn("(§2.1, §6-14) D6a,\nF-27, and D20.").map(({ id, line }) => `${line} ${id}`)).toEqual([
      "1 §2.1",
      "1 §6-14",
      "1 D6a",
      "2 F-27",
      "2 D20",
    ])
  })

  it("MUST include what lies between the ends of a range", () => {
    const ids = citationsIn("D12 to D14, D25–D27").map(({ id }) => id)
    expect(new Set(ids)).toEqual(new Set(["D12", "D13", "D14", "D25", "D26", "D27"]))
  })

  it.each([
    "RFC 9110 §13.1.2",
    `RFC 9110
 * §11.1`,
    "U+D800",
    "%D9%A2",
    "UTF-8",
    "dsn_D1",
    "8F-1",
    "D4x2",
  ])("MUST not be taken for one: %j", (text) => expect(citationsIn(text)).toEqual([]))

  it("MUST mean something that exists", () => {
    expect(findRequirements("D6a").map(({ id }) => id)).toEqual(["D6a"])
    expect(findRequirements("§6-1").map(({ id }) => id)).toEqual(["§6-1"])
    expect(findRequirements(`§${99}`)).toEqual([])
    expect(findRequirements(`D${99}`)).toEqual([])
    const unknown = cited.filter(({ id }) => findRequirements(id).length === 0)
    expect(unknown.map(({ id, line, path }) => `${path}:${line} cites ${id}, which is not a requirement`)).toEqual([])
  })

  it("MUST mean all rows of a section and of the sections in it if the section is cited bare", () => {
    const rowsOf = (...ids: ReadonlyArray<string>) =>
      sections.filter(({ id }) => ids.includes(id)).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(findRequirements("§6").map(({ id }) => id)).toEqual(rowsOf("§6"))
    expect(findRequirements("§2").map(({ id }) => id)).toEqual(rowsOf("§2.1", "§2.2", "§2.3", "§2.4", "§2.5"))
  })

  it("MUST exist for every section and for every decision that is carried out", () => {
    const elsewhere = new Set(
      cited.filter(({ path }) => !/^conformance\/(requirements\/|REQUIREMENTS\.md$)/.test(path)).map(({ id }) => id),
    )
    const isCited = (id: string): boolean =>
      [...elsewhere].some((other) => other === id || (id.startsWith("§") && other.startsWith(`${id}-`)))
    const wanted = [
      ...sections.map(({ id }) => id).filter((id) => id.startsWith("§")),
      ...requirements.filter(({ from, planned }) => from === "decision" && planned !== true).map(({ id }) => id),
    ]
    expect(wanted.filter((id) => !isCited(id))).toEqual([])
  })
})

describe("The requirements", () => {
  it("MUST have ids that differ, in the form of their kind", () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const forms = {
      specification: /^§[1-9](\.[1-9])?-[1-9][0-9]*$/,
      decision: /^D[1-9][0-9]*[a-z]?$/,
      definition: /^F-[1-9][0-9]*$/,
    }
    expect(requirements.filter(({ from, id }) => !forms[from].test(id))).toEqual([])
  })

  it("MUST stand in the section that their id names", () => {
    const misplaced = sections.flatMap(({ from, id: section, rows }) =>
      from === "specification" ? rows.filter(({ id }) => !id.startsWith(`${section}-`)) : [],
    )
    expect(misplaced).toEqual([])
  })

  it("MUST have a title of two to six words and a text of whole sentences", () => {
    const words = (title: string): number => title.split(" ").length
    expect(requirements.filter(({ title }) => words(title) < 2 || words(title) > 6)).toEqual([])
    expect(requirements.filter(({ text }) => !/^[A-Z`].*\.$/.test(text) || text.includes("  "))).toEqual([])
  })

  it("MUST each be held by a case or a test, or say why none can", () => {
    const cited = new Set(Object.values(allCases).flatMap((cases) => cases.flatMap(({ requirements: ids }) => ids)))
    const held = ({ id, planned, unobservable }: (typeof requirements)[number]): boolean =>
      planned === true || cited.has(id) || tests.has(id) || unobservable !== undefined
    expect(requirements.filter((row) => !held(row)).map(({ id }) => id)).toEqual([])
  })

  it("MUST be the page that ships", () => {
    const shipped = readFileSync(`${root}conformance/REQUIREMENTS.md`, "utf8")
    expect(shipped === page(tests), "conformance/REQUIREMENTS.md is out of date: run npm run requirements").toBe(true)
  })
})
