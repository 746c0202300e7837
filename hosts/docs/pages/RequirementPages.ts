/** The requirements, a page for each section: every row links to the cases that hold it. */
import { allCases } from "../../../conformance/suites/cases.ts"
import type { Section } from "../../../conformance/suites/requirements/Requirement.ts"
import { sections } from "../../../conformance/suites/requirements/sections.ts"
import { citingTests } from "../../../conformance/testkit/processes/CitingTests.ts"
import { caseAddress } from "./CasePages.ts"
import { root, textOf } from "./Guides.ts"
import { headingWithId, plain, withoutTitle } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"
import { requirementsPath, rowAnchor, sectionPath, withRequirementLinks } from "./RequirementAddress.ts"

type Row = Section["rows"][number]

const tests = citingTests(root)

const heading = ({ id, title }: Section): string => (id.startsWith("§") ? `${id} ${title}` : title)

/** Who holds a row: cases, tests of this project, or why nobody can. */
const holders = ({ id, unobservable }: Row): ReadonlyArray<string> => [
  ...Object.entries(allCases).flatMap(([suite, cases]) => {
    const found = cases.filter(({ requirements }) => requirements.includes(id))
    const links = found.map((each) => `[\`${each.id}\`](${caseAddress(suite, each.id)})`)
    return links.length === 0 ? [] : [`- ${suite}: ${links.join(", ")}`]
  }),
  ...(tests.get(id) ?? []).map((name) => `- test: \`${name}\``),
  ...(unobservable === undefined ? [] : [`- unobservable: ${withRequirementLinks(unobservable)}`]),
]

const row = (requirement: Row): string => {
  const { id, planned, text, title } = requirement
  const name = headingWithId(rowAnchor(id), `## ${id} ${title}${planned === true ? " (planned)" : ""}`)
  return [name, withRequirementLinks(text), holders(requirement).join("\n")].filter((part) => part !== "").join("\n\n")
}

const innerOf = ({ id }: Section): ReadonlyArray<Section> => sections.filter((other) => other.id.startsWith(`${id}.`))

const linksTo = (some: ReadonlyArray<Section>): string =>
  some.map((section) => `- [${heading(section)}](${addressOf(sectionPath(section))})\n`).join("")

const sectionPage = (section: Section): Page => ({
  path: sectionPath(section),
  title: heading(section),
  description: `Requirements: ${plain(section.title)}, with the cases and tests that hold each statement.`,
  body: section.rows.length > 0 ? section.rows.map(row).join("\n\n") : linksTo(innerOf(section)),
})

/** What REQUIREMENTS.md says before its list of sections. */
const introduction = (): string => withoutTitle(textOf("conformance/REQUIREMENTS.md")).body.split(/^- \[/m)[0] ?? ""

/** The page with all sections, and a page for each section. */
export const requirementPages = (): ReadonlyArray<Page> => {
  const list = sections.map(
    (section) => `${section.id.includes(".") ? "  " : ""}- [${heading(section)}](${addressOf(sectionPath(section))})\n`,
  )
  const rows = sections.flatMap((section) =>
    section.rows.map(({ id }) => `[${id}](${addressOf(sectionPath(section))}#${rowAnchor(id)})`),
  )
  const index: Page = {
    path: requirementsPath,
    title: "Requirements",
    description: "What designwire must do, statement by statement, with the cases and tests that hold each of them.",
    body: `${introduction().trim()}\n\n${list.join("")}\n## By id\n\n${rows.join(" ")}\n`,
    group: "Requirements",
  }
  return [index, ...sections.map(sectionPage)]
}
