/**
 * Alternatives as tabs. Guides write alternatives in two forms, which read well without tabs:
 *
 * - paragraphs such as "With Express:" with a block of code each, one after the other;
 * - sections named after programming languages, one after the other.
 *
 * A tab is a `details` element, so it opens without scripts and when a browser finds a word in it.
 */
import { type Piece, piecesOf } from "./Markdown.ts"

interface Alternative {
  /** Markdown in the tab's label. */
  readonly label: string
  readonly body: string
}

const languages = new Set(["TypeScript and JavaScript", "TypeScript", "JavaScript", "Python", "PHP", "Ruby", "Go"])

const tabs = (alternatives: ReadonlyArray<Alternative>, name: string): string => {
  const items = alternatives.map(({ body, label }, index) => {
    const open = index === 0 ? " open" : ""
    return `<details name="${name}"${open}>\n<summary>\n\n${label}\n\n</summary>\n\n${body.trim()}\n\n</details>`
  })
  return `<div class="tabs">\n${items.join("\n")}\n</div>\n\n`
}

/** A paragraph at the end of prose that introduces one of several alternatives. */
const introduction = /(?:^\n*|\n\n)(?<sentence>With (?<label>[^,:\n]+)(?<more>, [^:]+)?:)\s*$/

const introducing = (piece: Piece | undefined) => {
  const groups = piece?.kind === "prose" ? introduction.exec(piece.text)?.groups : undefined
  return groups === undefined ? undefined : { label: groups["label"] ?? "", sentence: groups["sentence"] ?? "" }
}

/** Whether prose is an introduction and nothing else. */
const onlyIntroduces = (piece: Piece | undefined): boolean =>
  piece?.kind === "prose" && introducing(piece)?.sentence === piece.text.trim()

const withTabsOfLibraries = (text: string, prefix: string): string => {
  const pieces = piecesOf(text)
  const written: Array<string> = []
  let index = 0
  while (index < pieces.length) {
    const piece = pieces[index]
    const begin = introducing(piece)
    const run: Array<Alternative> = []
    let next = index
    while (pieces[next + 1]?.kind === "code" && (next === index ? begin !== undefined : onlyIntroduces(pieces[next]))) {
      const { label, sentence } = introducing(pieces[next]) ?? { label: "", sentence: "" }
      const code = pieces[next + 1]?.text ?? ""
      run.push({ label, body: sentence === `With ${label}:` ? code : `${sentence}\n\n${code}` })
      next += 2
    }
    if (run.length < 2 || piece === undefined) {
      written.push(piece?.text ?? "")
      index += 1
    } else {
      written.push(`${piece.text.slice(0, piece.text.lastIndexOf(begin?.sentence ?? ""))}`)
      written.push(tabs(run, `${prefix}-${index}`))
      index = next
    }
  }
  return written.join("")
}

/** A section of a text: its heading, and everything up to the next heading that is not below it. */
interface Section {
  readonly heading: string
  readonly text: string
}

/** The sections of level 2, the first of which is what stands before them. */
const sectionsOf = (text: string): ReadonlyArray<Section> => {
  const sections: Array<{ heading: string; text: string }> = [{ heading: "", text: "" }]
  for (const piece of piecesOf(text)) {
    if (piece.kind === "code") {
      const last = sections.at(-1)
      if (last !== undefined) last.text += piece.text
      continue
    }
    for (const [index, part] of piece.text.split(/^(?=## )/m).entries()) {
      const heading = /^## +(.+)$/m.exec(part)?.[1] ?? ""
      if (part.startsWith("## ") || index > 0) sections.push({ heading, text: part })
      else (sections.at(-1) as { text: string }).text += part
    }
  }
  return sections
}

const isLanguage = ({ heading }: Section): boolean => languages.has(heading)

/** A text with its alternatives as tabs. */
export const withTabs = (text: string): string => {
  const sections = sectionsOf(text)
  const written: Array<string> = []
  for (let index = 0; index < sections.length; ) {
    const rest = sections.slice(index)
    const end = rest.findIndex((section) => !isLanguage(section))
    const run = rest.slice(0, end < 0 ? rest.length : end)
    if (run.length < 2) {
      written.push(withTabsOfLibraries(sections[index]?.text ?? "", `tabs-${index}`))
      index += 1
      continue
    }
    const alternatives = run.map(({ heading, text: section }) => ({
      label: `## ${heading}`,
      body: withTabsOfLibraries(section.replace(/^## .*\n/, ""), `tabs-${index}-${heading.split(" ")[0]}`),
    }))
    written.push(tabs(alternatives, `tabs-${index}`))
    index += run.length
  }
  return written.join("")
}
