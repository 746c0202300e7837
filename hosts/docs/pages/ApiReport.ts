/** The public names of each entry of the package, from the reports that `npm run api` writes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { entries } from "../../../conformance/checks/package/Entries.ts"
import { root } from "./Guides.ts"

/** A public name, or one that published declarations mention. */
export interface Name {
  /** With the namespace in front: `Orders.place`. */
  readonly name: string
  /** The file that declares it, if no entry exports it. */
  readonly file?: string
  /** The doc comment, without its marks. */
  readonly comment: string
  /** The declarations. */
  readonly code: string
}

/** An entry of the package, or all that no entry exports. */
export interface Report {
  /** The specifier of an import, e.g. `designwire/embed`. */
  readonly title: string
  /** The name of its pages. */
  readonly name: string
  /** The comment on the whole. */
  readonly comment: string
  readonly names: ReadonlyArray<Name>
}

const section = /^## (?<title>[^\n]+)\n\n?(?:```ts\n(?<code>.*?)\n```\n)?/gms

const withoutMarks = (comment: string): string =>
  comment
    .replace(/^\/\*\*[ \t]?/, "")
    .replace(/\s*\*\/$/, "")
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .trim()

const nameOf = (title: string, text: string): Name => {
  const [, name = title, file] = /^(\S+)(?: \((.+)\))?$/.exec(title) ?? []
  const [comment = ""] = /^\/\*\*.*?\*\//s.exec(text) ?? []
  const code = text
    .slice(comment.length)
    .trim()
    .replaceAll(/\{@link[\s*]+([^\s}|]+)[^}]*\}/g, "`$1`")
  return { name, ...(file === undefined ? {} : { file }), comment: withoutMarks(comment), code }
}

const read = (name: string, title: string): Report => {
  const text = readFileSync(join(root, "conformance/checks/api", `${name}.md`), "utf8")
  const names = [...text.matchAll(section)].map(({ groups = {} }) =>
    nameOf(groups["title"] ?? "", groups["code"] ?? ""),
  )
  const own = names.find((one) => one.name === title)
  return { name, title, comment: own?.comment ?? "", names: names.filter((one) => one !== own) }
}

/** Every entry in the order of package.json, and at the end what declarations mention alongside their names. */
export const reports = (): ReadonlyArray<Report> => [
  ...entries.map(({ name, specifier }) => read(name, specifier)),
  read("not-exported", "Not exported"),
]
