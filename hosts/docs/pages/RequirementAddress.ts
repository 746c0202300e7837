/** The addresses of requirements on the site, which has a page for each section. */
import type { Section } from "../../../conformance/suites/requirements/Requirement.ts"
import { sections } from "../../../conformance/suites/requirements/sections.ts"
import { addressOf } from "./Page.ts"

/** The page on which all sections are listed. */
export const requirementsPath = "conformance/requirements"

/** The anchor of a section in REQUIREMENTS.md. */
const sectionAnchor = ({ id }: Section): string => id.replace("§", "section-")

/** The path of a section's page. */
export const sectionPath = (section: Section): string =>
  `${requirementsPath}/${sectionAnchor(section).replaceAll(".", "-")}`

/** The anchor of a row on its page. */
export const rowAnchor = (id: string): string => id.replace("§", "")

const addresses = new Map(
  sections.flatMap((section) => [
    [section.id, addressOf(sectionPath(section))] as const,
    ...section.rows.map(({ id }) => [id, `${addressOf(sectionPath(section))}#${rowAnchor(id)}`] as const),
  ]),
)

/** The address of a requirement or a section, by its id. */
export const requirementAddress = (id: string): string | undefined => addresses.get(id)

/** The page of each anchor of REQUIREMENTS.md. */
export const requirementPaths: ReadonlyMap<string, string> = new Map(
  sections.map((section) => [sectionAnchor(section), sectionPath(section)]),
)

/** Prose whose ids of requirements are links, but for those in code. */
export const withRequirementLinks = (prose: string): string =>
  prose
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/§\d+(?:\.\d+)?(?:-\d+)?|\bD\d+[a-z]?\b|\bF-\d+\b/g, (id) => {
            const address = requirementAddress(id)
            return address === undefined ? id : `[${id}](${address})`
          }),
    )
    .join("")
