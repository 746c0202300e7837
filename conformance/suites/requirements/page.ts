import { allCases } from "../cases.ts"
import type { Section } from "./Requirement.ts"
import { sections } from "./sections.ts"

const introduction = `# Requirements

What designwire must do, statement by statement. Comments, test titles and documents cite these ids.

- \`§2.1-3\` is a statement of the specification: the section, then a number. \`§2.1\` alone means all of that section.
- \`F-1\` is a statement about the format of a customizer's definition, or about how a design is evaluated.
- \`D6\` is a decision where the specification is silent.
- (planned) marks what is decided and not built yet.

Under each stand the cases of the conformance suites that hold it, by the names of their suites, the tests of this project
whose titles cite it (file, then the beginning of the title), and what no test can see.

An id never changes its meaning. MUST and MUST NOT are requirements on the service.

A _shop_ is one store. Its _customizers_ are the products that can be configured; a _definition_ says what a customizer asks and
what each answer means. A _design_ is a configuration that a buyer saved. An _order_ is an order of the e-commerce platform with
its designs. An _endpoint_ is a URL of the store that receives webhooks. A _delivery_ brings one _event_ to one endpoint, in one or more
_attempts_. The _owner_ manages the shop's tokens and endpoints.

This page is made from \`conformance/suites/requirements\`: change it there, then run \`npm run requirements\`.`

const anchor = ({ id }: Section): string => id.replace("§", "section-")

const heading = ({ id, title }: Section): string => (id.startsWith("§") ? `${id} ${title}` : title)

/** A section within another, such as §2.1, stands one level lower. */
const isInner = ({ id }: Section): boolean => id.includes(".")

const entry = (section: Section): string =>
  `${isInner(section) ? "  " : ""}- [${heading(section)}](#${anchor(section)})`

const list = (title: string, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.length === 0 ? [] : [`- ${title}: ${values.map((value) => `\`${value}\``).join(", ")}`]

/** Tests by the ids of the requirements that they hold. */
export type CitingTests = ReadonlyMap<string, ReadonlyArray<string>>

/** Who holds a row. */
const holders = ({ id, unobservable }: Section["rows"][number], tests: CitingTests): ReadonlyArray<string> => [
  ...Object.entries(allCases).flatMap(([suite, cases]) =>
    list(
      suite,
      cases.filter(({ requirements }) => requirements.includes(id)).map((each) => each.id),
    ),
  ),
  ...(tests.get(id) ?? []).map((name) => `- test: \`${name}\``),
  ...(unobservable === undefined ? [] : [`- unobservable: ${unobservable}`]),
]

const row = (section: Section["rows"][number], tests: CitingTests): string => {
  const { id, planned, text, title } = section
  const statement = `**${id}** _${title}_${planned === true ? " (planned)" : ""}: ${text}`
  return [statement, holders(section, tests).join("\n")].filter((part) => part !== "").join("\n\n")
}

const body = (section: Section, tests: CitingTests): string =>
  [
    `<a id="${anchor(section)}"></a>`,
    `${isInner(section) ? "###" : "##"} ${heading(section)}`,
    ...section.rows.map((each) => row(each, tests)),
  ].join("\n\n")

/** The text of `conformance/REQUIREMENTS.md`. */
export const page = (tests: CitingTests): string => {
  const bodies = sections.map((section) => body(section, tests))
  return `${[introduction, sections.map(entry).join("\n"), ...bodies].join("\n\n")}\n`
}
