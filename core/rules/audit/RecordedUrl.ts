/** A part of a query without its value. Without a name, all of it is a value. */
const nameOf = (part: string): string => {
  const end = part.indexOf("=")
  return end === -1 ? "…" : `${part.slice(0, end)}=…`
}

/**
 * An endpoint's URL as entries of changes have it: its origin, its path, and the names in its query. User info, values
 * in the query and a fragment may be secrets, and are left out (D59).
 */
export const recordedUrl = (url: string): string => {
  const parsed = URL.parse(url)
  if (parsed === null) return "…"
  const names = parsed.search === "" ? "" : `?${parsed.search.slice(1).split("&").map(nameOf).join("&")}`
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${names}`
}
