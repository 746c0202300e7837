/** The links between pages that lead nowhere. */
import { anchorsOf, piecesOf } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"

const linked = /\]\((?<href>[/#][^\s)]*)\)/g

/** Every link to a page or an anchor that is not there, as a sentence. Files such as pictures are named in `files`. */
export const brokenLinks = (pages: ReadonlyArray<Page>, files: ReadonlySet<string>): ReadonlyArray<string> => {
  const anchors = new Map(pages.map(({ body, path }) => [addressOf(path), anchorsOf(body)]))
  return pages.flatMap(({ body, path }) =>
    piecesOf(body)
      .flatMap((piece) => (piece.kind === "code" ? [] : [...piece.text.matchAll(linked)]))
      .flatMap(({ groups }): ReadonlyArray<string> => {
        const href = groups?.["href"] ?? ""
        const [target = "", anchor] = href.split("#")
        const address = target === "" ? addressOf(path) : target
        if (files.has(address)) return []
        const found = anchors.get(address)
        if (found === undefined) return [`/${path}: no page at ${href}`]
        return anchor === undefined || found.has(anchor) ? [] : [`/${path}: no anchor ${href}`]
      }),
  )
}
