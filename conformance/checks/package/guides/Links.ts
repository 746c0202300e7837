/** Links between guides: each leads to something that is in the package, alongside the guide as in the repository. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const links = /!?\[[^\]]*\]\(([^)\s]+)\)/g
const fences = /^(`{3,}).*?^\1$/gms
const spans = /`[^`\n]*`/g

/** The links of a guide that lead nowhere. */
export const deadLinks = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(path, "utf8")
  return [...text.replaceAll(fences, "").replaceAll(spans, "").matchAll(links)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = "", heading] = link.split("#")
      const target = file === "" ? path : join(dirname(path), file)
      return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading))
    })
}

/** The addresses within a page: its headings, as GitHub makes them, and anchors. */
const headingsOf = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(path, "utf8")
  const headings = text.replaceAll(fences, "").matchAll(/^#+ (.+)$/gm)
  const anchors = text.matchAll(/<a (?:id|name)="([^"]+)">/g)
  return [
    ...[...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
    ...[...anchors].map(([, anchor = ""]) => anchor),
  ]
}
