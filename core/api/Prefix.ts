/** The place of an API: its prefix within an application, and the public address that clients use. */
import { addressOf, isTemplateOrPlain, shopNames, shopPart, templateForm } from "../model/webhooks/PublicAddress.ts"
import { isBelow, pathAndQueryOf } from "./Paths.ts"

/** The usual prefix of the REST API (§4). */
export const defaultPrefix = "/api/v1"

/** Why a text can't be a prefix, `undefined` if it can: it is `/`, or has segments of letters, digits and `-._~`. */
export const prefixProblem = (prefix: string): string | undefined =>
  prefix === "/" || (/^(?:\/[\w.~-]+)+$/.test(prefix) && !/\/\.\.?(?:\/|$)/.test(prefix))
    ? undefined
    : "A prefix is a path like /integrations/designs/v1, of letters, digits and -._~, without a slash at its end; " +
      `not ${JSON.stringify(prefix)}`

/** Why a text can't be a public address, `undefined` if it can. It may have `{shop}`. */
export const publicUrlProblem = (address: string): string | undefined => {
  if (!isTemplateOrPlain(address)) return `A public address is ${templateForm}; not ${JSON.stringify(address)}`
  // The application has other paths too.
  if (shopNames(address).inPath("/shop") !== undefined) {
    return (
      "The path of a public address needs a segment besides {shop}, like https://api.example.com/{shop}/designs; " +
      `not ${JSON.stringify(address)}`
    )
  }
  const url = URL.parse(addressOf(address, "shop"))
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    !/[?#@]/.test(address) &&
    prefixProblem(withoutSlash(url.pathname as `/${string}`) || "/") === undefined
    ? undefined
    : "A public address is an http or https URL like https://api.example.com/designs, without a query; " +
        `not ${JSON.stringify(address)}`
}

/** The path without a slash at its end, empty for the root. */
export const withoutSlash = (path: `/${string}`) => (path === "/" ? "" : (path.replace(/\/$/, "") as `/${string}`))

/** The parts of a request that have its address. */
export interface Addressed {
  /** Its path and query, or the whole address. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The whole address of a web `Request`. */
  readonly originalUrl?: string
}

/** A request by the address that it was sent to. */
export interface Named {
  /** The shop that the address names; `undefined` if it names none. */
  readonly shop: string | undefined
  /** Its path and query at the prefix of the API, or the whole address. */
  readonly url: string
}

/** Takes the shop from the address of a request. */
export type Name = (request: Addressed) => Named

/** The addresses of an API that may name the shop. */
export interface Addresses {
  readonly name: Name
  /** Whether the path of a URL names a shop. */
  readonly isOfShop: (url: string) => boolean
}

const ofNoShop: Addresses = { name: ({ url }) => ({ shop: undefined, url }), isOfShop: () => false }

/**
 * The addresses of an API at a prefix without a slash at its end, whose public address may name the shop. A request to
 * the prefix itself names no shop in its path: a proxy may have removed it.
 */
export const addressesOf = (prefix: ReturnType<typeof withoutSlash>, publicUrl: string | undefined): Addresses => {
  if (publicUrl === undefined || shopPart(publicUrl) === undefined) return ofNoShop
  const { inHost, inPath } = shopNames(publicUrl)
  /** The prefix may have the form of a shop's path. */
  const find = (url: string) => {
    const pathAndQuery = pathAndQueryOf(url)
    return prefix !== "" && isBelow(prefix, pathAndQuery) ? undefined : inPath(pathAndQuery)
  }
  const name: Name = ({ headers, originalUrl = "", url }) => {
    const found = find(url)
    if (found !== undefined) return { shop: found.shop, url: prefix + found.rest }
    // A web `Request` that was made by a program has no header of this name.
    const host = headers["host"] ?? /^https?:\/\/([^/?#]*)/i.exec(originalUrl)?.[1] ?? ""
    return { shop: inHost(host), url }
  }
  return { name, isOfShop: (url) => find(url) !== undefined }
}
