/** Doc comments as Markdown. */
import { withProse } from "./Markdown.ts"

/** A comment as Markdown. `address` gives the address of a name, if it has one. */
export const markdownOfComment = (comment: string, address: (name: string) => string | undefined): string => {
  const [text = "", ...tags] = comment.split(/^(?=@[a-z])/m)
  return [text, ...tags.map(tagText)]
    .map((part) => withProse(part.trim(), (prose) => withNames(prose, address)))
    .filter((part) => part !== "")
    .join("\n\n")
}

const withNames = (prose: string, address: (name: string) => string | undefined): string =>
  prose.replaceAll(
    /\{@link\s+([^\s}|]+)(?:\s*\|?\s*([^}]*))?\}/g,
    (_whole, name: string, words: string | undefined) => {
      const shown = `\`${words?.trim() || name}\``
      const target = address(name)
      return target === undefined ? shown : `[${shown}](${target})`
    },
  )

/** A tag such as `@param`, as a paragraph. An example is a block of code, with or without fences in the comment. */
const tagText = (tag: string): string => {
  const [, name = "", rest = ""] = /^@([a-z]+)\s*(.*)$/is.exec(tag.trim()) ?? []
  if (name === "example") return `Example:\n\n${rest.includes("```") ? rest : `\`\`\`ts\n${rest}\n\`\`\``}`
  const [, parameter = "", words = ""] = /^(\S+)\s*-?\s*(.*)$/s.exec(rest) ?? []
  return name === "param" ? `\`${parameter}\`: ${words}` : `_${name}_: ${rest}`
}

/** The first sentence of a comment, as Markdown without links. */
export const firstSentence = (comment: string): string => {
  const text =
    comment
      .split(/^@|\n\n/m)[0]
      ?.replaceAll(/\s+/g, " ")
      .trim() ?? ""
  const sentence = /^.+?[.:](?=\s|$)/.exec(text)?.[0] ?? text
  return sentence.replaceAll(/\{@link\s+([^\s}|]+)[^}]*\}/g, "`$1`").replace(/:$/, ".")
}
