/** The place of an API: its prefix within an application, and the public address that clients use. */

/** The usual prefix of the REST API (§4). */
export const defaultPrefix = "/api/v1"

/** Why a text can't be a prefix, `undefined` if it can: it is `/`, or has segments of letters, digits and `-._~`. */
export const prefixProblem = (prefix: string): string | undefined =>
  prefix === "/" || (/^(?:\/[\w.~-]+)+$/.test(prefix) && !/\/\.\.?(?:\/|$)/.test(prefix))
    ? undefined
    : "A prefix is a path like /integrations/designs/v1, of letters, digits and -._~, without a slash at its end; " +
      `not ${JSON.stringify(prefix)}`

/** Why a text can't be a public address, `undefined` if it can. */
export const publicUrlProblem = (address: string): string | undefined => {
  const url = URL.parse(address)
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
