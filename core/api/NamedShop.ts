/** The shop that the address of a request names. */
import { OpenApi } from "effect/http-api"
import { shopNames, shopPart, splitAtShop } from "../model/PublicAddress.ts"
import { contractAt } from "./Contract.ts"
import { isBelow, pathAndQueryOf } from "./Paths.ts"
import type { withoutSlash } from "./Prefix.ts"

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

/** The contract with the addresses that clients use. */
export const documentedAt = (prefix: `/${string}`, publicUrl: string | undefined) => {
  if (publicUrl === undefined) return contractAt(prefix)
  if (shopPart(publicUrl) === undefined) {
    const { origin, pathname } = new URL(publicUrl)
    return contractAt(pathname as `/${string}`).annotate(OpenApi.Servers, [{ url: origin }])
  }
  const { path, server } = splitAtShop(publicUrl)
  return contractAt((path || "/") as `/${string}`).annotate(OpenApi.Servers, [
    {
      url: server,
      description: "The address of a shop",
      variables: { shop: { default: "your-shop", description: "The shop's id" } },
    },
  ])
}
