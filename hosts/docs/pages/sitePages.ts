/** All pages of the site, in the order of its navigation. */
import { withCharts } from "./BenchmarkPage.ts"
import { brokenLinks } from "./brokenLinks.ts"
import { casePages } from "./CasePages.ts"
import { eventFiles, eventPages } from "./EventPages.ts"
import { guidePages } from "./GuidePages.ts"
import { Links } from "./Links.ts"
import { openApiFiles, openApiPages } from "./OpenApiPages.ts"
import type { Page } from "./Page.ts"
import { referencePages } from "./ReferencePages.ts"
import { requirementPaths } from "./RequirementAddress.ts"
import { requirementPages } from "./RequirementPages.ts"
import { sourcePages } from "./SourcePages.ts"

/** The pages, and the pictures that they show by their paths in the repository. */
export interface Site {
  readonly pages: ReadonlyArray<Page>
  readonly pictures: ReadonlySet<string>
  /** Other files, by their addresses. */
  readonly files: ReadonlyMap<string, string>
}

/** Makes the pages. A link that leads nowhere fails all of them. */
export const sitePages = (): Site => {
  const links = new Links(requirementPaths)
  const guides = guidePages(links).map(withCharts)
  const pages = [
    ...guides,
    ...openApiPages(),
    ...eventPages(),
    ...referencePages(),
    ...requirementPages(),
    ...casePages(),
    ...sourcePages(links),
  ]
  const files = new Map([...openApiFiles(), ...eventFiles()])
  const addresses = new Set([...files.keys(), ...[...links.pictures].map((file) => `/${file}`)])
  const problems = [...links.problems, ...brokenLinks(pages, addresses)]
  if (problems.length > 0) throw new Error(`Links of the guides lead nowhere:\n${problems.join("\n")}`)
  return { pages, pictures: links.pictures, files }
}
