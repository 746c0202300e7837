/** The pages of the guides. */
import { groups, guidePaths, textOf } from "./Guides.ts"
import type { Links } from "./Links.ts"
import { firstParagraph, withLinks, withoutComments, withoutFrontMatter, withoutTitle } from "./Markdown.ts"
import type { Page } from "./Page.ts"
import { withTabs } from "./Tabs.ts"

/** Two guides have the name of their project as the title, which says little in a navigation. */
const labels: Readonly<Record<string, string>> = { "README.md": "Overview", "AGENTS.md": "Index for agents" }

const pageOf = (file: string, group: string, links: Links): Page => {
  const { body, title } = withoutTitle(withoutFrontMatter(textOf(file)))
  const text = withLinks(withoutComments(body), (href) => links.resolve(file, href))
  const label = labels[file]
  return {
    path: guidePaths.get(file) ?? "",
    title,
    description: firstParagraph(text),
    body: text,
    shown: withTabs(text),
    group,
    ...(label === undefined ? {} : { label }),
  }
}

/** A page for each guide. */
export const guidePages = (links: Links): ReadonlyArray<Page> =>
  Object.entries(groups).flatMap(([group, files]) => files.map((file) => pageOf(file, group, links)))
