/** The parts of a Markdown text that the site looks at: blocks of code, headings, anchors, links. */

/** A stretch of text, or a block of code with its fences. */
export type Piece =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string; readonly code: string }

const fenced = /^(?<indent> *)(?<fence>`{3,})(?<language>[^\s`]*)[^\n`]*\n(?<code>.*?)^\k<indent>\k<fence>[ \t]*$\n?/gms

/** The pieces of a text, which together are the text. */
export const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let end = 0
  for (const { 0: whole, groups = {}, index } of text.matchAll(fenced)) {
    if (index > end) pieces.push({ kind: "prose", text: text.slice(end, index) })
    pieces.push({ kind: "code", text: whole, language: groups["language"] ?? "", code: groups["code"] ?? "" })
    end = index + whole.length
  }
  if (end < text.length) pieces.push({ kind: "prose", text: text.slice(end) })
  return pieces
}

/** A text whose prose was changed, with its blocks of code as they were. */
export const withProse = (text: string, change: (prose: string) => string): string =>
  piecesOf(text)
    .map((piece) => (piece.kind === "prose" ? change(piece.text) : piece.text))
    .join("")

/** Without HTML comments, which say how checks follow a guide. */
export const withoutComments = (text: string): string =>
  withProse(text, (prose) => prose.replaceAll(/^[ \t]*<!--.*?-->[ \t]*\n?/gms, ""))

/** Without the YAML in front. */
export const withoutFrontMatter = (text: string): string => text.replace(/^---\n.*?\n---\n+/s, "")

/** Markdown as plain text: without marks of emphasis, code and links. */
export const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/(\*\*|__)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w`])_([^_`]+)_(?!\w)/g, "$1")
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** A heading in a text. */
export interface Heading {
  readonly level: number
  /** As it stands in the text. */
  readonly text: string
  /** Its anchor, as GitHub and the site make it. */
  readonly anchor: string
}

const slug = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

/** The headings of a text. If two have the same words, a number distinguishes their anchors. */
export const headingsOf = (text: string): ReadonlyArray<Heading> => {
  const taken = new Map<string, number>()
  const headings: Array<Heading> = []
  for (const piece of piecesOf(text)) {
    if (piece.kind === "code") continue
    for (const { groups = {} } of piece.text.matchAll(/^(?<marks>#{1,6}) +(?<title>.+?)[ \t]*$/gm)) {
      const { marks = "", title = "" } = groups
      const words = slug(title)
      const count = taken.get(words) ?? 0
      taken.set(words, count + 1)
      headings.push({ level: marks.length, text: title, anchor: count === 0 ? words : `${words}-${count}` })
    }
  }
  return headings
}

/** A heading that links can also reach by an id of ours. */
export const headingWithId = (id: string, heading: string): string =>
  slug(heading.replace(/^#+ /, "")) === id ? heading : `<a id="${id}"></a>\n\n${heading}`

/** Everything that a link can end in: headings, and elements with an id. */
export const anchorsOf = (text: string): ReadonlySet<string> => {
  const ids = piecesOf(text).flatMap((piece) =>
    piece.kind === "code" ? [] : [...piece.text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id),
  )
  return new Set([...headingsOf(text).map(({ anchor }) => anchor), ...ids])
}

const linked = /(?<before>!?\[(?:[^\][]|\[[^\]]*\])*\]\()(?<href>[^\s)]+)(?<after>\))/g

/** A text whose links and pictures lead elsewhere. Code is left alone. */
export const withLinks = (text: string, lead: (href: string) => string): string =>
  withProse(text, (prose) =>
    prose.replaceAll(linked, (whole, before: string, href: string, after: string, at: number) =>
      isInCode(prose, at) ? whole : before + lead(href) + after,
    ),
  )

/** Whether a place of a paragraph is between backticks. */
const isInCode = (prose: string, at: number): boolean => {
  const paragraph = prose.lastIndexOf("\n\n", at) + 1
  return (prose.slice(paragraph, at).split("`").length - 1) % 2 === 1
}

/** The heading of a text and what comes below it. */
export const withoutTitle = (text: string): { readonly title: string; readonly body: string } => {
  const [whole = "", title = ""] = /^# +(.+?)[ \t]*$\n*/m.exec(text) ?? []
  return { title: plain(title), body: text.replace(whole, "").trimStart() }
}

/** The first paragraph, as plain text. */
export const firstParagraph = (body: string): string => {
  const [piece] = piecesOf(body)
  const paragraphs = piece?.kind === "prose" ? piece.text.split(/\n{2,}/) : []
  const found = paragraphs.find((paragraph) => /^[\p{L}`_*"[]/u.test(paragraph))
  return plain(found ?? "")
}
