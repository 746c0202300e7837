/** Problems in the HTML of a built page. */
import { type BuiltPage, fileOf, sentBytes } from "./Built.ts"

/** Bytes that a browser gets to show a page: its HTML, styles, scripts and pictures, as a server sends them. */
const maximumBytes = 100_000

/** Without scripts and the texts that buttons copy, which may look like HTML. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, "").replaceAll(/ data-code="[^"]*"/g, "")

const attribute = (html: string, name: string): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(`<[a-z][^<>]*? ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  )

/** The ids of a page. */
export const idsOf = ({ html }: BuiltPage): ReadonlyArray<string> => attribute(withoutScripts(html), "id")

/** The files that a browser needs to show the page. Other pages and the icon are none of them. */
const neededBy = ({ html }: BuiltPage): ReadonlyArray<string> => [
  ...[...html.matchAll(/<link\b[^>]*>/g)]
    .filter(([tag]) => /rel="(?:stylesheet|modulepreload)"/.test(tag) && !tag.includes('media="print"'))
    .flatMap(([tag]) => attribute(tag, "href")),
  ...attribute(html, "src"),
]

/** Bytes of a page with what it needs. */
export const weightOf = (page: BuiltPage): number =>
  [page.address === "/404.html" ? "/404.html" : page.address, ...new Set(neededBy(page))]
    .flatMap((address) => fileOf(address) ?? [])
    .reduce((sum, file) => sum + sentBytes(file), 0)

const linkProblem = (page: BuiltPage, href: string, ids: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const [target = "", anchor = ""] = href.split("#")
  const address = target === "" ? page.address : target
  if (!address.startsWith("/")) return [`${page.address}: ${href} is not an address from the root`]
  if (fileOf(address) === undefined) return [`${page.address}: ${href} leads nowhere`]
  const known = ids.get(address)
  const isThere = anchor === "" || anchor === "_top" || known?.has(decodeURIComponent(anchor)) === true
  return isThere ? [] : [`${page.address}: ${href} has no such anchor`]
}

/** Everything that is wrong with a page. `ids` has the ids of each page by its address. */
export const pageProblems = (page: BuiltPage, ids: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> => {
  const { address, html } = page
  const text = withoutScripts(html)
  const links = [...attribute(text, "href"), ...attribute(text, "src")].filter((href) => !/^[a-z]+:/.test(href))
  const own = idsOf(page)
  const twice = [...new Set(own.filter((id, index) => own.indexOf(id) < index))]
  const blocks = text.split(/<pre[ >]/).length - 1
  const buttons = text.split('class="copy"').length - 1
  const weight = weightOf(page)
  return [
    ...[...new Set(links)].flatMap((href) => linkProblem(page, href, ids)),
    ...twice.map((id) => `${address}: two elements have the id ${id}`),
    ...(blocks === buttons ? [] : [`${address}: ${blocks} blocks of code have ${buttons} buttons that copy them`]),
    ...(weight <= maximumBytes ? [] : [`${address}: ${weight} bytes are sent, ${maximumBytes} may be`]),
    ...(fileOf(markdownOf(address)) === undefined && address !== "/404.html" ? [`${address}: has no Markdown`] : []),
  ]
}

const markdownOf = (address: string): string => (address === "/" ? "/index.md" : address.replace(/\/$/, ".md"))
