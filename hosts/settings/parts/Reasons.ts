import { memoize } from "effect/Function"
import { englishIn, type Texts } from "../texts/Language.ts"
import type { Visit } from "../Visit.ts"
import { cut } from "./catalog/Cut.ts"

/** Longer texts are none of the service's own. */
const longest = 800

interface Template {
  readonly pattern: RegExp
  readonly parts: ReadonlyArray<string>
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const ownLength = (said: string): number => said.replaceAll("{}", "").length

/** The templates of a table. Those with the most words of their own come first: the others fit more than they mean. */
const templatesOf = memoize(
  (table: Texts["reasons"]): ReadonlyArray<Template> =>
    Object.entries(table)
      .toSorted(([one], [other]) => ownLength(other) - ownLength(one))
      .map(([said, words]) => ({
        pattern: new RegExp(`^${said.split("{}").map(escaped).join("([\\s\\S]+?)")}$`, "u"),
        parts: words.split("{}"),
      })),
)

/** The field that a sentence is about, and the sentence. */
const ofField = /^([\w.[\]]{1,100}): ([\s\S]+)$/u

/** Sentences that follow each other; a quoted text may have what divides them. */
const sentences = /(?:"(?:[^"\\]|\\.)*"|(?!; )[\s\S])+/gu

/** What the service says in the words of a table; `undefined` if that has none for it. */
const inWords = (table: Texts["reasons"], text: string): string | undefined => {
  if (text.length > longest) return undefined
  const all = text.match(sentences) ?? []
  const said = all.length < 2 ? [] : all.map((each) => inWords(table, each.trim()))
  if (said.length > 0 && said.every((each) => each !== undefined)) return said.join("; ")
  for (const { parts, pattern } of templatesOf(table)) {
    const found = pattern.exec(text)
    if (found === null) continue
    const filled = found.slice(1).map((part) => inWords(table, part) ?? part)
    return parts.map((part, index) => part + (filled[index] ?? "")).join("")
  }
  const [, field, sentence] = ofField.exec(text) ?? []
  const words = sentence === undefined ? undefined : inWords(table, sentence)
  return words === undefined ? undefined : `${field}: ${words}`
}

/** A reason that the service gives, in the reader's language if there are words for it, and its language if not. */
export const reasonIn = (
  { site, texts }: { readonly site: Pick<Visit["Service"]["site"], "language">; readonly texts: Texts },
  text: string,
  maximum: number,
): { readonly text: string; readonly lang: "en" | undefined } => {
  const words = inWords(texts.reasons, text)
  return { text: cut(words ?? text, maximum), lang: words === undefined ? englishIn(site.language) : undefined }
}
