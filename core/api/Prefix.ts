/** The place of an API: its prefix within an application, and the public address that clients use. */
import { addressOf, isTemplateOrPlain, shopNames, templateForm } from "../model/PublicAddress.ts"

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
      "The path of a public address needs a segment beside {shop}, like https://api.example.com/{shop}/designs; " +
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
