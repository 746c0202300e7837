/** Paths of requests, matched as they were sent (D15). */

/** Ids have up to 255 characters, each of them up to 12 when percent-encoded. */
export const longestSegment = 4096

/** The path of a URL that begins with its path. */
export const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/** Whether a path, with or without a query, is a prefix or begins with its segments. */
export const isBelow = (prefix: string, url: string): boolean =>
  url.startsWith(prefix) && (url.length === prefix.length || "/?".includes(url[prefix.length] as string))

/** Matches the paths of a route such as `/designs/:id`. */
export const pathPattern = (route: string): RegExp =>
  new RegExp(`^${route.replaceAll(".", "\\.").replace(/:[^/]+/g, "[^/]+")}$`)

const unreserved = /%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi
const malformed = /%(?![0-9A-F]{2})/i

/**
 * The path and query of a request. A client may send the whole address (RFC 9112 §3.2.2), and a web `Request` has it.
 */
export const pathAndQueryOf = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")

/**
 * The path and query of a request in the form that routers match, for an application at a prefix without a slash at its
 * end.
 *
 * Effect's router takes `;` and `#` for the start of a query, but they belong to their segment. Behind the prefix
 * letters, digits and `-._~` mean the same percent-encoded or not (RFC 3986 §6.2.2.2). Elsewhere an escape stands for
 * itself: guards and proxies in front compare the path as it was sent, and must see the address that is reached.
 */
export const routable = (target: string, prefix: string): string => {
  const url = pathAndQueryOf(target)
  const path = pathOf(url)
  if (!/[;#%]/.test(path)) return url
  const query = url.slice(path.length)
  const isOurs = isBelow(prefix, path)
  const segments = (isOurs ? path : path.replaceAll("%", "%25")).replaceAll(";", "%3B").replaceAll("#", "%23")
  if (!isOurs) return segments + query
  // Decoding a part of a malformed path could make it well-formed.
  return (malformed.test(segments) ? segments : segments.replace(unreserved, decodeURIComponent)) + query
}
