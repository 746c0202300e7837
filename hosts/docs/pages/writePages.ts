/** Writes the pages to the places from which Astro takes them. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { icon } from "../../settings/assets/Icon.ts"
import { root } from "./Guides.ts"
import { llmsFull, llmsIndex, markdownOf } from "./Llms.ts"
import { withLinks } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"
import type { Site } from "./sitePages.ts"

const folder = join(import.meta.dirname, "..")
const content = join(folder, "src/content/docs")
const assets = join(folder, "src/assets")
const files = join(folder, "public")

/** Writes a file unless it has this content: Astro shows what changes. */
const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  try {
    if (readFileSync(path, "utf8") === text) return
  } catch {
    // It is not there yet.
  }
  writeFileSync(path, text)
}

const frontMatter = ({ description, path, title }: Page): string =>
  `---\n${JSON.stringify({ title, description, slug: path === "" ? "index" : path })}\n---\n\n`

/** The headings of the navigation in their order. */
const order = [
  "Use it",
  "Operate it",
  "HTTP APIs and events",
  "API reference",
  "Requirements",
  "Write your own",
  "For coding agents",
  "Project",
]

/** The navigation of Starlight's configuration. Long lists are closed unless they have the page. */
const navigation = (pages: ReadonlyArray<Page>) =>
  order.map((group) => {
    const members = pages.filter((page) => page.group === group)
    return {
      label: group,
      collapsed: members.length > 10,
      items: members.map(({ label, path, title }) => ({ label: label ?? title, link: addressOf(path) })),
    }
  })

/** Text whose pictures Astro takes from a folder of its own, so that they come small, with their size. */
const withAssets = (text: string, { path }: Page, pictures: ReadonlySet<string>): string =>
  withLinks(text, (href) =>
    href.endsWith(".png") && pictures.has(href.slice(1))
      ? posix.relative(posix.join("/src/content/docs", posix.dirname(path)), `/src/assets${href}`)
      : href,
  )

/** Writes all files, and first removes the files of former runs if `clean` is set. */
export const writePages = ({ files: more, pages, pictures }: Site, clean: boolean): void => {
  if (clean) for (const path of [assets, content, files]) rmSync(path, { recursive: true, force: true })
  for (const page of pages) {
    const name = page.path === "" ? "index" : page.path
    write(join(content, `${name}.md`), frontMatter(page) + withAssets(page.shown ?? page.body, page, pictures))
    write(join(files, `${name}.md`), markdownOf(page))
  }
  for (const picture of pictures) {
    cpSync(join(root, picture), join(files, picture))
    cpSync(join(root, picture), join(assets, picture))
  }
  for (const [address, text] of more) write(join(files, address), text)
  for (const path of [join(files, "favicon.svg"), join(assets, "logo.svg")]) write(path, icon("#4338ca"))
  write(join(files, "llms.txt"), llmsIndex(pages))
  write(join(files, "llms-full.txt"), llmsFull(pages))
  write(join(folder, "src/navigation.json"), `${JSON.stringify(navigation(pages), null, 2)}\n`)
}
