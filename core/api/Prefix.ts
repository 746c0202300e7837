/** Where an API is mounted, as its application and its clients name the place. */

/** What is wrong with a prefix, or `undefined` where it can be one: `/`, or segments of letters, digits and `-._~`. */
export const prefixProblem = (prefix: string): string | undefined =>
  prefix === "/" || (/^(?:\/[\w.~-]+)+$/.test(prefix) && !/\/\.\.?(?:\/|$)/.test(prefix))
    ? undefined
    : `A prefix is a path like /integrations/designs/v1, of letters, digits and -._~, without a slash at its end; not ${JSON.stringify(prefix)}`

/** What is wrong with a public address, or `undefined` where it can be one. */
export const publicUrlProblem = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    !/[?#@]/.test(address) &&
    prefixProblem(withoutSlash(url.pathname as `/${string}`) || "/") === undefined
    ? undefined
    : `A public address is an http or https URL like https://api.example.com/designs, without a query; not ${JSON.stringify(address)}`
}

/** A path that has no slash at its end: the root is empty. */
export const withoutSlash = (path: `/${string}`) => (path === "/" ? "" : (path.replace(/\/$/, "") as `/${string}`))
