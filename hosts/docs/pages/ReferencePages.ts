/** The API reference: a page for each entry of the package, and for each name of the large ones. */
import { type Name, type Report, reports } from "./ApiReport.ts"
import { firstSentence, markdownOfComment } from "./DocComment.ts"
import { headingWithId, plain } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"

/** Above this number of characters, an entry has a page for each name. */
const large = 24_000

/** Above this number of lines, only the beginning of a declaration is shown. Such types are made by a machine. */
const long = 160

/** A name with its address. */
interface Placed extends Name {
  readonly path: string
  readonly address: string
}

const isLarge = ({ names }: Report): boolean =>
  names.reduce((sum, { code, comment }) => sum + code.length + comment.length, 0) > large

/** Places by name. Two names that differ in nothing but their case are in different folders on every system. */
const placed = (report: Report): ReadonlyArray<Placed> => {
  const taken = new Set<string>()
  const page = `reference/${report.name}`
  return report.names.map((one) => {
    let word = one.name.toLowerCase()
    while (taken.has(word)) word += "-2"
    taken.add(word)
    return isLarge(report)
      ? { ...one, path: `${page}/${word}`, address: addressOf(`${page}/${word}`) }
      : { ...one, path: page, address: `${addressOf(page)}#${word}` }
  })
}

type Find = (name: string) => Placed | undefined

/** The other names that a declaration mentions. */
const mentioned = ({ code, name }: Name, find: Find): ReadonlyArray<Placed> =>
  [...new Set(code.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [])]
    .filter((word) => word !== name && /^[A-Z]|^create|^layer/.test(word))
    .flatMap((word) => find(word) ?? [])
    .filter((one, index, all) => one.name !== name && all.indexOf(one) === index)

const shortened = (code: string): string => {
  const lines = code.split("\n")
  const rest = lines.length - long
  return rest <= 0 ? code : [...lines.slice(0, long), `// … and ${rest} more lines, in the package`].join("\n")
}

const text = (one: Placed, find: Find): string => {
  const mentions = mentioned(one, find).map(({ address, name }) => `[\`${name}\`](${address})`)
  const address = (name: string) => find(name)?.address
  const [about = "", ...tags] = one.comment.split(/^(?=@[a-z])/m)
  return [
    markdownOfComment(about, address),
    one.code === "" ? "" : `\`\`\`ts\n${shortened(one.code)}\n\`\`\``,
    markdownOfComment(tags.join(""), address),
    one.file === undefined ? "" : `In \`${one.file}\`.`,
    mentions.length === 0 ? "" : `It mentions ${mentions.join(", ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const list = (names: ReadonlyArray<Placed>): string =>
  names.map(({ address, comment, name }) => `- [\`${name}\`](${address}): ${firstSentence(comment)}\n`).join("")

const lead = ({ title, names }: Report): string =>
  title === "Not exported"
    ? "Declarations that public ones mention, and that no entry exports."
    : `\`import … from "${title}"\`: ${names.length === 1 ? "one name" : `${names.length} names`}.`

const pagesOf = (report: Report, names: ReadonlyArray<Placed>, find: Find): ReadonlyArray<Page> => {
  const address = (name: string) => find(name)?.address
  const about = [lead(report), markdownOfComment(report.comment, address)].filter((part) => part !== "").join("\n\n")
  const body = isLarge(report)
    ? list(names)
    : names
        .map((one) => `${headingWithId(one.address.split("#")[1] ?? "", `## ${one.name}`)}\n\n${text(one, find)}`)
        .join("\n\n")
  const description = plain(firstSentence(report.comment) || lead(report))
  const index: Page = {
    path: `reference/${report.name}`,
    title: report.title,
    description,
    body: `${about}\n\n${body}`,
    group: "API reference",
  }
  if (!isLarge(report)) return [index]
  const each = names.map(
    (one): Page => ({
      path: one.path,
      title: one.name,
      description: plain(firstSentence(one.comment)) || `${one.name} in ${report.title}.`,
      body: `In [\`${report.title}\`](${addressOf(index.path)}).\n\n${text(one, find)}`,
    }),
  )
  return [index, ...each]
}

/** All pages of the reference. */
export const referencePages = (): ReadonlyArray<Page> => {
  const all = reports().map((report) => ({ report, names: placed(report) }))
  const hidden = new Map(all.at(-1)?.names.map((one) => [one.name, one]))
  return all.flatMap(({ names, report }) => {
    const own = new Map(names.map((one) => [one.name, one]))
    return pagesOf(report, names, (name) => own.get(name) ?? hidden.get(name))
  })
}
