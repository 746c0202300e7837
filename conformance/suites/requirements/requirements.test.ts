import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { sourcesIn } from "../../testkit/processes/Sources.ts"
import { allCases } from "../cases.ts"
import { findRequirements, requirements } from "./index.ts"
import { page } from "./page.ts"
import { sections } from "./sections.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The forms of a citation: `§6`, `§2.1`, `§6-14`, `D6`, `D6a`, `F-27`. */
const citation = new RegExp(
  [
    // A section of an RFC is not ours. The comment's margin may stand between the RFC and its section.
    String.raw`(?<!RFC[ -]?\d+[,\s*/]+)§\d+(?:\.\d+)*(?:-\d+)?`,
    // Not a part of something longer: a code point (U+D800), an escape in a URL (%D9), a UUID.
    String.raw`(?<![\w%+-])D\d+[a-z]?(?!\w)`,
    String.raw`(?<![\w%+-])F-\d+(?!\w)`,
  ].join("|"),
  "g",
)

/** `D25–D29` and `D12 to D14` cite what lies between as well. */
const range = /(?<![\w%+-])D(\d+)(?:–| to )D(\d+)(?!\w)/g

interface Citation {
  readonly id: string
  readonly line: number
}

const citationsIn = (text: string): ReadonlyArray<Citation> => {
  const at = (index: number): number => text.slice(0, index).split("\n").length
  const single = [...text.matchAll(citation)].map((match) => ({ id: match[0], line: at(match.index) }))
  const between = [...text.matchAll(range)].flatMap((match) => {
    const first = Number(match[1])
    return Array.from({ length: Math.max(0, Number(match[2]) - first + 1) }, (_, n) => ({
      id: `D${first + n}`,
      line: at(match.index),
    }))
  })
  return [...single, ...between]
}

const files = sourcesIn(root, ["{core,adapters,hosts,conformance}/**/*.{ts,tsx,md}", "README.md", "CONTRIBUTING.md"])

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
    const held = ({ id, planned, tests, unobservable }: (typeof requirements)[number]): boolean =>
      planned === true || cited.has(id) || tests !== undefined || unobservable !== undefined
    expect(requirements.filter((row) => !held(row)).map(({ id }) => id)).toEqual([])
  })

  it("MUST name only tests that there are, each by the beginning of a title in its file", () => {
    const isThere = (name: string): boolean => {
      const [file = "", ...rest] = name.split(" > ")
      const title = rest.join(" > ")
      if (title === "" || !existsSync(root + file)) return false
      const text = readFileSync(root + file, "utf8")
      return ['"', "'", "`"].some((quote) => text.includes(quote + title))
    }
    expect(isThere("core/model/Wire.test.ts > MUST read back the head alone")).toBe(true)
    for (const wrong of [
      "core/model/Wire.test.ts",
      "core/model/Wire.test.ts > read back the head alone",
      "none > MUST",
    ]) {
      expect([wrong, isThere(wrong)]).toEqual([wrong, false])
    }
    const named = requirements.flatMap(({ id, tests = [] }) => tests.map((name) => `${id}: ${name}`))
    expect(named.filter((name) => !isThere(name.slice(name.indexOf(": ") + 2)))).toEqual([])
  })

  it("MUST be the page that ships", () => {
    const shipped = readFileSync(`${root}conformance/REQUIREMENTS.md`, "utf8")
    expect(shipped === page(), "conformance/REQUIREMENTS.md is out of date: run npm run requirements").toBe(true)
  })
})
