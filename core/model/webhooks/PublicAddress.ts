/**
 * Public addresses. An address may name the shop by `{shop}`, as a label of its host or a segment of its path: then it
 * is a template, from which each shop has an address of its own (D15a).
 */

const placeholder = "{shop}"

const segments = String.raw`(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*`
const end = String.raw`${segments}\/*$`

/** The last label can't be the shop: a host that ends in a number is an IPv4 address. */
const hostTemplate = new RegExp(
  String.raw`^https?:\/\/(?:[a-z0-9-]+\.)*\{shop\}(?:\.[a-z0-9-]+)+(?::\d{1,5})?${end}`,
  "i",
)
const pathTemplate = new RegExp(String.raw`^https?:\/\/[^\s/\\{}?#@]+${segments}\/\{shop\}${end}`, "i")

/** The most characters of a host name. */
const longestHost = 253

/** The most characters of a shop's id, and of a label. */
const longestShop = 63

/** The part of an address that names the shop; `undefined` if it is the address of all shops. */
export const shopPart = (address: string): "host" | "path" | undefined => {
  if (!address.includes(placeholder)) return undefined
  if (hostTemplate.test(address)) return "host"
  return pathTemplate.test(address) ? "path" : undefined
}

/** The form of an address with braces. */
export const templateForm =
  "an http(s) URL with {shop} at most once, as a whole label of the host or a whole segment of the path: " +
  "https://{shop}.designs.example.com or https://designs.example.com/{shop}"

/** Whether a text has no braces, or is a template from which every shop gets an address. */
export const isTemplateOrPlain = (text: string): boolean => {
  if (!/[{}]/.test(text)) return true
  if (shopPart(text) === undefined) return false
  const longest = URL.parse(addressOf(text, "s".repeat(longestShop)))
  return longest !== null && longest.hostname.length <= longestHost
}

/** The address of a shop; without `{shop}` all shops have the same one. */
export const addressOf = (address: string, shop: string): string => address.replace(placeholder, () => shop)

/**
 * The address for paths that name the shop themselves, such as `/settings/{shop}`: without the segment of the shop. A
 * host keeps its label, because there may be no host without it.
 */
export const generalAddress = (address: string): string =>
  shopPart(address) === "path" ? address.replace(`/${placeholder}`, "") : address

/** The part of a template up to the shop, its host included, and the path after it. */
export const splitAtShop = (template: string): { readonly server: string; readonly path: string } => {
  const [, server = template, path = ""] = /^(.*\{shop\}[^/]*)(.*)$/.exec(template) ?? []
  return { server, path: path.replace(/\/+$/, "") }
}

/**
 * Whether a shop's id can be the label of a host. Labels don't end in a hyphen, and those that begin with `xn--` are
 * the encoded form of others.
 */
export const fitsHost = (shop: string): boolean => !shop.endsWith("-") && !shop.startsWith("xn--")

/** Why an address can't name a shop by its id, `undefined` if it can. */
export const unfitFor = (address: string, shop: string): string | undefined =>
  shopPart(address) !== "host" || fitsHost(shop)
    ? undefined
    : `can't be part of the host name in ${address}, because it ends in a hyphen or begins with xn--`

/** The shops that requests name. */
export interface ShopNames {
  /** The shop in a path, and the rest of the path and the query after the address. */
  readonly inPath: (pathAndQuery: string) => { readonly shop: string; readonly rest: string } | undefined
  /** The shop in a `Host` header. It may be one that no shop can have as its id. */
  readonly inHost: (host: string) => string | undefined
}

const nowhere = () => undefined

/** The host of a template, without its port. */
const hostOf = (template: string): string => /^https?:\/\/([^/:]+)/i.exec(template)?.[1] ?? ""

const pattern = (text: string): string => text.replaceAll(".", "\\.")

/**
 * Finds the shops in requests to the addresses of a template. Proxies may remove what precedes the shop in the path, if
 * something follows it there. They may change the port of the host, but not its name.
 */
export const shopNames = (template: string): ShopNames => {
  switch (shopPart(template)) {
    case undefined:
      return { inPath: nowhere, inHost: nowhere }
    case "host": {
      const [before = "", after = ""] = hostOf(template).split(placeholder)
      const hosts = new RegExp(`^${pattern(before)}([^.:]+)${pattern(after)}\\.?(?::\\d*)?$`, "i")
      return { inPath: nowhere, inHost: (host) => hosts.exec(host)?.[1]?.toLowerCase() }
    }
    case "path": {
      const { path, server } = splitAtShop(template)
      const before = pattern(server.replace(/^https?:\/\/[^/]+/i, "").replace(`/${placeholder}`, ""))
      const start = path === "" ? before : `(?:${before})?`
      const paths = new RegExp(`^${start}/([a-z0-9][a-z0-9-]{0,62})${pattern(path)}(?=[/?]|$)`)
      const inPath = (pathAndQuery: string) => {
        const found = paths.exec(pathAndQuery)
        return found === null ? undefined : { shop: found[1] as string, rest: pathAndQuery.slice(found[0].length) }
      }
      return { inPath, inHost: nowhere }
    }
  }
}
