/** The addresses on the site that links of guides lead to. */
import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { guidePaths, root } from "./Guides.ts"
import { addressOf } from "./Page.ts"

/** Resolves the links of guides, and collects the files that they lead to. */
export class Links {
  /** Files and folders of the repository, that become pages. */
  readonly sources = new Set<string>()
  /** Pictures, which the site copies. */
  readonly pictures = new Set<string>()
  readonly problems: Array<string> = []
  readonly #requirementPaths: ReadonlyMap<string, string>

  /** @param requirementPaths The page of each anchor of REQUIREMENTS.md, which is several pages here. */
  constructor(requirementPaths: ReadonlyMap<string, string>) {
    this.#requirementPaths = requirementPaths
  }

  /** The address on the site that a link of a file leads to. A link that leads nowhere is a problem. */
  resolve(file: string, href: string): string {
    if (/^(?:[a-z]+:|#)/.test(href)) return href
    const [relative = "", anchor] = href.split("#")
    const target = posix.normalize(posix.join(posix.dirname(file), relative)).replace(/\/$/, "")
    const path = guidePaths.get(target)
    if (path !== undefined) return withAnchor(addressOf(path), anchor)
    if (target === "conformance/REQUIREMENTS.md") return this.#requirement(anchor)
    if (target.startsWith("..") || !existsSync(join(root, target))) {
      this.problems.push(`${file}: ${href} leads nowhere`)
      return href
    }
    if (/\.(?:png|svg)$/.test(target)) {
      this.pictures.add(target)
      return `/${target}`
    }
    const readme = posix.join(target, "README.md")
    if (guidePaths.has(readme)) return withAnchor(addressOf(target), anchor)
    if (statSync(join(root, target)).isDirectory() && existsSync(join(root, readme))) return this.#source(readme)
    return withAnchor(this.#source(target), anchor)
  }

  #source(target: string): string {
    this.sources.add(target)
    return addressOf(sourcePath(target))
  }

  #requirement(anchor: string | undefined): string {
    return withAnchor(addressOf(this.#requirementPaths.get(anchor ?? "") ?? "conformance/requirements"), anchor)
  }
}

/** The path of the page of a file that a guide links to. */
export const sourcePath = (file: string): string => `files/${file}`

const withAnchor = (address: string, anchor: string | undefined): string =>
  anchor === undefined ? address : `${address}#${anchor}`
