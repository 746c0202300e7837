/** The pages as Markdown, one by one and together, for programs that read no HTML. */
import { withLinks } from "./Markdown.ts"
import { markdownAddressOf, type Page } from "./Page.ts"

/** The address of a page's Markdown in place of the page's own. */
const toMarkdown = (href: string): string => {
  const [, path = "", anchor = ""] = /^\/(?:(.*)\/)?(#.*)?$/.exec(href) ?? []
  return /^\/(?:.*\/)?(?:#.*)?$/.test(href) ? markdownAddressOf(path) + anchor : href
}

/** A page as Markdown, whose links lead to pages as Markdown. */
export const markdownOf = ({ body, title }: Page): string => `# ${title}\n\n${withLinks(body, toMarkdown).trimEnd()}\n`

const entry = ({ description, label, path, title }: Page): string =>
  `- [${label ?? title}](${markdownAddressOf(path)}): ${description}\n`

/** `llms.txt`: the pages of the navigation, with a paragraph about each. */
export const llmsIndex = (pages: ReadonlyArray<Page>): string => {
  const [home] = pages
  const sections = [...Map.groupBy(pages, ({ group }) => group)].flatMap(([group, members]) =>
    group === undefined ? [] : `## ${group}\n\n${members.map(entry).join("")}`,
  )
  return `# ${home?.title}\n\n> ${home?.description}\n\n${sections.join("\n")}`
}

/** `llms-full.txt`: all pages but files of the package, one after the other. */
export const llmsFull = (pages: ReadonlyArray<Page>): string =>
  pages
    .filter(({ path }) => !path.startsWith("files/"))
    .map(markdownOf)
    .join("\n---\n\n")
