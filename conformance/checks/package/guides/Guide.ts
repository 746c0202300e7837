/**
 * Reads a guide. Every code block of it is either run or excused; HTML comments in front of a block say how:
 *
 * - `sh` blocks run as they are, in the order of the guide. `<!-- until: pattern -->` in front of one: it is a process
 *   that stays, and the guide continues as soon as it has printed a line that matches the pattern.
 * - `text` and `json` blocks show what was printed last. `…` stands for anything.
 * - `<!-- file: name -->`: the block is this file. Something after it must run the file.
 * - `<!-- from: path -->`: the block is an excerpt of this file of the repository, an example or a snippet that tests
 *   run.
 * - `<!-- not run: reason -->`: the block can't be run.
 *
 * Two comments need no block: `<!-- run` with commands in the lines after it, for what readers needn't see, and `<!--
 * stop -->`, which ends all processes that stayed.
 */

/** A step on the way through a guide, with the line that it stands in. */
export type Step = { readonly line: number } & (
  | { readonly kind: "run"; readonly code: string; readonly until?: RegExp }
  | { readonly kind: "compare"; readonly language: "text" | "json"; readonly shown: string }
  | { readonly kind: "write"; readonly file: string; readonly code: string }
  | { readonly kind: "excerpt"; readonly file: string; readonly code: string }
  | { readonly kind: "stop" }
)

/** What to do, and everything that keeps a block from being run. */
export interface Guide {
  readonly steps: ReadonlyArray<Step>
  readonly problems: ReadonlyArray<string>
}

const parts = /^<!--\s*(?<comment>.*?)\s*-->[ \t]*$|^(?<fence>`{3,})(?<language>\S*)\n(?<code>.*?)^\k<fence>[ \t]*$/gms
const marks = /^(?<kind>until|file|from|not run):\s*(?<value>\S.*)$/

/** A line that begins a block of code. In another form than above a block would be overlooked. */
const fence = /^[\s>*-]*(?:`{3,}|~{3,}).*$/m

/** Files that tests run whole. */
const tested = /^hosts\/(?:embed\/examples|receiver\/snippets)\//

/** Reads the Markdown text of a guide. */
export const parse = (text: string): Guide => {
  const steps: Array<Step> = []
  const problems: Array<string> = []
  let mark: { readonly kind: string; readonly value: string; readonly line: number } | undefined
  for (const { groups = {}, index } of text.matchAll(parts)) {
    const { code, comment, language = "" } = groups
    const line = text.slice(0, index).split("\n").length
    const problem = (sentence: string) => problems.push(`line ${line}: ${sentence}`)
    if (code === undefined) {
      const { kind, value } = marks.exec(comment ?? "")?.groups ?? {}
      const commands = /^run\n(.+)$/s.exec(comment ?? "")?.[1]
      if (mark !== undefined) problem("a comment must stand right before the block that it is about")
      mark = kind === undefined || value === undefined ? undefined : { kind, value, line }
      if (commands !== undefined) steps.push({ kind: "run", code: commands, line })
      else if (comment === "stop") steps.push({ kind: "stop", line })
      else if (mark === undefined) problem(`unknown comment: ${comment}`)
      continue
    }
    const step = stepOf(language, code, mark)
    if (typeof step === "string") problem(step)
    else if (step !== undefined) steps.push({ ...step, line })
    mark = undefined
  }
  if (mark !== undefined) problems.push(`line ${mark.line}: no block follows the comment`)
  const overlooked = fence.exec(text.replaceAll(parts, ""))
  if (overlooked !== null) problems.push(`this begins a block in another form than the others: ${overlooked[0]}`)
  return { steps, problems: [...problems, ...unused(steps)] }
}

type WithoutLine<S> = S extends unknown ? Omit<S, "line"> : never

/** The step of a block, `undefined` if it is excused, or a sentence about why it would not be run. */
const stepOf = (
  language: string,
  code: string,
  mark: { readonly kind: string; readonly value: string } | undefined,
): WithoutLine<Step> | string | undefined => {
  if (mark?.kind === "not run") return undefined
  if (mark?.kind === "from")
    return tested.test(mark.value) ? { kind: "excerpt", file: mark.value, code } : `no test runs ${mark.value}`
  if (mark?.kind === "file") return { kind: "write", file: mark.value, code }
  if (language === "sh") {
    return mark === undefined ? { kind: "run", code } : { kind: "run", code, until: new RegExp(mark.value, "m") }
  }
  if (mark !== undefined) return `"${mark.kind}" is for blocks of sh`
  if (language === "text" || language === "json") return { kind: "compare", language, shown: code }
  return `a block of ${language || "no language"} is neither run nor excused`
}

/** Files that nothing after them runs, neither a command nor an import. */
const unused = (steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps.flatMap((step, index) => {
    if (step.kind !== "write") return []
    const isUsed = steps
      .slice(index + 1)
      .some((later) => (later.kind === "run" || later.kind === "write") && later.code.includes(step.file))
    return isUsed ? [] : [`line ${step.line}: nothing runs ${step.file}`]
  })
