/** Pages of the files that guides link to: programs to copy, and folders of them. */
import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { extname, join, posix } from "node:path"
import { root, textOf } from "./Guides.ts"
import { type Links, sourcePath } from "./Links.ts"
import { firstParagraph, withLinks, withoutComments, withoutTitle } from "./Markdown.ts"
import type { Page } from "./Page.ts"

const languages: Readonly<Record<string, string>> = {
  ".mts": "ts",
  ".ts": "ts",
  ".mjs": "js",
  ".py": "python",
  ".php": "php",
  ".rb": "ruby",
  ".go": "go",
  ".json": "json",
  ".yaml": "yaml",
}

const tracked = (folder: string): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "-z", "--", folder], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && !file.endsWith(".test.ts"))

const isDirectory = (file: string): boolean => statSync(join(root, file)).isDirectory()

const folderPage = (folder: string, links: Links): Page => ({
  path: sourcePath(folder),
  title: folder,
  description: `The files of ${folder}.`,
  body: tracked(folder)
    .map((file) => `- [${file.slice(folder.length + 1)}](${links.resolve("README.md", file)})\n`)
    .join(""),
})

const markdownPage = (file: string, links: Links): Page => {
  const { body, title } = withoutTitle(textOf(file))
  const text = withLinks(withoutComments(body), (href) => links.resolve(file, href))
  return { path: sourcePath(file), title, description: firstParagraph(text), body: text }
}

const filePage = (file: string): Page => {
  const text = textOf(file)
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const language = languages[extname(file)] ?? "text"
  return {
    path: sourcePath(file),
    title: posix.basename(file),
    description: `The file ${file} of the package.`,
    body: `\`${file}\`\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`,
  }
}

/** A page for each file and folder that the links have led to so far, and for the files of these folders. */
export const sourcePages = (links: Links): ReadonlyArray<Page> => {
  const pages = new Map<string, Page>()
  // A Markdown file may link to others: the set grows during the loop.
  for (const source of links.sources) {
    if (isDirectory(source)) {
      pages.set(source, folderPage(source, links))
    } else {
      pages.set(source, source.endsWith(".md") ? markdownPage(source, links) : filePage(source))
    }
  }
  return [...pages.values()]
}
