/** Writes the pages to the places from which Astro takes them. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { icon } from "../../settings/assets/Icon.ts"
import { root } from "./Guides.ts"
import { llmsFull, llmsIndex, markdownOf } from "./Llms.ts"
import { addressOf, type Page } from "./Page.ts"
import type { Site } from "./sitePages.ts"

const folder = join(import.meta.dirname, "..")
const content = join(folder, "src/content/docs")
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

/** The navigation of Starlight's configuration. */
const navigation = (pages: ReadonlyArray<Page>) =>
  [...Map.groupBy(pages, ({ group }) => group)].flatMap(([group, members]) =>
    group === undefined
      ? []
      : {
          label: group,
          items: members.map(({ label, path, title }) => ({ label: label ?? title, link: addressOf(path) })),
        },
  )

/** Writes all files, and removes those of former runs if `clean` is set. */
export const writePages = ({ files: more, pages, pictures }: Site, clean: boolean): void => {
  if (clean) for (const path of [content, files]) rmSync(path, { recursive: true, force: true })
  for (const page of pages) {
    const name = page.path === "" ? "index" : page.path
    write(join(content, `${name}.md`), frontMatter(page) + (page.shown ?? page.body))
    write(join(files, `${name}.md`), markdownOf(page))
  }
  for (const picture of pictures) cpSync(join(root, picture), join(files, picture))
  for (const [address, text] of more) write(join(files, address), text)
  write(join(files, "favicon.svg"), icon("#4338ca"))
  write(join(files, "llms.txt"), llmsIndex(pages))
  write(join(files, "llms-full.txt"), llmsFull(pages))
  write(join(folder, "src/navigation.json"), `${JSON.stringify(navigation(pages), null, 2)}\n`)
}
