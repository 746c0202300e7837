import type { Source } from "./Source.ts"

/** A line of prose, from 1. */
export interface ProseLine {
  readonly path: string
  readonly line: number
  readonly text: string
}

/**
 * The prose of a file, line by line: of code, its comments and the texts that are sentences; of Markdown, all but code.
 */
export const proseOf = ({ path, text }: Source): ReadonlyArray<ProseLine> =>
  (path.endsWith(".md") ? withoutCode(text).split("\n") : text.split("\n").map(proseOfCode)).map((text, index) => ({
    path,
    line: index + 1,
    text,
  }))

const withoutCode = (markdown: string): string =>
  markdown.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, " ")).replace(/`[^`\n]*`/g, " ")

const comment = /^\s*\*.*$|\/\*\*?.*$|(?:^|\s)\/\/.*$/

const proseOfCode = (line: string): string =>
  comment.exec(line)?.[0] ??
  Array.from(line.matchAll(/"[^"]*"|`[^`]*`/g), ([text]) => text)
    .filter((text) => text.split(" ").length > 3)
    .join(" ")

/** Lines of comments and texts in code may have this many columns. The formatter does not break them. */
const maximumColumns = 120

/** The lines of prose in code that are too long. */
export const longProse = (source: Source): ReadonlyArray<ProseLine> =>
  source.path.endsWith(".md") ? [] : proseOf(source).filter(({ text }) => text.length > maximumColumns)
