import { expect, it } from "vitest"
import { allCases } from "../../../conformance/suites/cases.ts"
import { requirements } from "../../../conformance/suites/requirements/index.ts"
import { reports } from "./ApiReport.ts"
import { sitePages } from "./sitePages.ts"

const { pages } = sitePages()

const bodies = pages.map(({ body }) => body).join("\n")

it("MUST have every public name, with its example", () => {
  const titles = new Set(pages.map(({ title }) => title))
  for (const { names, title } of reports()) {
    for (const { code, comment, name } of names) {
      expect([title, name, titles.has(name) || bodies.includes(`\n## ${name}\n`)]).toEqual([title, name, true])
      const example = /@example\s+(?:```\w*\n)?(.+)/.exec(comment)?.[1]
      if (example !== undefined) expect(bodies).toContain(example)
      expect(bodies).toContain(code.split("\n")[0])
    }
  }
})

it("MUST lead from every requirement to its cases, and from every case to its requirements", () => {
  for (const { id } of requirements) expect(bodies).toMatch(new RegExp(`## ${id} `))
  for (const [suite, cases] of Object.entries(allCases)) {
    for (const { id, requirements: held } of cases) {
      const link = `[\`${id}\`](/conformance/cases/${suite}/#${id})`
      expect([id, held.length === 0 || bodies.includes(link)]).toEqual([id, true])
    }
  }
})

it("MUST have each address once, whatever the case of its letters", () => {
  const paths = pages.map(({ path }) => path.toLowerCase())
  expect(paths.filter((path, index) => paths.indexOf(path) < index)).toEqual([])
})

it("MUST draw the figures of the guides", () => {
  const shown = pages.find(({ path }) => path === "conformance/bench")?.shown ?? ""
  expect(shown).toMatch(/aria-label="a design, per second: designwire [\d,]+; bare node:http \+ pg [\d,]+; Fastify/)
  expect(shown).toMatch(/aria-label="commits per second, 64 writers: without NOTIFY [\d,]+ to [\d,]+;/)
})
